"""The whole arena: rated matches a minute with one worker and with two, and who uses the CPU."""

from __future__ import annotations

import io
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path

import psutil
from rich.table import Table

from arena.cli.app import run

BOTS = Path(__file__).parent.parent / "sample_bots"
LADDERS = {
    "insidious-sevens": ("random_bot", "first_bot", "last_bot", "sevens_bidder"),
    "xeri": ("random_bot", "first_bot", "last_bot", "xeri_fisher"),
}
MATCHES = 100
SAMPLE_EVERY_S = 0.25


def figures() -> Table:
    """A row for each game and number of workers."""
    table = Table("game", "workers", "matches/min", "CPU: bots", "worker", "league+store", "queue")
    table.title = "ladder"
    for game, bots in LADDERS.items():
        for workers in (1, 2):
            rate, cpu = _measure(game, bots, workers)
            shares = [f"{share:.0%}" for share in _shares(cpu)]
            table.add_row(game, str(workers), f"{rate:.0f}", *shares)
    return table


def _measure(game: str, bots: tuple[str, ...], workers: int) -> tuple[float, Counter[str]]:
    """Matches a minute, and CPU seconds by part."""
    with tempfile.TemporaryDirectory() as folder, _quiet():
        data = ("--data", folder)
        paths = [str(BOTS / bot) for bot in bots]
        assert run(["ladder", "create", "bench", game, *paths, *data]) == 0
        options = ["--matches", str(MATCHES), "--workers", str(workers), *data]
        with _sampling() as cpu:
            start = time.perf_counter()
            assert run(["ladder", "run", "bench", *options]) == 0
            passed = time.perf_counter() - start
    return MATCHES / passed * 60, cpu


@contextmanager
def _quiet() -> Iterator[None]:
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        yield


@contextmanager
def _sampling() -> Iterator[Counter[str]]:
    """CPU seconds by part, of this process and all below it, while the context lasts."""
    used: dict[int, tuple[str, float]] = {}
    own = psutil.Process()
    before = sum(own.cpu_times()[:2])
    over = threading.Event()

    def sample() -> None:
        while not over.wait(SAMPLE_EVERY_S):
            for process in own.children(recursive=True):
                try:
                    used[process.pid] = (_part(process), sum(process.cpu_times()[:2]))
                except psutil.NoSuchProcess:
                    continue  # it ended between the two looks

    thread = threading.Thread(target=sample)
    thread.start()
    parts: Counter[str] = Counter()
    try:
        yield parts
    finally:
        over.set()
        thread.join()
        for part, seconds in used.values():
            parts[part] += seconds
        parts["league"] = sum(own.cpu_times()[:2]) - before


def _part(process: psutil.Process) -> str:
    words = process.cmdline()
    if any("valkey" in word for word in words):
        return "queue"
    return "worker" if "arena.cli" in words else "bots"


def _shares(cpu: Counter[str]) -> list[float]:
    total = sum(cpu.values())
    return [cpu[part] / total for part in ("bots", "worker", "league", "queue")]
