"""The whole arena: rated matches a minute with one worker and with two, and who uses the CPU."""

from __future__ import annotations

import io
import tempfile
import threading
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from time import process_time

import psutil
from rich.table import Table
from sqlalchemy import func, select

from arena.cli.app import run
from arena.client.data_folder import reading
from arena.records import record
from arena.records.setup import recorded_deals, started
from arena.records.timeline import Owed, moments
from arena.store.matches import record_text
from arena.store.tables import Match
from sevens.record.v1.match_record_pb2 import MatchRecord

BOTS = Path(__file__).parent.parent / "sample_bots"
LADDERS = {
    "insidious-sevens": ("random_bot", "first_bot", "last_bot", "sevens_bidder"),
    "xeri": ("random_bot", "first_bot", "last_bot", "xeri_fisher"),
}
MATCHES = 300
SAMPLE_EVERY_S = 0.25
PARTS = ("bots", "host", "engine", "league+store", "queue")


def tables() -> list[Table]:
    """A row for each game and number of workers."""
    table = Table("game", "workers", "matches/min", *PARTS, title="ladder, and shares of its CPU")
    for game, bots in LADDERS.items():
        for workers in (1, 2):
            rate, cpu = _measure(game, bots, workers)
            shares = [f"{cpu[part] / sum(cpu.values()):.0%}" for part in PARTS]
            table.add_row(game, str(workers), f"{rate:.0f}", *shares)
    return [table]


def _measure(game: str, bots: tuple[str, ...], workers: int) -> tuple[float, dict[str, float]]:
    """Matches a minute, and CPU seconds by part."""
    with tempfile.TemporaryDirectory() as folder:
        data = ("--data", folder)
        paths = [str(BOTS / bot) for bot in bots]
        _arena("ladder", "create", "bench", game, *paths, *data)
        options = ("--matches", str(MATCHES), "--workers", str(workers))
        with _sampling() as cpu:
            _arena("ladder", "run", "bench", *options, *data)
        # The workers' processes are host and engine in one.
        cpu["engine"] = _engine_cpu(Path(folder))
        cpu["host"] = cpu.pop("workers") - cpu["engine"]
        return _rate(Path(folder)), cpu


def _arena(*words: str) -> None:
    """Runs a command, in this process; what it says is heard only if it fails."""
    said = io.StringIO()
    with redirect_stdout(said), redirect_stderr(said):
        code = run(list(words))
    if code:
        raise RuntimeError(said.getvalue())


def _rate(data: Path) -> float:
    """Matches a minute from the end of the first match to the end of the last: no start-up."""
    with reading(data, "data") as session:
        first, last = session.execute(
            select(func.min(Match.finished_at), func.max(Match.finished_at))
        ).one()
        return float((MATCHES - 1) / (last - first).total_seconds() * 60)


def _engine_cpu(data: Path) -> float:
    """CPU seconds that the rules take for the matches played, found by playing them again."""
    with reading(data, "data") as session:
        ids = session.scalars(select(Match.id)).all()
        records = [record.read(record_text(session, match)) for match in ids]
    before = process_time()
    for each in records:
        _play_again(each)
    return process_time() - before


def _play_again(played: MatchRecord) -> None:
    """Asks of the rules all that the host did, for every decision that it sent."""
    match = started(played, recorded_deals(played))
    heard = [0] * match.players
    for moment in moments(played, match):
        if isinstance(moment, Owed):
            heard[moment.seat] += len(match.events(moment.seat, heard[moment.seat]))
            match.observe(moment.seat)


@contextmanager
def _sampling() -> Iterator[dict[str, float]]:
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
    parts: dict[str, float] = defaultdict(float)
    try:
        yield parts
    finally:
        over.set()
        thread.join()
        for part, seconds in used.values():
            parts[part] += seconds
        parts["league+store"] = sum(own.cpu_times()[:2]) - before


def _part(process: psutil.Process) -> str:
    if process.name().startswith("valkey"):
        return "queue"
    return "workers" if "arena.cli" in process.cmdline() else "bots"
