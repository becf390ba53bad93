"""Many who watch one ladder while matches are settled: their cost, and the delay of their news.

A watcher does what the page's script does: it follows the events, and fetches the changed parts
again, at most every five seconds.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from statistics import median, quantiles
from time import monotonic

from rich.table import Table

from arena.queue import Outcome
from arena.store.queries import rated_jobs
from bench.filled_store import SINGLE
from bench.league import League, played
from bench.pages.served import Pages
from bench.side_by_side import verdict

WATCHERS = (0, 1, 200)
AN_ADDRESS = 50  # watchers; the pages allow 64 streams from each
SETTLED, EVERY_S = 30, 0.5
REST_S = 5.0  # see arena/web/static/live.js
PATIENCE_S = 300.0  # for all the news
DATA = b"data: "
PARTS = ("standings", "recent")
ONE_CORE = 1.0


@dataclass
class Watched:
    """The observations of watchers. `settled_at`: when a rated job was settled, by its number.
    `news`: when each watcher learned of how many rated jobs."""

    settled_at: dict[int, float] = field(default_factory=dict)
    news: list[list[tuple[float, int]]] = field(default_factory=list)
    fetched: int = 0

    def delays_s(self) -> list[float]:
        """Returns the times from each settlement to the news of it, for every watcher. News may be
        quicker than this process."""
        return [
            max(0.0, next(at for at, rated in learned if rated >= number) - settled)
            for learned in self.news
            for number, settled in self.settled_at.items()
        ]


def watcher_table(pages: Pages, league: League) -> Table:
    """Returns what a number of watchers cost the pages' process."""
    table = Table(title=f"Watchers of a ladder, {1 / EVERY_S:g} matches a second")
    for column in ("watchers", "cores", f"≤ {ONE_CORE:g}", "news after ms", "p95", "fetches", "MB"):
        table.add_column(column, justify="right")
    for number in WATCHERS:
        outcomes = played([league.pair(SINGLE, keep) for keep in range(1, SETTLED + 1)])
        cpu, began = _cpu_s(pages), monotonic()
        watched = asyncio.run(_watch(pages, league, outcomes, number))
        cores = (_cpu_s(pages) - cpu) / (monotonic() - began)
        delays = watched.delays_s()
        table.add_row(
            str(number),
            f"{cores:.2f}",
            verdict(cores <= ONE_CORE),
            f"{1000 * median(delays):.0f}" if delays else "",
            f"{1000 * quantiles(delays, n=20)[18]:.0f}" if delays else "",
            str(watched.fetched),
            f"{pages.process.memory_info().rss / 1e6:.0f}",
        )
    return table


def _cpu_s(pages: Pages) -> float:
    times = pages.process.cpu_times()
    return float(times.user + times.system)


async def _watch(pages: Pages, league: League, outcomes: list[Outcome], number: int) -> Watched:
    watched = Watched(news=[[] for _ in range(number)])
    last = _rated(league) + len(outcomes)
    async with asyncio.TaskGroup() as watchers:
        for place in range(number):
            watchers.create_task(_follow(pages, place, last, watched))
        for outcome in outcomes:
            await asyncio.sleep(EVERY_S)
            await asyncio.to_thread(league.settle, [outcome])
            watched.settled_at[_rated(league)] = monotonic()
    return watched


def _rated(league: League) -> int:
    """Returns the number of rated jobs."""
    with league.store.reading() as session:
        return rated_jobs(session, SINGLE)


async def _follow(pages: Pages, place: int, last: int, watched: Watched) -> None:
    """Watches as a page does, until it has the news of the last job. Raises TimeoutError."""
    own_address = f"127.0.0.{2 + place // AN_ADDRESS}"
    fetched_at = 0.0
    async with asyncio.timeout(PATIENCE_S), _connected(pages, own_address) as events:
        _ask(events[1], f"/ladders/{SINGLE}/events")
        while line := await events[0].readline():
            if not line.startswith(DATA):
                continue
            rated = json.loads(line.removeprefix(DATA))["rated"]
            watched.news[place].append((monotonic(), rated))
            if rated >= last:
                return
            if monotonic() - fetched_at >= REST_S:
                fetched_at = monotonic()
                async with _connected(pages, own_address) as asking:
                    for part in PARTS:
                        _ask(asking[1], f"/ladders/{SINGLE}?part={part}")
                        await _read(asking[0])
                        watched.fetched += 1
    raise ConnectionError("The pages ended a stream of events.")


@asynccontextmanager
async def _connected(
    pages: Pages, own_address: str
) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    reader, writer = await asyncio.open_connection(
        "127.0.0.1", pages.port, local_addr=(own_address, 0)
    )
    try:
        yield reader, writer
    finally:
        writer.close()


def _ask(writer: asyncio.StreamWriter, address: str) -> None:
    writer.write(f"GET {address} HTTP/1.1\r\nHost: arena\r\nAccept-Encoding: gzip\r\n\r\n".encode())


async def _read(reader: asyncio.StreamReader) -> None:
    """Reads an answer to its end. Raises ValueError if it is not the page."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
    if not head.startswith("http/1.1 200 "):
        raise ValueError(head)
    await reader.readexactly(int(head.split("content-length: ")[1].split("\r\n")[0]))
