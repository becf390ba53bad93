"""The end of a run: play goes on, and then everything that was queued is settled."""

from __future__ import annotations

import time
from collections.abc import Callable

import sqlalchemy as sa

from arena.client.folder_access import opened_to_read
from arena.store.schema import Base, CompetitionState, Job, JobState, Ladder
from bench.chaos.findings import Finding
from tests.support.command_line import ran
from tests.support.whole_arena.arena import WholeArena

LOOK_EVERY_S = 0.1
PATIENCE_S = 300.0  # a busy machine takes its time
MATCHES_AFTER = 5


def recover(arena: WholeArena, look: Callable[[], None]) -> list[Finding]:
    """Waits until play has gone on and, with all ladders paused, every job is settled; returns what
    is stuck. `look`: starts again what has ended."""
    before = arena.recorded()
    if not comes_true(lambda: arena.recorded() >= before + MATCHES_AFTER, look):
        return ["no matches are recorded any more"]
    for name in _going_on(arena):
        paused = ran("ladder", "pause", name, "--data", arena.data)
        if paused.code != 0:
            return [f"arena ladder pause: {paused.err.strip()}"]
    if not comes_true(lambda: not _queued(arena), look):
        return [f"{_queued(arena)} jobs are stuck"]
    return []


def comes_true(condition: Callable[[], object], look: Callable[[], None]) -> bool:
    """Waits for a condition; returns False if it was in vain."""
    give_up_at = time.monotonic() + PATIENCE_S
    while not condition():
        if time.monotonic() > give_up_at:
            return False
        look()
        time.sleep(LOOK_EVERY_S)
    return True


def number_of(arena: WholeArena, rows: type[Base], *which: sa.ColumnElement[bool]) -> int:
    """Returns the number of rows in the arena's store of which all that is true."""
    with opened_to_read(arena.data) as store, store.reading() as session:
        return session.scalar(sa.select(sa.func.count()).select_from(rows).where(*which)) or 0


def _queued(arena: WholeArena) -> int:
    return number_of(arena, Job, Job.state == JobState.QUEUED)


def _going_on(arena: WholeArena) -> list[str]:
    running = sa.select(Ladder.name).where(Ladder.state == CompetitionState.RUNNING)
    with opened_to_read(arena.data) as store, store.reading() as session:
        return list(session.scalars(running))
