"""A bot that dials in from elsewhere: its connections, one after another, and its channels."""

from __future__ import annotations

import asyncio

from arena.bots.interface import BotLost, Listener, PendingDecision
from arena.bots.stream import (
    LEFT,
    Allowance,
    Connection,
    ProtocolError,
    StreamChannel,
    deliver,
    refusal_of_game,
)
from arena.clock import monotonic
from arena.protocol import FaultKind
from sevens.bot.v1.bot_service_pb2 import BotFrame, Hello
from sevens.bot.v1.match_pb2 import MatchEnd, MatchStart

RECONNECT_GRACE_S = 10.0
# A hello may ask for this many at most.
MATCHES_AT_ONCE = 64
# Answers may be under way when a match ends; a program that sends more than these floods us.
UNASKED = 1000


class RemoteBot:
    """A remote bot, for as long as the server runs. It has at most one connection at a time.

    `grace`: how many seconds it may be away before its channels report it lost.
    `allowance`: what it may send on all its connections.
    `connection`: the current one, if any.
    `is_leaving`: it wants no further match; if it dials in again it has to say so again.
    `gone`: the loss, if it has been away for longer than the grace.
    """

    def __init__(self, grace: float) -> None:
        self.connection: Connection | None = None
        self.gone: BotLost | None = None
        self.is_leaving = False
        self.allowance = Allowance()
        self._unasked = 0  # unsolicited messages on this connection
        self._grace = grace
        self._channels: dict[str, RemoteChannel] = {}
        self._giving_up: asyncio.TimerHandle | None = None
        self._changed = asyncio.Event()

    def room_for(self, game: str) -> int:
        """Returns how many matches of a game it takes at once; 0 while it is away or leaving."""
        if self.connection is None or self.is_leaving:
            return 0
        if refusal_of_game(self.connection.hello, game) is not None:
            return 0
        return _matches_at_once(self.connection.hello)

    async def has_room(self) -> bool:
        """Waits until it is connected, and has room for one more match. Returns False if it leaves
        or has left."""
        while not self.is_leaving and (
            self.connection is None
            or len(self._channels) >= _matches_at_once(self.connection.hello)
        ):
            self._changed.clear()
            await self._changed.wait()
        return not self.is_leaving

    def sit(self, match_id: str, listener: Listener) -> RemoteChannel:
        if before := self._channels.get(match_id):
            before.close()  # of an earlier attempt, whose worker is dead
        channel = self._channels[match_id] = RemoteChannel(match_id, listener, self)
        return channel

    def leave(self, channel: StreamChannel) -> None:
        if self._channels.get(channel.match_id) is channel:
            del self._channels[channel.match_id]
            self._changed.set()
            self._let_go()

    # Called by its connections. Calls of one that has been replaced are ignored.

    def connected(self, connection: Connection) -> None:
        self.connection = connection
        self.is_leaving = False
        self._unasked = 0
        self.gone = None
        if self._giving_up is not None:
            self._giving_up.cancel()
        self._changed.set()
        for channel in tuple(self._channels.values()):
            channel.listener.restored()

    def heard(self, connection: Connection, frame: BotFrame, at: float) -> None:
        """Raises ProtocolError after too many unsolicited messages."""
        if connection is not self.connection:
            return
        self._unasked += deliver(frame, at, self._channels)
        if frame.HasField("leave") and not self.is_leaving:
            self.is_leaving = True
            self._changed.set()
            self._let_go()
        if not (frame.accepts or frame.answers):
            self._unasked += 1
        if self._unasked > UNASKED:
            raise ProtocolError(f"The bot sent more than {UNASKED:,} unsolicited messages.")

    def broke_the_protocol(self, connection: Connection, loss: BotLost) -> None:
        if connection is self.connection:
            self._lose(loss)

    def disconnected(self, connection: Connection) -> None:
        if connection is not self.connection:
            return
        self.connection = None
        if self.gone is None:
            absent = BotLost(
                FaultKind.DISCONNECTED,
                f"The bot's stream broke, and it did not dial in again within {self._grace:g}"
                " seconds.",
            )
            loop = asyncio.get_running_loop()
            self._giving_up = loop.call_later(self._grace, self._lose, absent)

    def _let_go(self) -> None:
        """Says goodbye to a bot that is leaving, once it has no match."""
        if self.is_leaving and not self._channels and self.connection is not None:
            self.connection.say_goodbye(LEFT)

    def _lose(self, loss: BotLost) -> None:
        self.gone = loss
        for channel in tuple(self._channels.values()):
            channel.lose(loss)


class RemoteChannel(StreamChannel):
    """A channel for one match. While the bot is away nothing is kept, and the clock runs on; the
    listener's `restored` is called when the bot is back."""

    __slots__ = ("_bot",)

    starved_s = 0.0  # it does not run here

    def __init__(self, match_id: str, listener: Listener, bot: RemoteBot) -> None:
        super().__init__(match_id, listener, bot)
        self._bot = bot

    def send_start(self, start: MatchStart) -> None:
        connection = self._bot.connection
        if self._closed or self._is_gone() or connection is None:
            return
        self._start_on(connection, start)

    def ask(self, pending: PendingDecision) -> None:
        if self._closed or self._is_gone():
            return
        if self._bot.connection is not None:
            self._bot.connection.ask(pending)
        elif pending.sent_at is None:
            pending.sent_at = monotonic()

    def send_end(self, end: MatchEnd) -> None:
        if not self._closed and self._bot.connection is not None:
            self._bot.connection.end(end)
        self.close()

    def stderr(self) -> str:
        return ""  # stays with the bot's owner

    @property
    def handled_s(self) -> float:
        return self._bot.allowance.handled_s

    def _is_gone(self) -> bool:
        """Returns whether the bot has been away for too long; if so, reports that again."""
        if self._bot.gone is None:
            return False
        self._lose_soon(self._bot.gone)
        return True


def _matches_at_once(hello: Hello) -> int:
    return min(max(1, hello.matches_at_once), MATCHES_AT_ONCE)
