"""`python -m bench.idle` prints what freezing idle processes costs honest bots, and how long a
machine's trial takes."""

from __future__ import annotations

import asyncio
from statistics import median
from time import perf_counter
from unittest.mock import patch

from arena.bots import Bot, Host, find_bot
from arena.bots.limits import Cgroup
from arena.match import Timekeeper
from arena.queue import Clock, Entrant, Job, Lease
from arena.worker import Pool, play_job
from sevens_games import load

BOTS = {"a" * 64: "sample_bots/random_bot", "b" * 64: "sample_bots/xeri_fisher"}
MATCHES, ROUNDS, TIMES = 25, 4, 200


async def no_freeze(self: Cgroup) -> bool:
    return True


def no_thaw(self: Cgroup) -> None:
    """Does nothing."""


async def match_ms(host: Host, timekeeper: Timekeeper, deals: str) -> float:
    """Returns the milliseconds of a match between processes that are warm."""

    async def start(version: str) -> Bot:
        return await host.start(find_bot(BOTS[version]))

    pool = Pool(start)
    job = Job(
        job_id="a",
        competition="main",
        game="xeri",
        rules_version=load("xeri").rules_version,
        options={"deals": deals},
        clock=Clock(),
        entrants=tuple(Entrant(bot=name, version=version) for version, name in BOTS.items()),
        seatings=((0, 1),),
        result_token="",
    )
    lease = Lease(job, b"", "w", 1, 1)
    await play_job(lease, pool, timekeeper, host.try_out)
    began = perf_counter()
    for _ in range(MATCHES):
        await play_job(lease, pool, timekeeper, host.try_out)
    spent = perf_counter() - began
    await pool.close()
    return spent / MATCHES * 1000


async def freeze_ms(host: Host) -> tuple[float, float]:
    """Returns the milliseconds of freezing and of thawing a process."""
    bot = await host.start(find_bot("sample_bots/random_bot"))
    await bot.ready()
    freezing, thawing = [], []
    for _ in range(TIMES):
        began = perf_counter()
        assert await bot.freeze()
        frozen = perf_counter()
        await bot.thaw()
        freezing.append(frozen - began)
        thawing.append(perf_counter() - frozen)
    await bot.stop("That was all.")
    return median(freezing) * 1000, median(thawing) * 1000


async def trial_ms(host: Host) -> float:
    """Returns the milliseconds of a trial."""
    spent = []
    for _ in range(10):
        began = perf_counter()
        await host.try_out()
        spent.append(perf_counter() - began)
    return median(spent) * 1000


async def main() -> None:
    timekeeper = Timekeeper()
    keeping = asyncio.create_task(timekeeper.run())
    async with Host() as host:
        print("freeze, thaw: {:.2f}, {:.2f} ms".format(*await freeze_ms(host)))
        print(f"trial: {await trial_ms(host):.0f} ms")
        for deals in ("1", "4"):
            frozen, running = [], []
            for _ in range(ROUNDS):
                frozen.append(await match_ms(host, timekeeper, deals))
                with (
                    patch.object(Cgroup, "freeze", no_freeze),
                    patch.object(Cgroup, "thaw", no_thaw),
                ):
                    running.append(await match_ms(host, timekeeper, deals))
            print(f"a match of {deals} deals: {min(frozen):.1f} ms, without: {min(running):.1f} ms")
    keeping.cancel()


if __name__ == "__main__":
    asyncio.run(main())
