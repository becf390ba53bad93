"""Who is not there for long has left the table."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.errors import Kind
from arena.league.ladder.ladders import create_ladder, enter
from arena.league.table.tables import Sitter, sit_down
from arena.queue import Clock
from arena.store.data_folder import DataFolder
from arena.store.open import open_store
from arena.store.queries import ladder_named
from arena.store.schema import CompetitionState, Table
from arena.store.session import Store
from arena.store.versions import add_version
from arena.web.tables.attendance import ABSENT_S, LOOK_EVERY_S, Attendance
from arena.web.tables.seat_program import LEFT, NotOwed
from tests.support.clock import StoppedClock
from tests.support.failing import failing


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = open_store(tmp_path, "write")
    create_ladder(store, "main", "xeri")
    with store.writing() as session:
        bot = add_version(session, bot="bot", owner="Ann", version="0" * 64, manifest={})
        enter(session, ladder_named(session, "main"), bot.digest)
    yield store
    store.close()


@pytest.fixture
def attendance(store: Store, tmp_path: Path) -> Attendance:
    """Of an arena that does not run, so that nothing ever happens at its tables."""
    return Attendance(store, DataFolder(tmp_path))


def seated(store: Store) -> str:
    with store.writing() as session:
        sitter = Sitter("Bob")
        return sit_down(session, sitter, "xeri", seat=0, options={}, clock=Clock()).key


async def test_whoever_is_absent_leaves(
    store: Store, attendance: Attendance, clock: StoppedClock
) -> None:
    seat = await attendance.seat(seated(store))
    assert seat is not None
    await clock.advance(ABSENT_S)
    assert not seat.transcript.over
    await clock.advance(LOOK_EVERY_S)
    assert seat.transcript.trouble == LEFT
    with pytest.raises(NotOwed):
        seat.answer(1, 0)


async def test_an_open_page_is_presence(
    store: Store, attendance: Attendance, clock: StoppedClock
) -> None:
    key = seated(store)
    seat = await attendance.seat(key)
    assert seat is not None
    with attendance.following(key):
        await clock.advance(10 * ABSENT_S)
        assert not seat.transcript.over
    await clock.advance(ABSENT_S + LOOK_EVERY_S)
    assert seat.transcript.over


async def test_one_seat_for_all_who_ask_at_once(store: Store, attendance: Attendance) -> None:
    key = seated(store)
    seats = await asyncio.gather(*(attendance.seat(key) for _ in range(5)))
    assert len({id(seat) for seat in seats}) == 1


async def test_a_table_that_is_over_has_no_seat(store: Store, attendance: Attendance) -> None:
    key = seated(store)
    with store.writing() as session:
        [table] = session.query(Table).all()
        table.state = CompetitionState.OVER
    assert await attendance.seat(key) is None
    with failing(Kind.NOT_FOUND, match="There is no such table"):
        await attendance.seat("srt_elsewhere")
