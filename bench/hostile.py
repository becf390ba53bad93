"""The cost of a hostile bot to others: the matches that two honest bots play in a minute, while at
the next table another bot plays the same game honestly, and while it floods the arena.

Both tables share one event loop, as those of a worker do. A bot at fault is replaced by a fresh
process at once, which is more than a ladder would do: it suspends such a bot.
"""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from rich.table import Table

from arena.bots import Bot, Host, Isolation, find_bot
from arena.bots.sandbox import missing_for_sandbox
from arena.bots.source import Source
from arena.match import Entry, SeededSet, Terms, Timekeeper, play_match
from sevens_games import load

GAME = "xeri"
HONEST = Path(__file__).parent.parent / "sample_bots" / "first_bot"
HOSTILE = Path(__file__).parent / "hostile_bot"
ATTACKS = (
    ("empty-frames", "frame after frame without content"),
    ("empty-entries", "frames of half a million empty entries"),
    ("giant-notes", "notes of 1 MiB"),
    ("stray-answers", "answers for matches that it does not play"),
    ("streams", "stream after stream, each refused"),
    ("unknown-methods", "calls of methods that do not exist"),
    ("resets", "streams that it resets at once"),
    ("pings", "HTTP/2 pings"),
    ("connections", "connection after connection, from before its hello"),
    ("slow-connections", "connections as fast as the arena ends them, from before its hello"),
    ("output", "its output, byte by byte"),
    ("spin", "eight processes that compute for ever"),
    ("forks", "process after process that ends at once"),
    ("memory", "ever more memory, until it is killed"),
    ("disk", "files, in every folder that it can write to, until they are full"),
)
ROUND_S = 8.0
MANIFEST = (
    'name = "hostile"\ngames = []\nrun = ["python", "bot.py", "{attack}"]\nlanguage = "python"\n'
)


@dataclass
class Round:
    """`matches`: those that the honest pair played. `faults`: of the bot at the other table, by
    kind."""

    matches: int = 0
    faults: Counter[str] = field(default_factory=Counter)

    @property
    def a_minute(self) -> float:
        return self.matches * 60 / ROUND_S


def tables() -> list[Table]:
    """Returns the matches a minute of the honest pair, during each attack."""
    table = Table(
        "the bot at the other table …",
        "before",
        "during",
        "share",
        "at fault",
        title="matches a minute of two honest bots",
    )
    with asyncio.Runner() as runner:
        for attack, what in ATTACKS:
            before, during = runner.run(_beside(attack))
            share = during.a_minute / before.a_minute
            faults = ", ".join(f"{kind} {count}" for kind, count in during.faults.items())
            table.add_row(
                what, f"{before.a_minute:.0f}", f"{during.a_minute:.0f}", f"{share:.0%}", faults
            )
    return [table]


async def _beside(attack: str) -> tuple[Round, Round]:
    isolation = Isolation.NONE if missing_for_sandbox() else Isolation.BUBBLEWRAP
    timekeeper = Timekeeper()
    keeping = asyncio.create_task(timekeeper.run())
    try:
        async with Host(isolation) as host:
            with _hostile("nothing") as harmless, _hostile(attack) as hostile:
                before = await _round(host, harmless, timekeeper)
                during = await _round(host, hostile, timekeeper)
        return before, during
    finally:
        keeping.cancel()


@contextmanager
def _hostile(attack: str) -> Iterator[Source]:
    with tempfile.TemporaryDirectory() as folder:
        for module in HOSTILE.glob("*.py"):
            shutil.copy(module, folder)
        Path(folder, "bot.toml").write_text(MANIFEST.format(attack=attack))
        yield find_bot(folder)


async def _round(host: Host, visitor: Source, timekeeper: Timekeeper) -> Round:
    """Plays at both tables for ROUND_S, after a first match that does not count."""
    honest = find_bot(str(HONEST))
    done, warm = Round(), asyncio.Event()

    async def table(*sources: Source, visited: bool) -> None:
        bots = [await _ready(host, source) for source in sources]
        number = 0
        while True:
            number += 1
            faulty = await _match(bots, f"{visited}-{number}", timekeeper, done.faults)
            for seat in faulty:
                await bots[seat].stop("It was at fault.")
                bots[seat] = await _ready(host, sources[seat])
            if not visited:
                done.matches += warm.is_set()

    playing = [
        asyncio.create_task(table(honest, honest, visited=False)),
        asyncio.create_task(table(visitor, honest, visited=True)),
    ]
    try:
        await asyncio.sleep(ROUND_S / 2)
        warm.set()
        done.faults.clear()
        await asyncio.wait(playing, timeout=ROUND_S, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in playing:
            task.cancel()
        results = await asyncio.gather(*playing, return_exceptions=True)
    for result in results:
        if isinstance(result, Exception):
            raise result
    return done


async def _ready(host: Host, source: Source) -> Bot:
    bot = await host.start(source)
    await bot.ready()
    return bot


async def _match(
    bots: list[Bot], match_id: str, timekeeper: Timekeeper, faults: Counter[str]
) -> list[int]:
    """Plays a match, and returns the seats at fault."""
    terms = Terms(match_id=match_id, game=load(GAME), options={})
    entries = [Entry(bot, f"bot {seat}", "", seat) for seat, bot in enumerate(bots)]
    played = await play_match(terms, entries, SeededSet(match_id), timekeeper)
    faults.update(fault.kind.value for fault in played.faults)
    return [fault.seat for fault in played.faults]
