"""A store in a temporary folder."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.store.open import open_store
from arena.store.session import Store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = open_store(tmp_path, "write")
    yield store
    store.close()
