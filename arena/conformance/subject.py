"""The bot under check, and the observations of the checks so far."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from arena.bots import Bot, Host
from arena.bots.source import Runnable
from arena.conformance.exchange import Exchange
from arena.match import Timekeeper
from sevens_games.engine import GameOf

MATCHES_AT_ONCE = 16


@dataclass(frozen=True)
class Patience:
    """The patience with a bot, in seconds.

    `hello`: to say hello.
    `answer`: to answer in a conversation.
    `leave`: to end after a goodbye.
    `come_back`: to dial in again when its stream was cut.
    """

    hello: float = 20.0
    answer: float = 30.0
    leave: float = 5.0
    come_back: float = 8.0


@dataclass
class Subject:
    """A bot under check.

    `games`: the games to check it in; its hello may reduce them.
    `exchanges`: the decisions of the matches that it played one at a time.
    `most_written`: the most bytes that it wrote to its output in one match.
    """

    program: Runnable
    games: list[GameOf]
    host: Host
    timekeeper: Timekeeper
    patience: Patience = Patience()
    exchanges: list[Exchange] = field(default_factory=list)
    most_written: int = 0
    _leaving: set[asyncio.Task[None]] = field(default_factory=set)

    @property
    def matches_at_once(self) -> int:
        """The number of matches that the bot is offered."""
        return self.program.limits.matches_at_once or MATCHES_AT_ONCE

    async def fresh_process(self) -> Bot:
        """Starts a process of the bot, as a match or a worker would."""
        return await self.host.start(self.program, self.matches_at_once)

    def leave(self, bot: Bot) -> None:
        """Ends a process without waiting for it: one that ignores a goodbye takes seconds."""
        self._leaving.add(asyncio.create_task(bot.stop("The match is over.")))

    async def all_left(self) -> None:
        """Waits until all these processes have ended."""
        await asyncio.gather(*self._leaving)
