"""The league: what a job costs it, with more and more matches in the store.

The ladder has 1,000 entrants. The ratio is that of the CPU time in the fullest store to that in the
empty one. Every job that is measured is paired, really played and settled; the
matches that fill the store are copies. The yardstick, a replay of one match by the rules in the
same run, tells how much the machine's other work slows everything down.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import TypeVar

from rich.table import Table

from arena.bots import InProcessBot, choose_at_random
from arena.league import Recorder
from arena.league.ladder import LadderJobs
from arena.match import Timekeeper
from arena.queue import Delivered, Job, Lease, Outcome
from arena.records import read_compressed, verify_sealed
from arena.store.data_folder import DataFolder
from arena.store.queries import competitions, ladder_named
from arena.worker import Pool, play_job
from bench.filled_store import DUPLICATE, SINGLE, fill, new_store
from bench.side_by_side import ROUNDS, Figure, Round, verdict

ENTRANTS = 1_000
MATCHES = (0, 10_000, 100_000)
NUMBERS = range(1, 9)
"""Counts the jobs of a round."""
AT_ONCE = 16

PAIRING, ONE, GROUP, BATCH = "pairing", "a match", "a group of two", f"{AT_ONCE} at once"
AT_MOST_MS = {PAIRING: 3.0, ONE: 5.0, GROUP: 5.0, BATCH: 5.0}
REPLAY = "replay of a match"

T = TypeVar("T")


def tables(sizes: Sequence[int] = MATCHES) -> list[Table]:
    """Returns the time for a job, and for a start, with so many matches in the store."""
    with ExitStack() as folders:
        leagues = {
            size: League(Path(folders.enter_context(TemporaryDirectory())), size) for size in sizes
        }
        for league in leagues.values():
            folders.callback(league.store.close)
        figures = _measured(leagues)
        return [_job_table(figures), _start_table(leagues)]


class League:
    """A league in a data folder with so many matches on the ladder of single ones."""

    def __init__(
        self, folder: Path, matches: int, entrants: int = ENTRANTS, *, varied: bool = False
    ) -> None:
        self.folder = folder
        self.store = new_store(folder, entrants)
        self.recorder = Recorder(self.store)
        self._sources = {name: self.source(name) for name in (SINGLE, DUPLICATE)}
        self.settle(played([self.pair(SINGLE, 1)]))
        if matches:
            fill(folder, matches, varied=varied)
            self._sources[SINGLE] = self.source(SINGLE)

    def source(self, name: str) -> LadderJobs:
        """Returns what creates the jobs of a ladder, as if the league had just started."""
        with self.store.reading() as session:
            return LadderJobs(session, ladder_named(session, name), Random(7))

    def pair(self, name: str, keep: int) -> Job:
        """Pairs the job that a ladder lacks of `keep`, as the scheduler does."""
        with self.store.writing(durable=False) as session:
            competitions(session)
            [job] = self._sources[name].make(session, keep)
            return job

    def settle(self, outcomes: Sequence[Outcome]) -> None:
        """Settles jobs together, as the recorder does."""
        batch = [Delivered(b"", outcome.job_id, 1, outcome, "") for outcome in outcomes]
        if self.recorder.settle(batch) != batch:
            raise RuntimeError("An outcome was refused.")

    def rounds(self) -> dict[str, Round]:
        """Returns a round of everything that is measured, by its name."""
        jobs: list[Job] = []
        pairing = _timed(lambda keep: jobs.append(self.pair(SINGLE, keep)), NUMBERS)
        one = played(jobs)
        group = played([self.pair(DUPLICATE, keep) for keep in NUMBERS])
        settled = [_timed(lambda outcome: self.settle([outcome]), each) for each in (one, group)]
        batch = played([self.pair(SINGLE, keep) for keep in range(1, AT_ONCE + 1)])
        return {
            PAIRING: pairing,
            ONE: settled[0],
            GROUP: settled[1],
            BATCH: _timed(self.settle, [batch], AT_ONCE),
            REPLAY: _timed(_replay, one),
        }


def _measured(leagues: Mapping[int, League]) -> dict[int, dict[str, Figure]]:
    for league in leagues.values():
        league.rounds()  # warm-up
    rounds = [{size: league.rounds() for size, league in leagues.items()} for _ in range(ROUNDS)]
    return {
        size: {
            name: Figure(name, [each[size][name] for each in rounds]) for name in rounds[0][size]
        }
        for size in leagues
    }


def _timed(work: Callable[[T], object], items: Sequence[T], jobs_an_item: int = 1) -> Round:
    cpu, wall = process_time(), perf_counter()
    for item in items:
        work(item)
    cpu, wall = process_time() - cpu, perf_counter() - wall
    return Round(len(items) * jobs_an_item, wall, cpu, 0.0)


def _replay(outcome: Outcome) -> None:
    for match in outcome.matches:
        verify_sealed(read_compressed(match.record))


def _job_table(figures: Mapping[int, Mapping[str, Figure]]) -> Table:
    table = Table(title="CPU (wall) ms for a job, by matches in the store")
    table.add_column("")
    for size in figures:
        column = f"{size:,}"
        table.add_column(column, justify="right", min_width=len(column))
    for column in ("ratio", "at most"):
        table.add_column(column, justify="right")
    first, *_, last = figures.values()
    for name in (PAIRING, ONE, GROUP, BATCH, REPLAY):
        shown = [
            f"{_cpu_ms(one[name]):.2f} ({1000 / one[name].median:.2f})" for one in figures.values()
        ]
        ratio = f"{last[name].own_cpu / first[name].own_cpu:.2f}"
        table.add_row(name, *shown, ratio, _judged(name, last[name]))
    return table


def _judged(name: str, figure: Figure) -> str:
    if name not in AT_MOST_MS:
        return ""
    most = AT_MOST_MS[name]
    return f"{most:g} {verdict(_cpu_ms(figure) <= most)}"


def _cpu_ms(figure: Figure) -> float:
    """CPU milliseconds per job; a figure has them per thousand."""
    return figure.own_cpu / 1000


def _start_table(leagues: Mapping[int, League]) -> Table:
    table = Table("matches", "CPU ms", "MB", title="start of a ladder, and size of the store")
    for size, league in leagues.items():
        started = _timed(league.source, [SINGLE])
        database = DataFolder(league.folder).database
        table.add_row(
            f"{size:,}", f"{1000 * started.own_cpu:.0f}", f"{database.stat().st_size / 1e6:,.0f}"
        )
    return table


def played(jobs: Sequence[Job]) -> list[Outcome]:
    """Plays jobs with bots that choose at random."""
    return asyncio.run(_outcomes(jobs))


async def _outcomes(jobs: Sequence[Job]) -> list[Outcome]:
    timekeeper, pool = Timekeeper(), Pool(_start)
    keeping = asyncio.create_task(timekeeper.run())
    outcomes = [
        await play_job(Lease(job, b"", "bench-1", 1, 1), pool, timekeeper, _vouch) for job in jobs
    ]
    await pool.close()
    keeping.cancel()
    return outcomes


async def _start(version: str) -> InProcessBot:
    return InProcessBot(choose_at_random)


async def _vouch() -> None:
    """In-process bots always start."""
