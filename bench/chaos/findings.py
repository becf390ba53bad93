"""The proof, after a run, that nothing was lost, or a list of what was."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import sqlalchemy as sa

from arena.bots import sweep
from arena.league.aggregates import recount
from arena.store.data_folder import DataFolder
from arena.store.open import open_store
from arena.store.schema import Job, JobState, Ladder, Match, MatchSeat
from arena.store.session import Store
from tests.support.command_line import ran
from tests.support.whole_arena.arena import GIVEN_UP, WholeArena

Finding = str
REASONS = (GIVEN_UP, "The ladder is over.")
"""The reasons for which a job may have been given up."""


def findings(arena: WholeArena) -> Iterator[Finding]:
    """Yields what is wrong with an arena that was stopped."""
    yield from _left_behind(arena)
    yield from _tracebacks(arena)
    store = open_store(arena.data, "write")
    try:
        yield from _jobs(store)
        yield from _faults(store)
        for name in _ladders(store):
            if changed := recount(store, name).changed:
                yield f"the counts of {name} are wrong for {', '.join(changed)}"
    finally:
        store.close()
    yield from _restored(arena)


def _ladders(store: Store) -> list[str]:
    with store.reading() as session:
        return list(session.scalars(sa.select(Ladder.name)))


def _jobs(store: Store) -> Iterator[Finding]:
    """Every job is played, and every match counts once."""
    with store.reading() as session:
        jobs = session.scalars(sa.select(Job)).all()
        matches = Counter(session.scalars(sa.select(Match.job)))
        unrated = session.scalar(sa.select(sa.func.count()).select_from(Match).where(~Match.rated))
    if unrated:
        yield f"{unrated} matches are not rated"
    for job in jobs:
        if job.state is JobState.QUEUED:
            yield f"job {job.id} was never settled"
        if job.state is JobState.PARKED and job.reason not in REASONS:
            yield f"job {job.id} was given up: {job.reason}"
        if matches[job.id] != (job.state is JobState.RECORDED):
            yield f"job {job.id}, which is {job.state}, has {matches[job.id]} matches"
    for name in _ladders(store):
        numbers = sorted(job.sequence for job in jobs if job.competition == name and job.sequence)
        if numbers != list(range(1, len(numbers) + 1)):
            yield f"the ratings of {name} do not count every job once"


def _faults(store: Store) -> Iterator[Finding]:
    """Harming the arena is no bot's fault."""
    with store.reading() as session:
        faulted = session.scalars(sa.select(MatchSeat).where(MatchSeat.fault_kind.is_not(None)))
        for seat in faulted:
            yield f"{seat.bot} has a fault in match {seat.match}: {seat.fault_sentence}"


def _restored(arena: WholeArena) -> Iterator[Finding]:
    """A restore proves that every record verifies, and that a rebuild finds the same ratings."""
    backup = arena.folder / "backup"
    for command in (
        ("backup", backup, "--data", arena.data),
        ("restore", backup, "--data", arena.folder / "restored"),
    ):
        done = ran(*command)
        if done.code != 0:
            yield f"arena {command[0]}: {done.err.strip()}"


def _tracebacks(arena: WholeArena) -> Iterator[Finding]:
    for log in _logs(arena):
        for trace in re.findall(r"Traceback .*?\n(?=\S)[^\n]*", log.read_text(), re.DOTALL):
            yield f"{log.name} has a traceback: {trace.splitlines()[-1]}"


def _left_behind(arena: WholeArena) -> Iterator[Finding]:
    for process in arena.running():
        yield f"process {process.pid} is still running: {' '.join(process.cmdline())[:200]}"
    sweep(arena.sockets)  # what killed processes leave is removed by the next one that starts
    for entry in arena.sockets.iterdir():
        yield f"{entry} was left behind"


def _logs(arena: WholeArena) -> list[Path]:
    return [part.log for part in arena.parts] + list(DataFolder(arena.data).logs.glob("*.log"))
