"""A running arena prunes by itself."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy.exc import OperationalError

from arena.hosting import pruning
from arena.league import Limit, Pruned, Retention
from arena.store.session import Store
from tests.support.new_store import new_store
from tests.support.seats import until


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = new_store(tmp_path / "data")
    yield store
    store.close()


async def test_it_goes_on_after_a_store_that_was_locked(
    store: Store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    tries: list[Retention] = []

    def prune(store: Store, retention: Retention) -> Pruned:
        tries.append(retention)
        if len(tries) == 1:
            raise OperationalError("DELETE", {}, Exception("locked"))
        return Pruned(2, 3)

    caplog.set_level("INFO")
    monkeypatch.setattr(pruning, "prune", prune)
    monkeypatch.setattr(pruning, "LOOK_EVERY_S", 0.01)
    kept = Retention(records=Limit(days=9))
    task = asyncio.create_task(pruning.keep_pruning(store, kept))
    await until(lambda: "pruned 2 records and 3 private logs" in caplog.text)
    task.cancel()
    assert "nothing more is pruned for now" in caplog.text
    assert tries[0] == kept
