"""A bot that dials in from elsewhere: one connection after another, and its lines."""

from __future__ import annotations

import asyncio
from time import monotonic

from arena.bots.interface import BotLost, Listener, PendingDecision
from arena.bots.local.channel import refusal_of_game
from arena.bots.stream.connection import Connection, ProtocolError
from arena.protocol.faults import FaultKind
from sevens.bot.v1.bot_service_pb2 import BotFrame, Hello
from sevens.bot.v1.match_pb2 import MatchEnd, MatchStart

RECONNECT_GRACE_S = 10.0
# What a hello may ask for at most.
MATCHES_AT_ONCE = 64
# Answers may be under way when a match ends; more than these come from a program that floods us.
UNASKED = 1000


class RemoteBot:
    """A remote bot, as long as the server runs. It has one connection at a time, or none.

    `grace`: how many seconds it may be away before its lines hear of it.
    """

    def __init__(self, grace: float) -> None:
        self.connection: Connection | None = None
        self.gone: BotLost | None = None  # why it has been away for longer than the grace
        self._unasked = 0  # what this connection said and nobody had asked for
        self._grace = grace
        self._lines: dict[str, RemoteChannel] = {}
        self._giving_up: asyncio.TimerHandle | None = None
        self._changed = asyncio.Event()

    def room_for(self, game: str) -> int:
        """How many matches of a game it takes at once; none while it is away."""
        if self.connection is None or refusal_of_game(self.connection.hello, game) is not None:
            return 0
        return _matches_at_once(self.connection.hello)

    async def has_room(self) -> None:
        """Waits until it is connected, and has room for one more match."""
        while self.connection is None or len(self._lines) >= _matches_at_once(
            self.connection.hello
        ):
            self._changed.clear()
            await self._changed.wait()

    def sit(self, match_id: str, listener: Listener) -> RemoteChannel:
        if before := self._lines.get(match_id):
            before.close()  # an earlier attempt, whose worker has gone
        line = self._lines[match_id] = RemoteChannel(match_id, listener, self)
        return line

    def leave(self, line: RemoteChannel) -> None:
        """A line is closed."""
        if self._lines.get(line.match_id) is line:
            del self._lines[line.match_id]
            self._changed.set()

    # What its connections tell. Of one that another has replaced nothing is heard any more.

    def connected(self, connection: Connection) -> None:
        self.connection = connection
        self._unasked = 0
        self.gone = None
        if self._giving_up is not None:
            self._giving_up.cancel()
        self._changed.set()
        for line in tuple(self._lines.values()):
            line.listener.restored()

    def heard(self, connection: Connection, frame: BotFrame, at: float) -> None:
        """Raises ProtocolError when it has said too much that nobody had asked for."""
        if connection is not self.connection:
            return
        lines = self._lines
        for accept in frame.accepts:
            if line := lines.get(accept.match_id):
                line.listener.accepted(accept.nonce)
        for answer in frame.answers:
            if line := lines.get(answer.match_id):
                line.listener.answered(answer, at)
            else:
                self._unasked += 1
        if not (frame.accepts or frame.answers):
            self._unasked += 1
        if self._unasked > UNASKED:
            raise ProtocolError(
                f"The bot said more than {UNASKED:,} things that nobody had asked it for."
            )

    def broke_the_protocol(self, connection: Connection, loss: BotLost) -> None:
        if connection is self.connection:
            self._lose(loss)

    def disconnected(self, connection: Connection) -> None:
        if connection is not self.connection:
            return
        self.connection = None
        if self.gone is None:
            gone = BotLost(
                FaultKind.DISCONNECTED,
                f"The bot's stream broke, and it did not dial in again within {self._grace:g}"
                " seconds.",
            )
            loop = asyncio.get_running_loop()
            self._giving_up = loop.call_later(self._grace, self._lose, gone)

    def _lose(self, loss: BotLost) -> None:
        self.gone = loss
        for line in tuple(self._lines.values()):
            line.lose(loss)


class RemoteChannel:
    """A line for one match. While the bot is away nothing is kept: the listener hears `restored`
    when it is back. The clock runs on."""

    __slots__ = ("_bot", "_closed", "listener", "match_id")

    def __init__(self, match_id: str, listener: Listener, bot: RemoteBot) -> None:
        self.match_id = match_id
        self.listener = listener
        self._bot = bot
        self._closed = False

    def send_start(self, start: MatchStart) -> None:
        connection = self._bot.connection
        if self._closed or self._is_gone() or connection is None:
            return
        if loss := refusal_of_game(connection.hello, start.game):
            asyncio.get_running_loop().call_soon(self.lose, loss)
        else:
            connection.start(start)

    def ask(self, question: PendingDecision) -> None:
        if self._closed or self._is_gone():
            return
        if self._bot.connection is not None:
            self._bot.connection.ask(question)
        elif question.sent_at is None:
            question.sent_at = monotonic()

    def send_end(self, end: MatchEnd) -> None:
        if not self._closed and self._bot.connection is not None:
            self._bot.connection.end(end)
        self.close()

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            self._bot.leave(self)

    def stderr(self) -> str:
        return ""  # stays with the bot's owner

    def lose(self, loss: BotLost) -> None:
        """The bot is gone."""
        if not self._closed:
            self.listener.lost(loss)

    def _is_gone(self) -> bool:
        """Whether the bot has been away for too long; the listener will hear of it again."""
        if self._bot.gone is None:
            return False
        asyncio.get_running_loop().call_soon(self.lose, self._bot.gone)
        return True


def _matches_at_once(hello: Hello) -> int:
    return min(max(1, hello.matches_at_once), MATCHES_AT_ONCE)
