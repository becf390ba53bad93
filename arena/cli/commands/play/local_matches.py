"""Hosts the matches of `arena play`: starts the bots, and plays until the last match is over."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from itertools import count
from math import inf
from pathlib import Path

from rich.progress import Progress

from arena.bots import Bot, Host
from arena.bots.source import Source
from arena.cli.commands.play.awaited import awaited_bot
from arena.cli.commands.play.report import PlayReport
from arena.cli.output import stderr
from arena.match import START_GRACE_S, Crew, Entrant, Seating, Series, play_series
from sevens_games.engine import GameOf, OptionValue

MOST_AT_ONCE = 64
DAY_MS = 86_400_000


@dataclass(frozen=True)
class Player:
    """A bot that takes a seat.

    `source`: the bot.
    `name`: its name in the results; other versions of the same bot are `bot#2` and so on.
    """

    source: Source
    name: str


@dataclass(frozen=True, kw_only=True)
class Plan:
    """The matches to play.

    `seated`: the player at each seat of the first seating.
    `seatings[m][seat]`: the index in `seated` of the player at that seat in match m.
    `deals`: the number of deal sets, each of which is played in all seatings.
    `at_once`: the number of concurrent processes of each bot.
    `awaited`: None, or the file to write for the first bot, which the user starts.
    """

    game: GameOf
    options: Mapping[str, OptionValue]
    seated: Sequence[Player]
    seatings: Sequence[Seating]
    deals: int
    seed: str
    bank_ms: int
    increment_ms: int
    at_once: int
    awaited: Path | None

    @property
    def matches(self) -> int:
        """The number of matches."""
        return self.deals * len(self.seatings)


async def play_all(plan: Plan, host: Host, report: PlayReport) -> None:
    """Plays the matches and adds them to the report. Raises ArenaFailure."""
    async with AsyncExitStack() as stack:
        bots = await stack.enter_async_context(host)
        crews = [_crew(player, bots, report.folder) for player in plan.seated]
        if plan.awaited is not None:
            bot = await awaited_bot(plan.seated[0].name, plan.awaited, stack)
            crews[0] = _crew_of(bot)
        takes = await asyncio.gather(*(crew.takes() for crew in crews))
        series = _series(plan, crews, min(MOST_AT_ONCE, plan.at_once * min(takes)))
        with Progress(console=stderr, transient=True) as progress:
            shown = progress.add_task(plan.game.title, total=plan.matches)
            async for played in play_series(series):
                report.add(played)
                progress.advance(shown)
    for player, crew in zip(plan.seated, crews, strict=True):
        report.add_losses(player.name, crew.losses)


def _series(plan: Plan, crews: Sequence[Crew], at_once: int) -> Series:
    is_awaited = plan.awaited is not None
    return Series(
        game=plan.game,
        options=plan.options,
        entrants=[
            Entrant(crew, player.name, player.source.version)
            for crew, player in zip(crews, plan.seated, strict=True)
        ],
        seatings=plan.seatings,
        count=plan.deals,
        seed=plan.seed,
        # No clock runs out while a debugger stops the bot.
        bank_ms=DAY_MS if is_awaited else plan.bank_ms,
        increment_ms=plan.increment_ms,
        at_once=1 if is_awaited else at_once,
        start_grace=inf if is_awaited else START_GRACE_S,
    )


def _crew(player: Player, bots: Host, folder: Path) -> Crew:
    """Two seats of one version have crews of their own: they are two players."""
    numbers = count(1)

    async def start() -> Bot:
        output = folder / f"{player.name}-{next(numbers)}.output.txt"
        return await bots.start(player.source, shared_output=output)

    return Crew(start)


def _crew_of(bot: Bot) -> Crew:
    async def start() -> Bot:
        return bot

    return Crew(start)
