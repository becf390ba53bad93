"""Matches leave nothing behind in the process that played them."""

from __future__ import annotations

import asyncio
import gc
from collections import Counter

from arena.bots.in_process import BUILTINS, InProcessBot
from arena.match import Entry, SeededSet, Terms, Timekeeper, play_match
from sevens_games import load

WARM_UP, MATCHES = 3, 20
OURS = ("arena.", "_asyncio.", "asyncio.", "builtins.coroutine", "_contextvars.")


async def test_matches_that_are_over_leave_no_objects() -> None:
    timekeeper = Timekeeper()
    keeping = asyncio.create_task(timekeeper.run())
    await _play(WARM_UP, timekeeper)
    before = _objects()
    await _play(MATCHES, timekeeper)
    left = _objects() - before
    keeping.cancel()
    assert {kind: count for kind, count in left.items() if count >= MATCHES} == {}


async def _play(matches: int, timekeeper: Timekeeper) -> None:
    """Plays the same match again and again, so that no cache has anything to add."""
    game, bot = load("xeri"), InProcessBot(BUILTINS["random"])
    options = {name: option.default for name, option in game.options.items()}
    for number in range(matches):
        terms = Terms(match_id=f"m-{number}", game=game, options=options)
        entries = [Entry(bot, f"bot-{seat}", "0" * 64, seat) for seat in range(2)]
        played = await play_match(terms, entries, SeededSet("memory"), timekeeper)
        assert not played.faults
        played.sealed.compressed()


def _objects() -> Counter[str]:
    """Counts the objects of each type of the arena and of its event loop."""
    gc.collect()
    kinds = (f"{type(one).__module__}.{type(one).__qualname__}" for one in gc.get_objects())
    return Counter(kind for kind in kinds if kind.startswith(OURS))
