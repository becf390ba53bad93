"""One seat's way to a bot that is a process on this machine."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Protocol

from arena.bots.interface import BotLost, Listener, PendingDecision
from arena.bots.local.output import Output
from arena.bots.stream.connection import Connection
from arena.protocol.faults import FaultKind
from sevens.bot.v1.bot_service_pb2 import Hello
from sevens.bot.v1.match_pb2 import MatchEnd, MatchStart


class Owner(Protocol):
    """The bot that a line leads to."""

    output: Output

    def given_up(self) -> BotLost | None:
        """Returns why there is no process and none will come, or None. Raises ArenaFailure if that
        is the arena's fault."""

    def leave(self, match_id: str) -> None:
        """The line for a match is closed."""


class LocalChannel:
    """A line for one match.

    It is new until there is a connection: what is said is kept for it. It is open while there is
    one. Without one it is away: nothing is kept, and the listener hears `restored` in time.
    """

    __slots__ = (
        "_closed",
        "_connection",
        "_kept",
        "_owner",
        "_stderr",
        "_written",
        "listener",
        "match_id",
    )

    def __init__(self, match_id: str, listener: Listener, owner: Owner) -> None:
        self.match_id = match_id
        self.listener = listener
        self._owner = owner
        self._connection: Connection | None = None
        self._kept: list[Callable[[], None]] | None = []  # None once there was a connection
        self._written = owner.output.written
        self._stderr = ""
        self._closed = False

    def send_start(self, start: MatchStart) -> None:
        connection = self._connection
        if connection is None:
            self._keep(partial(self.send_start, start))
        elif loss := refusal_of_game(connection.hello, start.game):
            asyncio.get_running_loop().call_soon(self.lose, loss)
        else:
            connection.start(start)

    def ask(self, question: PendingDecision) -> None:
        if self._connection is not None:
            self._connection.ask(question)
        else:
            self._keep(partial(self.ask, question))

    def send_end(self, end: MatchEnd) -> None:
        if self._connection is not None:
            self._connection.end(end)
        self.close()

    def close(self) -> None:
        if not self._closed:
            self._stderr = self.stderr()
            self._closed = True
            self._connection = None
            self._owner.leave(self.match_id)

    def stderr(self) -> str:
        return self._stderr if self._closed else self._owner.output.since(self._written)

    # What the bot tells its lines.

    def introduce(self, connection: Connection) -> None:
        """The bot said hello, on its first stream or on another."""
        self._connection = connection
        if self._kept is None:
            self.listener.restored()
        else:
            kept, self._kept = self._kept, None
            for say in kept:
                say()

    def lose(self, loss: BotLost) -> None:
        """The bot is gone."""
        if not self._closed:
            self._connection = None
            self._kept = None
            self.listener.lost(loss)

    def fail(self) -> None:
        """The arena cannot give the bot a process. To a listener that says something in answer to
        this, the line raises the ArenaFailure."""
        self._kept = None
        self.listener.restored()

    def _keep(self, say: Callable[[], None]) -> None:
        if self._closed:
            return
        if loss := self._owner.given_up():
            asyncio.get_running_loop().call_soon(self.lose, loss)
        elif self._kept is not None:
            self._kept.append(say)


def refusal_of_game(hello: Hello, game: str) -> BotLost | None:
    if not hello.games or game in hello.games:
        return None
    games = ", ".join(hello.games)
    sentence = f"The bot does not play {game}; when it said hello, it named {games}."
    return BotLost(FaultKind.START_FAILED, sentence)
