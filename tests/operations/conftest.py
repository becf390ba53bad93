"""An arena with a ladder, asked by HTTP."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from arena.store.data_folder import DataFolder
from arena.store.session import Store
from tests.server.conftest import data, store
from tests.support.asked import Asked, asked_arena
from tests.support.stored_matches import MATCH, add_bots, add_match

__all__ = ["data", "store"]


@pytest.fixture
async def arena(store: Store, data: DataFolder) -> AsyncIterator[Asked]:
    """An arena on whose ladder main Ann's bot has played Bob's, and crashed."""
    with store.writing() as session:
        add_bots(session)
        add_match(session, MATCH, "main")
    with tempfile.TemporaryDirectory(prefix="asked-", dir="/tmp") as sockets:
        async with asked_arena(store, data, Path(sockets)) as asked:
            yield asked
