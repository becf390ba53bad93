"""Measures what two bots in sandboxes of one machine can still tell each other, by ways that no
filter closes: `python -m bench covert`. docs/decisions/0018 explains them.

Two processes share a random text at agreed moments, as colluding bots would. The rate is the
capacity of a channel with the share of errors that was seen.
"""

from __future__ import annotations

import asyncio
import json
import math
import os
import re
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from shutil import copy

from rich.table import Table

from arena.bots import ArenaFailure, BotLost, Host, find_bot, private_folder
from arena.bots.local import Access, Ending, Output
from arena.bots.source import Program

COLLUDER = Path(__file__).parent / "colluders" / "colluder.py"
START_S = 1.5
# By way: a description, the seconds of a slot, and how many bits.
WAYS = {
    "thread": ("the end of a thread, waited for in a file that both see", 0.002, 1000),
    "pages": ("whether another process has mapped a page of such a file", 0.002, 1000),
    "sysinfo": ("how many threads the machine runs", 0.01, 400),
    "eventfd": ("the lowest number that no descriptor for events has", 0.001, 1000),
    "inodes": ("how many inodes a processor has given out", 0.004, 500),
    "memory": ("how much memory all files in memory have", 0.002, 1000),
    "processor": ("how busy a processor is", 0.02, 400),
    "disk": ("whether a page of such a file is in memory; each serves once", 0.0005, 400),
}


class Silent:
    """Ignores what happens to a colluder."""

    def report(self, event: Ending | BotLost | ArenaFailure) -> None:
        pass

    def uses(self, memory_share: float, waited_s: float) -> None:
        pass


def tables() -> Iterator[Table]:
    table = Table("way", "bits a slot", "right", "bits a second", title="Between two bots")
    for way, (what, slot_s, bits) in WAYS.items():
        right = asyncio.run(share_text(way, slot_s, bits))
        rate = capacity(right) / slot_s
        table.add_row(what, f"1 in {slot_s * 1000:g} ms", f"{right:.1%}", f"{rate:,.0f}")
    yield table


def capacity(right: float) -> float:
    """Returns the bits that one use of a symmetric channel carries."""
    if right in (0, 1):
        return 1.0
    return 1 + right * math.log2(right) + (1 - right) * math.log2(1 - right)


async def share_text(way: str, slot_s: float, bits: int) -> float:
    """Returns the share of the bits that arrived."""
    file = shared_file()
    evict(file)
    start = time.time() + START_S
    with tempfile.TemporaryDirectory() as place:
        async with Host() as host:
            words = (str(start), str(slot_s), str(bits), str(file))
            _, printed = await asyncio.gather(
                *(run(host, Path(place), way, role, words) for role in ("send", "receive"))
            )
    if not (found := re.search(r"right (\d+)", printed)):
        raise RuntimeError(f"The receiver printed nothing of use: {printed}")
    return int(found[1]) / bits


async def run(host: Host, place: Path, way: str, role: str, words: tuple[str, ...]) -> str:
    """Runs a colluder in the sandbox, and returns what it prints."""
    folder = place / role
    folder.mkdir()
    copy(COLLUDER, folder)
    argv = json.dumps(["python", COLLUDER.name, way, role, *words])
    (folder / "bot.toml").write_text(f'name = "{role}"\nrun = {argv}\n')
    program = find_bot(str(folder))
    assert isinstance(program, Program)
    output = Output()
    runner = await host.runner_for(program, Access(private_folder(), "token", None))
    instance = await runner.start(output, Silent())
    await instance.ended()
    await instance.kill()
    return output.since(0)


def shared_file() -> Path:
    """Returns a large file that bots see and hardly any process uses."""
    files = (path for path in Path("/usr/lib").rglob("*.a") if path.is_file())
    return max(files, key=lambda path: path.stat().st_size)


def evict(file: Path) -> None:
    """Removes a file from memory."""
    with file.open("rb") as opened:
        os.posix_fadvise(opened.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
