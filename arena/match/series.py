"""A series of matches hosted in this process, without server and queue, as `arena play` does."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass

from arena.bots import Bot
from arena.games.engine import GameOf, OptionValue
from arena.match.deal_set import SeededSet
from arena.match.play import Played, play_match
from arena.match.seatings import Seating
from arena.match.terms import Entry, Terms
from arena.match.timekeeper import Timekeeper

DEAL_SETS_AT_ONCE = 16


@dataclass(frozen=True)
class Entrant:
    """A running bot with its name and the digest of its version."""

    bot: Bot
    name: str
    version: str


@dataclass(frozen=True, kw_only=True)
class Series:
    """`count` deal sets, each played in all `seatings`; set i (from 1) is dealt from `{seed}/{i}`.

    `seatings[m][seat]`: the index in `entrants` of the bot that sits there.
    `at_once`: how many deal sets are in play at the same time.
    """

    game: GameOf
    options: Mapping[str, OptionValue]
    entrants: Sequence[Entrant]
    seatings: Sequence[Seating]
    count: int
    seed: str
    bank_ms: int
    increment_ms: int
    at_once: int = DEAL_SETS_AT_ONCE

    @property
    def matches(self) -> int:
        """The total number of matches."""
        return self.count * len(self.seatings)


async def play_series(series: Series) -> AsyncIterator[Played]:
    """Plays the series and yields the matches as they end: several deal sets at once, but only one
    match of each at a time."""
    ended: asyncio.Queue[Played | Exception] = asyncio.Queue()
    room = asyncio.Semaphore(series.at_once)
    timekeeper = Timekeeper()
    tasks = [asyncio.create_task(timekeeper.run())]
    tasks += [
        asyncio.create_task(_play_set(series, i, timekeeper, room, ended))
        for i in range(1, series.count + 1)
    ]
    try:
        for _ in range(series.matches):
            played = await ended.get()
            if isinstance(played, Exception):
                raise played
            yield played
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _play_set(
    series: Series,
    number: int,
    timekeeper: Timekeeper,
    room: asyncio.Semaphore,
    ended: asyncio.Queue[Played | Exception],
) -> None:
    async with room:
        try:
            for match_number, seating in enumerate(series.seatings, start=1):
                ended.put_nowait(
                    await _play_seating(series, number, match_number, seating, timekeeper)
                )
        except Exception as failure:  # whoever reads the series raises it
            ended.put_nowait(failure)


async def _play_seating(
    series: Series, number: int, match_number: int, seating: Seating, timekeeper: Timekeeper
) -> Played:
    terms = Terms(
        match_id=f"{series.game.slug}-{number}-{match_number}",
        game=series.game,
        options=series.options,
        bank_ms=series.bank_ms,
        increment_ms=series.increment_ms,
        match_number=match_number,
    )
    entries = [
        Entry(series.entrants[e].bot, series.entrants[e].name, series.entrants[e].version, e)
        for e in seating
    ]
    return await play_match(terms, entries, SeededSet(f"{series.seed}/{number}"), timekeeper)
