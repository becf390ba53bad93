"""Where remote bots dial in: one gateway for all of them, one stream for each."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeAlias

import grpc
import grpc.aio

from arena.bots.interface import BotLost
from arena.bots.remote.bot import RECONNECT_GRACE_S, RemoteBot
from arena.bots.stream.connection import FAREWELL_S, Connection
from arena.bots.stream.gateway import check_protocol, read_hello, welcome
from sevens.bot.v1.bot_service_pb2 import (
    REFUSAL_REASON_PROTOCOL_ERROR,
    REFUSAL_REASON_TOKEN,
    REFUSAL_REASON_UNAVAILABLE,
    ArenaFrame,
    BotFrame,
    Hello,
    Refusal,
    RefusalReason,
)

Context: TypeAlias = "grpc.aio.ServicerContext[bytes, bytes]"

REPLACED = (
    "Another program has dialled in with this token, and plays now: a remote bot has one connection"
    " at a time. For two bots register two."
)
# A bot that hears this dials again, and finds the next server.
CLOSING = "The server is being deployed anew; dial again."


class NotAdmitted(Exception):
    """A token that lets no bot in. Its text is a sentence for the bot's owner."""


class NotNow(Exception):
    """Whether a bot is let in cannot be found out just now. Its text is a sentence for the bot's
    owner."""


Admit: TypeAlias = Callable[[str], Awaitable[str]]
"""Returns the name of the bot that a token belongs to. Raises NotAdmitted and NotNow."""

Changed: TypeAlias = Callable[[str, bool], None]
"""Is told, by name, that a bot is connected now, or is no more."""


@dataclass(frozen=True)
class RemoteBounds:
    """`bots`: how many may be connected. `strangers`: how many streams may wait for a hello, each
    for `hello_s` seconds; one more sends the oldest away. `grace_s`: how long a bot may be away in
    a match."""

    bots: int = 256
    strangers: int = 32
    hello_s: float = 10.0
    grace_s: float = RECONNECT_GRACE_S


REMOTE_BOUNDS = RemoteBounds()


class RemoteGateway:
    """The remote bots of a server, by name, and the end of their streams."""

    def __init__(self, admit: Admit, changed: Changed, bounds: RemoteBounds) -> None:
        self._admit = admit
        self._changed = changed
        self._bounds = bounds
        self._bots: defaultdict[str, RemoteBot] = defaultdict(lambda: RemoteBot(bounds.grace_s))
        self._calls: dict[str, _Call] = {}  # by the bots' names
        self._strangers: list[asyncio.Timeout] = []
        self._closing = False

    def bot(self, name: str) -> RemoteBot:
        """The bot of that name, be it there or away."""
        return self._bots[name]

    def room(self, name: str, game: str) -> int:
        """How many matches of a game the bot takes at once; none while it is away."""
        return self._bots[name].room_for(game) if name in self._bots else 0

    def dismiss(self, name: str, sentence: str) -> None:
        """Ends the bot's stream, for good: the program leaves."""
        if call := self._calls.get(name):
            call.end(Refusal(reason=REFUSAL_REASON_TOKEN, sentence=sentence))

    def add_to(self, server: grpc.aio.Server) -> None:
        # Frames pass as bytes: the reader of a stream takes the time before it parses them.
        play: grpc.RpcMethodHandler[bytes, bytes] = grpc.stream_stream_rpc_method_handler(self.play)
        service = "sevens.bot.v1.BotService"
        handlers = (grpc.method_handlers_generic_handler(service, {"Play": play}),)
        server.add_generic_rpc_handlers(handlers)

    def close(self) -> None:
        """Ends all streams; the bots dial again."""
        self._closing = True
        for call in self._calls.values():
            call.serving.cancel()

    async def play(self, _: object, stream: Context) -> None:
        """Serves one stream."""
        if self._closing:
            await stream.abort(grpc.StatusCode.UNAVAILABLE, CLOSING)
        try:
            name, hello = await self._greeted(stream)
            await self._serve(stream, name, hello)
        except _Refused as refused:
            with suppress(grpc.aio.BaseError):  # the bot may have left
                await stream.write(ArenaFrame(refusal=refused.refusal).SerializeToString())
        except NotNow as reason:
            # Not a refusal, after which bots do not dial again.
            await stream.abort(grpc.StatusCode.UNAVAILABLE, str(reason))

    async def _greeted(self, stream: Context) -> tuple[str, Hello]:
        """Waits for a hello; returns whose it is. Raises _Refused."""
        first = await self._first_frame(stream)
        hello = read_hello(first if isinstance(first, bytes) else b"")
        if isinstance(hello, Refusal):
            raise _Refused(hello.reason, hello.sentence)
        try:
            name = await self._admit(hello.token)
        except NotAdmitted as reason:
            raise _Refused(REFUSAL_REASON_TOKEN, str(reason)) from None
        if refusal := check_protocol(hello):
            raise _Refused(refusal.reason, refusal.sentence)
        if name not in self._calls and len(self._calls) >= self._bounds.bots:
            sentence = f"{len(self._calls)} bots are connected, and no more are taken; come later."
            raise _Refused(REFUSAL_REASON_UNAVAILABLE, sentence)
        return name, hello

    async def _first_frame(self, stream: Context) -> object:
        """Raises _Refused."""
        if len(self._strangers) >= self._bounds.strangers:
            # A bot says hello at once: who has been silent for longest is no bot.
            self._strangers.pop(0).reschedule(asyncio.get_running_loop().time())
        try:
            async with asyncio.timeout(self._bounds.hello_s) as patience:
                self._strangers.append(patience)
                return await stream.read()
        except TimeoutError:
            sentence = (
                f"The bot did not say hello within {self._bounds.hello_s:g} seconds, or less while"
                " many others dial in."
            )
            raise _Refused(REFUSAL_REASON_PROTOCOL_ERROR, sentence) from None
        finally:
            if patience in self._strangers:
                self._strangers.remove(patience)

    async def _serve(self, stream: Context, name: str, hello: Hello) -> None:
        """The latest stream of a bot is its only one: the arena may not know yet that the one
        before is broken."""
        if before := self._calls.get(name):
            before.end(Refusal(reason=REFUSAL_REASON_TOKEN, sentence=REPLACED))
        call = self._calls[name] = _Call(stream, hello, self._bots[name])
        try:
            self._changed(name, True)
            await call.serving
        except asyncio.CancelledError:
            if self._closing:
                await stream.abort(grpc.StatusCode.UNAVAILABLE, CLOSING)
            if not call.ended:
                raise
        finally:
            call.serving.cancel()
            if self._calls.get(name) is call:
                del self._calls[name]
                self._changed(name, False)


class _Refused(Exception):
    def __init__(self, reason: RefusalReason, sentence: str) -> None:
        super().__init__(sentence)
        self.refusal = Refusal(reason=reason, sentence=sentence)


class _Call:
    """A stream whose bot was admitted, and what its connection reports. `ended`: by the gateway,
    for good."""

    def __init__(self, stream: Context, hello: Hello, bot: RemoteBot) -> None:
        self.ended = False
        self._bot = bot
        self._connection = Connection(stream, hello, welcome(), self)
        bot.connected(self._connection)
        self.serving = asyncio.create_task(self._connection.serve())
        self.serving.add_done_callback(lambda _: bot.disconnected(self._connection))

    def end(self, refusal: Refusal) -> None:
        """Ends the stream with last words, which a bot out of reach will not hear."""
        self.ended = True
        self._bot.disconnected(self._connection)
        self._connection.refuse(refusal)
        asyncio.get_running_loop().call_later(FAREWELL_S, self.serving.cancel)

    # What the connection tells.

    def connected(self, connection: Connection) -> None:
        """It is told to the bot at once."""

    def heard(self, frame: BotFrame, at: float) -> None:
        self._bot.heard(self._connection, frame, at)

    def report(self, event: BotLost) -> None:
        self._bot.broke_the_protocol(self._connection, event)

    def disconnected(self) -> None:
        """The end of `serving` tells it."""

    def refused(self, loss: BotLost) -> None:
        """Nobody else's streams concern this one."""
