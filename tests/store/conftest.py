"""A store in a temporary folder."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.store.session import Store
from tests.support.new_store import new_store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = new_store(tmp_path)
    yield store
    store.close()
