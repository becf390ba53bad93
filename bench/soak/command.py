"""`python -m bench soak`: an arena with bots, remote bots and watchers, and its memory over time.

Prints the memory of each process at the start, in the middle and at the end, the most that it had,
and the slope of its second half; the first has the caches to fill. Medians leave out what is used
for a moment only: a fit of 600 bots' ratings takes some 13 MiB more for two seconds.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import tempfile
import threading
import time
from argparse import ArgumentParser, Namespace
from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import closing
from itertools import combinations
from pathlib import Path
from statistics import median

import psutil
from rich.console import Console
from rich.table import Table

from bench.process_memory import mebibytes, memory_of
from bench.renamed_bots import renamed_bots
from bench.soak import crowd
from tests.support.command_line import ran
from tests.support.needs import bubblewrap_works
from tests.support.patience import PATIENCE_S
from tests.support.whole_arena.arena import LADDER, Part, WholeArena
from tests.support.whole_arena.strangers import address, grpc_address, token_of

AN_OWNER = 10  # remote bots
AN_ADDRESS = 50  # watchers; the pages allow 64 streams from each
SAMPLES = 120
HOUR_S = 3600
KINDS = ("random_bot", "first_bot", "last_bot", "xeri_fisher")


def main(given: Sequence[str]) -> None:
    """Runs what the arguments describe, and prints the table."""
    parser = ArgumentParser(prog="python -m bench soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0, help="(default: 60)")
    parser.add_argument("--bots", type=int, default=500, help="of this machine (default: 500)")
    parser.add_argument("--remote", type=int, default=100, help="remote bots (default: 100)")
    parser.add_argument("--watchers", type=int, default=200, help="of the ladder (default: 200)")
    parser.add_argument("--workers", type=int, default=2, help="(default: 2)")
    asked = parser.parse_args(given)
    sandbox = "bubblewrap" if bubblewrap_works() else "none"
    with (
        tempfile.TemporaryDirectory(prefix="soak-", dir="/tmp") as folder,
        WholeArena(Path(folder), sandbox) as arena,
    ):
        Console().print(soaked(arena, asked))


def soaked(arena: WholeArena, asked: Namespace) -> Table:
    """Plays for the time, and returns the table."""
    _create_ladder(arena, asked.bots)
    more = ("--bots", "1000000", "--versions-a-day", "1000000")
    server = arena.server(*more, workers=asked.workers)
    origin = address(server)
    remote = _remote_bots(arena, server, asked.remote)
    with closing(_Watchers(int(origin.rpartition(":")[2]), asked.watchers)) as watchers:
        began, before = time.monotonic(), arena.recorded()
        samples = _samples(asked.minutes * 60, lambda: _memory(arena, server))
        seconds, matches = time.monotonic() - began, arena.recorded() - before
    server.process.terminate()
    server.process.wait(PATIENCE_S)
    remote.kill()
    remote.wait()
    table = Table(
        title=f"{asked.bots} bots, {asked.remote} remote bots, {asked.watchers} watchers,"
        f" {asked.workers} workers: {matches} matches in {seconds / 60:.0f} minutes,"
        f" {watchers.events} events received"
    )
    for column in ("process", "start MiB", "middle", "end", "most", "MiB an hour"):
        table.add_column(column, justify="left" if column == "process" else "right")
    for name, points in samples.items():
        table.add_row(name, *_row(points))
    return table


def _create_ladder(arena: WholeArena, bots: int) -> None:
    names = [f"bot-{number}" for number in range(bots)]
    places = renamed_bots(arena.folder / "bots", KINDS, names)
    done = ran("ladder", "create", LADDER, "xeri", *places, "--data", arena.data)
    assert done.code == 0, done.err


def _remote_bots(arena: WholeArena, server: Part, number: int) -> subprocess.Popen[str]:
    """Registers remote bots of several owners; returns the process in which they all play."""
    tokens, owner = [], ""
    for one in range(number):
        if one % AN_OWNER == 0:
            owner = token_of(arena, f"owner-{one // AN_OWNER}")
        name = f"remote:far-{one}"
        submit = ("submit", name, "--ladder", LADDER, "--json")
        done = ran(*submit, server=address(server), token=owner)
        assert done.code == 0, done.err
        tokens.append(done.json["environment"]["ARENA_TOKEN"])
    log = arena.folder / "crowd.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, crowd.__file__, grpc_address(server)],
            stdin=subprocess.PIPE,
            stderr=output,
            text=True,
            cwd=arena.folder,  # so that it ends with the arena
        )
    assert process.stdin is not None  # it is a pipe
    process.stdin.write("\n".join(tokens))
    process.stdin.close()
    return process


class _Watchers:
    """Visitors who follow the ladder's events. `events`: how many they have received."""

    def __init__(self, port: int, number: int) -> None:
        self.events = 0
        self._port, self._number = port, number
        self._loop = asyncio.new_event_loop()
        self._watching = self._loop.create_task(self._watch())
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def close(self) -> None:
        """Ends the visits. Raises RuntimeError if one had ended before."""
        if self._watching.done():
            raise RuntimeError(f"The watchers were turned away: {self._watching.exception()!r}.")
        self._loop.call_soon_threadsafe(self._watching.cancel)
        self._thread.join()

    def _run(self) -> None:
        self._loop.run_until_complete(asyncio.wait([self._watching]))
        self._loop.close()

    async def _watch(self) -> None:
        async with asyncio.TaskGroup() as group:
            for place in range(self._number):
                group.create_task(self._follow(f"127.0.0.{2 + place // AN_ADDRESS}"))
            await asyncio.Event().wait()

    async def _follow(self, own: str) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port, local_addr=(own, 0))
        try:
            request = f"GET /ladders/{LADDER}/events HTTP/1.1\r\nHost: arena\r\n\r\n"
            writer.write(request.encode())
            while line := await reader.readline():
                self.events += line.startswith(b"data: ")
            raise ConnectionError("a stream ended")
        finally:
            writer.close()


Points = dict[str, list[tuple[float, float]]]
"""The memory of each process: seconds since the start, and MiB."""


def _samples(seconds: float, look: Callable[[], dict[str, float]]) -> Points:
    points: Points = defaultdict(list)
    began = time.monotonic()
    for number in range(SAMPLES + 1):
        time.sleep(max(0.0, began + seconds * number / SAMPLES - time.monotonic()))
        at = time.monotonic() - began
        for name, size in look().items():
            points[name].append((at, size))
    return points


def _memory(arena: WholeArena, server: Part) -> dict[str, float]:
    """Returns the memory of each process of the arena; that of the bots not."""
    of_serve = memory_of(psutil.Process(server.process.pid))
    return of_serve | {"Valkey": mebibytes(arena.valkey())}


def _row(points: Sequence[tuple[float, float]]) -> list[str]:
    """Returns the columns of a process. The slope is the median of those between any two points."""
    tenth, half = max(1, len(points) // 10), len(points) // 2
    parts = (points[:tenth], points[half : half + tenth], points[-tenth:])
    medians = [median(size for _, size in part) for part in parts]
    most = max(size for _, size in points)
    pairs = combinations(points[half:], 2)
    slope = median((size - before) / (at - earlier) for (earlier, before), (at, size) in pairs)
    return [*(f"{one:.0f}" for one in (*medians, most)), f"{slope * HOUR_S:+.1f}"]
