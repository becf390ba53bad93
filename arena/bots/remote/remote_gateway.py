"""The gateway that remote bots dial in to: a single one, with a stream for each bot."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias
from urllib.parse import unquote

import grpc
import grpc.aio

from arena.bots.interface import BotLost
from arena.bots.remote.callers import Networks, caller
from arena.bots.remote.remote_bot import RECONNECT_GRACE_S, RemoteBot
from arena.bots.remote.unauthenticated_streams import UnauthenticatedStreams
from arena.bots.stream import FAREWELL_S, Connection, check_protocol, read_hello, welcome
from sevens.bot.v1.bot_service_pb2 import (
    REFUSAL_REASON_PROTOCOL_ERROR,
    REFUSAL_REASON_TOKEN,
    REFUSAL_REASON_UNAVAILABLE,
    ArenaFrame,
    BotFrame,
    Hello,
    Refusal,
    RefusalReason,
    Welcome,
)

Context: TypeAlias = "grpc.aio.ServicerContext[bytes, bytes]"

REPLACED = (
    "Another program has dialled in with this token and replaces this one: a remote bot has one"
    " connection at a time. To run two bots, register two."
)
# A bot that receives this dials again, and reaches the next server.
CLOSING = "The server is restarting; dial again."


class NotAdmitted(Exception):
    """The token admits no bot. Its text is a sentence for the bot's owner."""


class NotNow(Exception):
    """The token cannot be checked at the moment. Its text is a sentence for the bot's owner."""


@dataclass(frozen=True)
class Admitted:
    """The bot that a token belongs to. `notice`: sentences for its owner; mostly empty."""

    bot: str
    notice: str = ""


Admit: TypeAlias = Callable[[str], Awaitable[Admitted]]
"""Returns the bot that a token belongs to. Raises NotAdmitted and NotNow."""

Changed: TypeAlias = Callable[[str, bool], None]
"""Called with the name of a bot, and whether it is there now: connected, and not leaving."""


@dataclass(frozen=True)
class RemoteBounds:
    """Limits on the remote bots of a server.

    `bots`: how many may be connected.
    `strangers`: how many streams may be waiting for a hello; one more ends the oldest. As many may
    be refused in a frame at once, which a caller need not read; others by their status.
    `hello_s`: how many seconds each of them may wait.
    `grace_s`: how many seconds a bot may be away during a match.
    `proxies`: those that name the address of a caller.
    """

    bots: int = 256
    strangers: int = 32
    hello_s: float = 10.0
    grace_s: float = RECONNECT_GRACE_S
    proxies: Networks = ()


REMOTE_BOUNDS = RemoteBounds()


class RemoteGateway:
    """The remote bots of a server, by name, and the arena's end of their streams."""

    def __init__(self, admit: Admit, changed: Changed, bounds: RemoteBounds) -> None:
        self._admit = admit
        self._changed = changed
        self._bounds = bounds
        self._bots: defaultdict[str, RemoteBot] = defaultdict(lambda: RemoteBot(bounds.grace_s))
        self._calls: dict[str, _Call] = {}  # by the bots' names
        self._strangers = UnauthenticatedStreams(bounds.strangers, bounds.hello_s)
        self._refusing = 0
        self._closing = False

    def bot(self, name: str) -> RemoteBot:
        """Returns the bot of that name, whether it is connected or not."""
        return self._bots[name]

    def room(self, name: str, game: str) -> int:
        """Returns how many matches of a game the bot takes at once; 0 while it is away."""
        return self._bots[name].room_for(game) if name in self._bots else 0

    def heard(self) -> Mapping[str, int]:
        """Returns the bytes that each connected bot has sent, by its peer as gRPC names it,
        unquoted."""
        return {unquote(call.peer): call.heard_bytes for call in self._calls.values()}

    def dismiss(self, name: str, sentence: str) -> None:
        """Ends the bot's stream for good: the program does not dial again."""
        if call := self._calls.get(name):
            call.end(Refusal(reason=REFUSAL_REASON_TOKEN, sentence=sentence))

    def add_to(self, server: grpc.aio.Server) -> None:
        # Frames are passed as bytes: their arrival is timed before they are parsed.
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
            admitted, hello = await self._greeted(stream)
            await self._serve(stream, admitted, hello)
        except _Refused as refused:
            await self._refuse(stream, refused.refusal)
        except NotNow as reason:
            # Not a refusal: after one, bots do not dial again.
            await stream.abort(grpc.StatusCode.UNAVAILABLE, str(reason))

    async def _refuse(self, stream: Context, refusal: Refusal) -> None:
        """Ends the stream with a refusal. A write waits for as long as the caller likes, and even
        if it is given up the stream cannot end before; a status does not wait."""
        if self._refusing >= self._bounds.strangers:
            await stream.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, refusal.sentence)
        self._refusing += 1
        try:
            with suppress(grpc.aio.BaseError):  # the bot may have left
                await stream.write(ArenaFrame(refusal=refusal).SerializeToString())
        finally:
            self._refusing -= 1

    async def _greeted(self, stream: Context) -> tuple[Admitted, Hello]:
        """Waits for a hello, and returns it with its bot. Raises _Refused."""
        first = await self._first_frame(stream)
        hello = read_hello(first if isinstance(first, bytes) else b"")
        if isinstance(hello, Refusal):
            raise _Refused(hello.reason, hello.sentence)
        try:
            admitted = await self._admit(hello.token.strip())
        except NotAdmitted as reason:
            raise _Refused(REFUSAL_REASON_TOKEN, str(reason)) from None
        if refusal := check_protocol(hello):
            raise _Refused(refusal.reason, refusal.sentence)
        name = admitted.bot
        if not self._bots[name].allowance.take_stream():
            raise NotNow(f"The bot {name} dials in too often; wait a minute, then try again.")
        if name not in self._calls and len(self._calls) >= self._bounds.bots:
            sentence = f"{len(self._calls)} bots are connected, the most allowed; try again later."
            raise _Refused(REFUSAL_REASON_UNAVAILABLE, sentence)
        return admitted, hello

    async def _first_frame(self, stream: Context) -> object:
        """Raises _Refused."""
        with self._strangers.waiting(caller(stream, self._bounds.proxies)) as patience:
            try:
                async with patience:
                    return await stream.read()
            except TimeoutError:
                sentence = (
                    f"The bot did not say hello within {self._bounds.hello_s:g} seconds, or sooner"
                    " because many others dial in."
                )
                raise _Refused(REFUSAL_REASON_PROTOCOL_ERROR, sentence) from None

    async def _serve(self, stream: Context, admitted: Admitted, hello: Hello) -> None:
        """Serves a bot's latest stream, which replaces the previous one: that may be broken without
        the arena knowing it yet."""
        name = admitted.bot
        if before := self._calls.get(name):
            before.end(Refusal(reason=REFUSAL_REASON_TOKEN, sentence=REPLACED))
        leaves = partial(self._changed, name, False)
        call = _Call(stream, hello, welcome(admitted.notice), self._bots[name], leaves)
        self._calls[name] = call
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
                if not self._bots[name].is_leaving:  # then `changed` was called before
                    self._changed(name, False)


class _Refused(Exception):
    def __init__(self, reason: RefusalReason, sentence: str) -> None:
        super().__init__(sentence)
        self.refusal = Refusal(reason=reason, sentence=sentence)


class _Call:
    """A stream whose bot was admitted, from `peer`.

    `leaves`: called when the bot says that it leaves.
    `ended`: whether the gateway has ended it for good.
    """

    def __init__(
        self,
        stream: Context,
        hello: Hello,
        welcome: Welcome,
        bot: RemoteBot,
        leaves: Callable[[], None],
    ) -> None:
        self.ended = False
        self._leaves = leaves
        self.peer = stream.peer()
        self._bot = bot
        self._connection = Connection(stream, hello, welcome, self, bot.allowance)
        bot.connected(self._connection)
        self.serving = asyncio.create_task(self._connection.serve())
        self.serving.add_done_callback(lambda _: bot.disconnected(self._connection))

    def end(self, refusal: Refusal) -> None:
        """Ends the stream with a refusal, which does not reach a bot whose connection is broken."""
        self.ended = True
        self._bot.disconnected(self._connection)
        self._connection.refuse(refusal)
        asyncio.get_running_loop().call_later(FAREWELL_S, self.serving.cancel)

    @property
    def heard_bytes(self) -> int:
        return self._bot.allowance.heard_bytes

    # Called by the connection.

    def connected(self, connection: Connection) -> None:
        """Does nothing: the constructor has reported the connection."""

    def heard(self, frame: BotFrame, at: float) -> None:
        stayed = not self._bot.is_leaving
        self._bot.heard(self._connection, frame, at)
        if stayed and self._bot.is_leaving:
            self._leaves()

    def report(self, event: BotLost) -> None:
        self._bot.broke_the_protocol(self._connection, event)

    def disconnected(self) -> None:
        """The bot is notified when `serving` ends."""

    def refused(self, loss: BotLost) -> None:
        """No other stream concerns this one."""
