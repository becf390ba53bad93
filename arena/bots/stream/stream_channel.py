"""The channel of a seat to a bot that has gRPC streams, and the routing of frames to channels."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Protocol

from arena.bots.interface import BotLost, Listener
from arena.bots.stream.connection import Connection
from arena.protocol import FaultKind
from sevens.bot.v1.bot_service_pb2 import BotFrame, Hello
from sevens.bot.v1.match_pb2 import MatchStart

GAMES_QUOTED = 20


class ChannelOwner(Protocol):
    """The bot that channels lead to."""

    def leave(self, channel: StreamChannel) -> None:
        """The channel is closed."""


class StreamChannel:
    """The channel for one match, for all streams that the bot has during that match. Subclasses
    decide what happens to a message while there is no stream."""

    __slots__ = ("_closed", "_owner", "listener", "match_id")

    def __init__(self, match_id: str, listener: Listener, owner: ChannelOwner) -> None:
        self.match_id = match_id
        self.listener = listener
        self._owner = owner
        self._closed = False

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            self._owner.leave(self)

    def lose(self, loss: BotLost) -> None:
        """Reports that the bot is lost."""
        if not self._closed:
            self.listener.lost(loss)

    def _lose_soon(self, loss: BotLost) -> None:
        """Reports the same, but not while the listener is calling us."""
        asyncio.get_running_loop().call_soon(self.lose, loss)

    def _start_on(self, connection: Connection, start: MatchStart) -> None:
        if loss := refusal_of_game(connection.hello, start.game):
            self._lose_soon(loss)
        else:
            connection.start(start)


def deliver(frame: BotFrame, at: float, channels: Mapping[str, StreamChannel]) -> int:
    """Passes a frame's messages on to the channels, which are given by match id. `at`: when the
    frame arrived, in seconds of `arena.clock`. Returns the number of answers for other
    matches."""
    for accept in frame.accepts:
        if channel := channels.get(accept.match_id):
            channel.listener.accepted(accept.nonce)
    strays = 0
    for answer in frame.answers:
        if channel := channels.get(answer.match_id):
            channel.listener.answered(answer, at)
        else:
            strays += 1
    return strays


def refusal_of_game(hello: Hello, game: str) -> BotLost | None:
    """Returns why the bot is lost to a match of that game; None if its hello allows the game."""
    if not hello.games or game in hello.games:
        return None
    words = f"Its hello names {', '.join(hello.games[:GAMES_QUOTED])}."
    return BotLost(FaultKind.START_FAILED, f"The bot does not play {game}.", words)
