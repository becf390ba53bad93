"""The processes of one entrant of a series: as many as its matches need."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from arena.bots import Bot, BotLost

REPLACED = "The bot was at fault; a fresh process replaces it."


@dataclass(eq=False)
class Member:
    """A process. `matches`: the number in play. `at_fault`: it takes no further match."""

    bot: Bot
    matches: int = 0
    at_fault: bool = False

    @property
    def has_room(self) -> bool:
        """True if it takes one more match. The limit is the number that its bot accepts; before
        the hello, 1."""
        return not self.at_fault and self.matches < self.bot.matches_at_once


class Crew:
    """The processes of one bot, each with as many concurrent matches as the bot accepts. They
    live on between matches; a process at fault is replaced. `start`: starts a process."""

    def __init__(self, start: Callable[[], Awaitable[Bot]]) -> None:
        self._start = start
        self._members: list[Member] = []
        self._started: list[Bot] = []

    async def takes(self) -> int:
        """Starts the first process; returns the number of concurrent matches of one process.
        Raises ArenaFailure."""
        member = await self._another()
        await member.bot.ready()
        return member.bot.matches_at_once

    @property
    def losses(self) -> Sequence[BotLost]:
        """The losses of all processes, except the processes that the arena ended."""
        return [loss for bot in self._started for loss in bot.losses]

    @asynccontextmanager
    async def lend(self) -> AsyncIterator[Member]:
        """Lends a process with room for a match; starts one if necessary. Raises ArenaFailure."""
        member = next((one for one in self._members if one.has_room), None)
        member = member or await self._another()
        member.matches += 1
        try:
            yield member
        finally:
            member.matches -= 1
            if member.at_fault and not member.matches:
                await self._replace(member)

    async def _another(self) -> Member:
        bot = await self._start()
        self._started.append(bot)
        self._members.append(Member(bot))
        return self._members[-1]

    async def _replace(self, member: Member) -> None:
        """Ends a process so that a fresh one replaces it, unless its start failed: a fresh one
        would fail too."""
        if await member.bot.ready() is not None:
            member.at_fault = False
            return
        self._members.remove(member)
        await member.bot.stop(REPLACED)
