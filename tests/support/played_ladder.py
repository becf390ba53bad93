"""A data folder with a ladder on which matches were played without a queue."""

from __future__ import annotations

import asyncio
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

from arena.bots.host import Bot
from arena.bots.in_process import InProcessBot, choose_at_random
from arena.cli.app import run
from arena.league.ladder.ladder_jobs import LadderJobs
from arena.league.recorder import Recorded, Recorder
from arena.match.timekeeper import Timekeeper
from arena.queue.job import Job, Outcome
from arena.queue.redis_queue import Lease
from arena.store.open import open_store
from arena.store.queries import ladder_named
from arena.worker.play_job import play_job
from arena.worker.process_pool import Pool
from sevens_games import load

NAME = "main"


def play_ladder(
    samples: Path, data: Path, matches: int, *, name: str = NAME, game: str = "xeri", deals: int = 0
) -> None:
    """Creates the ladder and plays this number of matches on it, with bots that choose at
    random. `deals`: in a match, if it is not 0 and the game has such an option."""
    bots = bots_for(samples, game)[: load(game).ladder_players]
    bounded = [one for one in ("deals", "max_deals") if deals and one in load(game).options]
    options = [word for one in bounded for word in ("--set", f"{one}={deals}")]
    draws = ("--draw-probability", "0.05")  # an estimate for every game takes seven seconds
    assert run(["ladder", "create", name, game, *bots, *options, *draws, "--data", str(data)]) == 0
    store = open_store(data, "write")
    with store.writing() as session:
        jobs = LadderJobs(session, ladder_named(session, name), Random(7)).make(session, matches)
    # In a thread of its own: in this one, the event loop of a browser may be running.
    with ThreadPoolExecutor(1) as thread:
        outcomes = thread.submit(lambda: asyncio.run(_outcomes(jobs))).result()
    for outcome in outcomes:
        assert Recorder(store).record(outcome) == Recorded()
    store.close()


def bots_for(samples: Path, game: str) -> list[str]:
    """Returns the folders of sample bots that can play the game, those that play any game first."""
    games = {
        manifest.parent: tomllib.loads(manifest.read_text())["games"]
        for manifest in samples.glob("*/bot.toml")
    }
    general = [samples / f"{each}_bot" for each in ("random", "first", "last")]
    return [str(bot) for bot in (*general, *(bot for bot in games if game in games[bot]))]


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
