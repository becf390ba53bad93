"""The arena's end of a bot's socket, which admits the bot, one stream at a time."""

from __future__ import annotations

import asyncio
import hmac
from contextlib import suppress
from functools import cache
from pathlib import Path

import grpc
import grpc.aio

import arena
from arena.bots.interface import ArenaFailure, BotLost
from arena.bots.stream.allowance import STREAMS, Allowance
from arena.bots.stream.backlog import BACKLOGS
from arena.bots.stream.bot_frame import ProtocolError, parse_hello
from arena.bots.stream.connection import Connection, Owner, Stream, refusal_of
from arena.bots.stream.flood import WAITING, FloodWatch
from arena.protocol import FRAME_LIMIT_BYTES, FaultKind
from sevens.bot.v1.bot_service_pb2 import (
    REFUSAL_REASON_PROTOCOL_ERROR,
    REFUSAL_REASON_PROTOCOL_VERSION,
    REFUSAL_REASON_TOKEN,
    ArenaFrame,
    Hello,
    Refusal,
    Welcome,
)

PROTOCOL = 1
SOCKET = "arena.sock"
METHOD = "/sevens.bot.v1.BotService/Play"
# gRPC itself ends a stream with a larger message, and tells the bot why; to the arena that looks
# like a bot that hangs up. Up to this size the arena itself refuses the frame, in a sentence.
TRANSPORT_LIMIT_BYTES = 4 * FRAME_LIMIT_BYTES
# A bot may dial in again before the arena has noticed that its old stream broke.
HANDOVER_S = 1.0
STREAMS_AT_ONCE = 4
# A bot has one connection. Further ones, beyond this limit, are dropped at once.
CONNECTIONS = 8
# In a container the bot is another user; the folder's mode says who can reach the socket. A bot
# that has a stream needs no other connection, and accepting some would cost the arena as much as
# the bot.
OPEN, CLOSED = 0o666, 0
# Connections that a bot may have waiting, and the time between two looks, in seconds.
WAITING_CONNECTIONS = 64
LOOK_S = 0.25
FLOOD = (
    "The bot's connection was full for a long time of what is no message: HTTP/2's pings and"
    " settings, or the like."
)
NEVER = 2**31 - 1  # milliseconds
OPTIONS = (
    ("grpc.max_receive_message_length", TRANSPORT_LIMIT_BYTES),
    # gRPC pings to measure the bandwidth, and ends a connection that does not answer for a minute.
    # A bot that was frozen between two matches cannot.
    ("grpc.http2.ping_timeout_ms", NEVER),
    ("grpc.max_concurrent_streams", STREAMS_AT_ONCE),
    ("grpc.max_allowed_incoming_connections", CONNECTIONS),
    ("grpc.server_handshake_timeout_ms", 10_000),
)


class Gateway:
    """Serves one bot on the Unix socket `folder`/arena.sock. A caller with `token` is the bot."""

    def __init__(self, folder: Path, token: str, owner: Owner) -> None:
        self._socket = folder / SOCKET
        self._token = token
        self._owner = owner
        self._allowance = Allowance()
        self._lost = False
        self._watching: asyncio.Task[None]
        self._in_use = asyncio.Lock()
        self._server = grpc.aio.server(
            options=OPTIONS,
            maximum_concurrent_rpcs=STREAMS_AT_ONCE,
        )
        self._door = _Door(self)
        self._server.add_generic_rpc_handlers((self._door,))

    async def open(self) -> None:
        keep_grpc_running()
        try:
            self._server.add_insecure_port(f"unix:{self._socket}")
        except RuntimeError as error:
            raise ArenaFailure(f"The arena cannot listen on {self._socket}: {error}.") from error
        await self._server.start()
        self._socket.chmod(OPEN)
        self._watching = asyncio.create_task(self._watch_connections())

    async def close(self) -> None:
        """Ends the stream, if there is one, and stops listening."""
        self._watching.cancel()
        await self._server.stop(grace=None)
        # All three refer to the gateway. As cycles they would keep the bot, and gRPC's memory,
        # until one of the rare collections of garbage.
        self._door.gateway = None
        del self._watching, self._server

    def may_enter(self) -> bool:
        """Takes a stream from the bot's allowance; the bot is lost when there is none left."""
        if self._allowance.take_stream():
            return True
        self._lose(f"The bot opened stream after stream, more than {STREAMS} in a short time.")
        return False

    async def _watch_connections(self) -> None:
        """The bot is lost when more of its connections wait than gRPC can accept, or when one
        floods."""
        path, floods = str(self._socket), FloodWatch[int]()
        while BACKLOGS.of(path) <= WAITING_CONNECTIONS:
            if floods.look(WAITING.of(path), lambda _: self._allowance.heard_bytes):
                self._lose(FLOOD)
                return
            await asyncio.sleep(LOOK_S)
        self._lose(
            "The bot opened connection after connection: more than"
            f" {WAITING_CONNECTIONS} of them waited at once."
        )

    def _lose(self, sentence: str) -> None:
        if not self._lost:
            self._lost = True
            self._owner.report(BotLost(FaultKind.PROTOCOL_ERROR, sentence))

    async def play(self, _: object, stream: Stream) -> None:
        first = await stream.read()
        if not isinstance(first, bytes):  # grpc.aio.EOF
            return
        hello = self._check_hello(first)
        if isinstance(hello, Refusal):
            await self._refuse(stream, hello)
            return
        try:
            async with asyncio.timeout(HANDOVER_S):
                await self._in_use.acquire()
        except TimeoutError:
            sentence = "The token is in use: the bot has a stream already."
            await self._refuse(stream, Refusal(reason=REFUSAL_REASON_TOKEN, sentence=sentence))
            return
        try:
            await self._serve(stream, hello)
        finally:
            self._in_use.release()

    async def _serve(self, stream: Stream, hello: Hello) -> None:
        connection = Connection(stream, hello, welcome(), self._owner, self._allowance)
        self._socket.chmod(CLOSED)
        self._owner.connected(connection)
        try:
            await connection.serve()
        finally:
            with suppress(FileNotFoundError):  # the gateway is closed
                self._socket.chmod(OPEN)
            self._owner.disconnected()

    def _check_hello(self, raw: bytes) -> Hello | Refusal:
        """Returns the hello in the first frame of a stream, or why it is refused."""
        hello = read_hello(raw)
        if isinstance(hello, Refusal):
            return hello
        if not hmac.compare_digest(hello.token.strip().encode(), self._token.encode()):
            sentence = "The bot's token is wrong; the right one is in ARENA_TOKEN."
            return Refusal(reason=REFUSAL_REASON_TOKEN, sentence=sentence)
        return check_protocol(hello) or hello

    async def _refuse(self, stream: Stream, refusal: Refusal) -> None:
        garbage = refusal.reason == REFUSAL_REASON_PROTOCOL_ERROR
        kind = FaultKind.PROTOCOL_ERROR if garbage else FaultKind.START_FAILED
        self._owner.refused(BotLost(kind, refusal.sentence))
        with suppress(grpc.aio.BaseError):  # the bot may have left
            await stream.write(ArenaFrame(refusal=refusal).SerializeToString())


@cache
def keep_grpc_running() -> None:
    """Keeps gRPC's part for asyncio until the process ends. gRPC would take it down with its last
    server, while its threads still read from connections that a bot floods: they used memory that
    was freed, and the process died."""
    grpc.aio.init_grpc_aio()


class _Door(grpc.GenericRpcHandler):
    """Finds the handler of a call. Every call passes here, whatever its method, before anything of
    it is read. `gateway`: None once it is closed; gRPC keeps the door for longer."""

    def __init__(self, gateway: Gateway) -> None:
        self.gateway: Gateway | None = gateway

    def service(
        self, details: grpc.HandlerCallDetails
    ) -> grpc.RpcMethodHandler[bytes, bytes] | None:
        gateway = self.gateway
        if gateway is None or not gateway.may_enter() or details.method != METHOD:
            return None
        # Frames pass as bytes, so that the reader of a stream can stamp them before it parses them.
        return grpc.stream_stream_rpc_method_handler(gateway.play)


# The part of handling a hello that all gateways share. Each finds out itself whose it is.


def read_hello(raw: bytes) -> Hello | Refusal:
    """Returns the hello in the first frame of a stream, or a refusal if there is none."""
    try:
        frame = parse_hello(raw)
    except ProtocolError as error:
        return refusal_of(error)
    if not frame.HasField("hello"):
        sentence = "The bot's first frame holds no hello."
        return Refusal(reason=REFUSAL_REASON_PROTOCOL_ERROR, sentence=sentence)
    return frame.hello


def check_protocol(hello: Hello) -> Refusal | None:
    """Returns a refusal if the arena does not speak the bot's version of the protocol."""
    if hello.protocol == PROTOCOL:
        return None
    sentence = (
        f"The bot speaks version {hello.protocol} of the protocol;"
        f" this arena speaks version {PROTOCOL}."
    )
    return Refusal(reason=REFUSAL_REASON_PROTOCOL_VERSION, sentence=sentence)


def welcome(notice: str = "") -> Welcome:
    """Returns the arena's first message to a bot that it admits. `notice`: for its owner."""
    return Welcome(
        protocol=PROTOCOL,
        arena=f"sevens-arena {arena.__version__}",
        frame_limit_bytes=FRAME_LIMIT_BYTES,
        notice=notice,
    )
