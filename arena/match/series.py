"""A series of matches hosted in this process, without server and queue, as `arena play` does."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass

from arena.match.crew import Crew
from arena.match.deal_set import SeededSet
from arena.match.play import Played, play_match
from arena.match.seatings import Seating
from arena.match.terms import START_GRACE_S, Entry, Terms
from arena.match.timekeeper import Timekeeper
from sevens_games.engine import GameOf, OptionValue


@dataclass(frozen=True)
class Entrant:
    """A bot, as its processes, with its name and the digest of its version."""

    crew: Crew
    name: str
    version: str


@dataclass(frozen=True, kw_only=True)
class Series:
    """`count` deal sets, each played in all `seatings`; set i (from 1) is dealt from `{seed}/{i}`.

    `seatings[m][seat]`: the index in `entrants` of the bot that sits there.
    `at_once`: the number of concurrent matches, each of another deal set.
    `start_grace`: the time, in seconds, that a seat may take to accept.
    """

    game: GameOf
    options: Mapping[str, OptionValue]
    entrants: Sequence[Entrant]
    seatings: Sequence[Seating]
    count: int
    seed: str
    bank_ms: int
    increment_ms: int
    at_once: int = 1
    start_grace: float = START_GRACE_S

    @property
    def matches(self) -> int:
        """The total number of matches."""
        return self.count * len(self.seatings)


async def play_series(series: Series) -> AsyncIterator[Played]:
    """Plays the series and yields the matches as they end. Several deal sets are in play at
    once, but only one match of each. Raises ArenaFailure."""
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
        except Exception as failure:  # raised where the series is read
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
        start_grace=series.start_grace,
    )
    async with AsyncExitStack() as lent:
        members = [await lent.enter_async_context(series.entrants[e].crew.lend()) for e in seating]
        entries = [
            Entry(member.bot, series.entrants[e].name, series.entrants[e].version, e)
            for e, member in zip(seating, members, strict=True)
        ]
        deals = SeededSet(f"{series.seed}/{number}")
        played = await play_match(terms, entries, deals, timekeeper)
        for fault in played.faults:
            members[fault.seat].at_fault = True
        return played
