"""Transactions for which the disk has no room."""

from pathlib import Path

import pytest
import sqlalchemy as sa

from arena.disk import DiskFull
from arena.store import session as session_module
from arena.store.open import open_store
from arena.store.schema import Bot
from arena.store.session import Store, with_room


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return open_store(tmp_path, "write")


def limit(store: Store, pages: int) -> None:
    """Lets the store's one connection use that many pages at most; 1: no more than there are."""
    with store.writing() as session:
        session.execute(sa.text(f"PRAGMA max_page_count = {pages}"))


def enter_many(store: Store) -> None:
    with store.writing() as session:
        session.add_all(Bot(name=f"{number:040}", owner="ann") for number in range(1000))


def bots(store: Store) -> int:
    with store.reading() as session:
        return session.scalar(sa.select(sa.func.count()).select_from(Bot)) or 0


def test_without_room_nothing_changes_and_the_sentence_names_the_disk(
    store: Store, tmp_path: Path
) -> None:
    limit(store, 1)
    with pytest.raises(DiskFull, match=f"The disk of {tmp_path} is full; make room there."):
        enter_many(store)
    assert bots(store) == 0
    limit(store, 100_000)
    enter_many(store)
    assert bots(store) == 1000


async def test_work_waits_for_room_and_says_so_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(session_module, "LOOK_FOR_ROOM_EVERY_S", 0.001)
    tries = []

    def work() -> str:
        tries.append(1)
        if len(tries) < 5:
            raise DiskFull("The disk is full.")
        return "done"

    assert await with_room(work) == "done"
    assert caplog.text.count("Matches wait until there is room.") == 1
    assert caplog.text.count("There is room on the disk again.") == 1
