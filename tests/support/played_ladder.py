"""A data folder with a ladder on which matches were played without a queue."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

from arena.bots.host import Bot
from arena.bots.in_process import InProcessBot, choose_at_random
from arena.cli.app import run
from arena.league.ladder.jobs import LadderJobs
from arena.league.recorder import Recorded, Recorder
from arena.match.timekeeper import Timekeeper
from arena.queue.job import Job, Outcome
from arena.queue.redis_queue import Lease
from arena.store.open import open_store
from arena.store.queries import ladder_named
from arena.worker.play_job import play_job
from arena.worker.process_pool import Pool

NAME = "main"


def play_ladder(samples: Path, data: Path, matches: int) -> None:
    """Creates the ladder and plays this number of matches on it, with bots that choose at
    random."""
    bots = (str(samples / "random_bot"), str(samples / "first_bot"))
    assert run(["ladder", "create", NAME, "xeri", *bots, "--data", str(data)]) == 0
    store = open_store(data, "write")
    with store.writing() as session:
        jobs = LadderJobs(session, ladder_named(session, NAME), Random(7)).make(session, matches)
    for outcome in asyncio.run(_outcomes(jobs)):
        assert Recorder(store).record(outcome) == Recorded()
    store.close()


async def healthy() -> None:
    """Vouches for this machine."""


async def _outcomes(jobs: list[Job]) -> list[Outcome]:
    timekeeper = Timekeeper()
    keeping = asyncio.create_task(timekeeper.run())
    pool = Pool(_start)
    outcomes = [
        await play_job(Lease(job, b"", "w", 1, 1), pool, timekeeper, healthy) for job in jobs
    ]
    await pool.close()
    keeping.cancel()
    return outcomes


async def _start(version: str) -> Bot:
    return InProcessBot(choose_at_random)
