"""One gRPC stream between a bot and the arena: frames in, frames out."""

from __future__ import annotations

import asyncio
from typing import Protocol

import grpc.aio

from arena.bots.interface import BotLost, PendingDecision
from arena.bots.stream.allowance import FRAME_BYTES, UNASKED_BYTES, Allowance
from arena.bots.stream.bot_frame import ANSWERS_AT_A_TIME, ProtocolError, parse, portions
from arena.bots.stream.outbox import Outbox
from arena.protocol import FRAME_LIMIT_BYTES, FaultKind
from sevens.bot.v1.bot_service_pb2 import (
    REFUSAL_REASON_PROTOCOL_ERROR,
    BotFrame,
    Goodbye,
    Hello,
    Refusal,
    Welcome,
)
from sevens.bot.v1.match_pb2 import MatchEnd, MatchStart

# The most that a bot may leave unread: far more than an honest bot with many matches is ever sent
# at once.
UNREAD_LIMIT_BYTES = 32 * FRAME_LIMIT_BYTES
FAREWELL_S = 1.0
LEFT = "You asked to leave, and have no match left."
CHATTER = (
    "The bot sent frame after frame without being asked:"
    f" {UNASKED_BYTES >> 20} MiB beyond its answers, where each frame counts as"
    f" {FRAME_BYTES >> 10} KiB more than it has."
)


class Stream(Protocol):
    """The arena's end of a gRPC stream whose messages are bytes."""

    async def read(self) -> object:
        """Returns the next message, or grpc.aio.EOF."""

    async def write(self, message: bytes, /) -> None: ...

    async def send_initial_metadata(self, metadata: tuple[()], /) -> None: ...


class Owner(Protocol):
    """Receives the reports of a bot's connections. Called from the event loop; must not block."""

    def connected(self, connection: Connection) -> None:
        """The bot sent a valid hello: it may be sent frames."""

    def heard(self, frame: BotFrame, at: float) -> None:
        """A frame arrived, at `at` seconds of `arena.clock`."""

    def report(self, event: BotLost) -> None:
        """The bot broke the protocol; its stream is about to end."""

    def disconnected(self) -> None:
        """The stream is over, whichever side ended it."""

    def refused(self, loss: BotLost) -> None:
        """A stream other than the one in use was refused."""


class Connection:
    """A stream whose bot has said hello. `allowance`: what the bot may send on all its streams."""

    def __init__(
        self, stream: Stream, hello: Hello, welcome: Welcome, owner: Owner, allowance: Allowance
    ) -> None:
        self.hello = hello
        self.allowance = allowance
        self._stream = stream
        self._owner = owner
        self._outbox = Outbox(FRAME_LIMIT_BYTES)
        self._outbox.welcome(welcome)

    # Messages to the bot. They are sent together with whatever gathers until the transport is free.

    def start(self, start: MatchStart) -> None:
        self._outbox.start(start)
        self.allowance.asked()
        self._check_unread()

    def ask(self, decision: PendingDecision) -> None:
        self._outbox.ask(decision)
        self.allowance.asked()
        self._check_unread()

    def end(self, end: MatchEnd) -> None:
        self._outbox.end(end)
        self._check_unread()

    def say_goodbye(self, sentence: str) -> None:
        self._outbox.say_goodbye(Goodbye(sentence=sentence))

    def refuse(self, refusal: Refusal) -> None:
        """Sends the last frame; the task that serves the stream then ends it."""
        self._outbox.refuse(refusal)

    # The stream.

    async def serve(self) -> None:
        """Carries frames both ways until the bot leaves or breaks the protocol."""
        # Before the first write: if the bot hangs up during that, gRPC would send the metadata with
        # the status again, which fails, and the bot would wait for its status in vain.
        await self._stream.send_initial_metadata(())
        writer = asyncio.create_task(self._write())
        try:
            await self._read()
        except ProtocolError as error:
            self._owner.report(BotLost(FaultKind.PROTOCOL_ERROR, str(error)))
            self._outbox.refuse(refusal_of(error))
            await asyncio.wait((writer,), timeout=FAREWELL_S)
        finally:
            writer.cancel()

    async def _read(self) -> None:
        read, heard, allowance = self._stream.read, self._owner.heard, self.allowance
        now = asyncio.get_running_loop().time
        while True:
            raw = await read()
            at = now()
            if not isinstance(raw, bytes):  # grpc.aio.EOF
                return
            if not allowance.take_frame(len(raw), at):
                raise ProtocolError(CHATTER)
            frame = parse(raw)
            allowance.handled_s += now() - at
            if frame.HasField("hello"):
                raise ProtocolError("The bot said hello a second time on one stream.")
            count = len(frame.answers)
            if not allowance.take_entries(count + len(frame.accepts), at):
                raise ProtocolError(CHATTER)
            if count <= ANSWERS_AT_A_TIME:
                heard(frame, at)
                continue
            for portion in portions(frame):
                heard(portion, at)
                await asyncio.sleep(0)  # for the writer

    async def _write(self) -> None:
        take, write = self._outbox.take, self._stream.write
        now = asyncio.get_running_loop().time
        while True:
            batch = await take()
            raw = b"".join(batch.pieces)
            sent_at = now()
            for decision in batch.decisions:
                if decision.sent_at is None:
                    decision.sent_at = sent_at
            try:
                await write(raw)
            except grpc.aio.BaseError:
                return  # the stream is over; the reader notices too, and reports it
            if batch.last:
                return

    def _check_unread(self) -> None:
        if self._outbox.size > UNREAD_LIMIT_BYTES:
            mebibytes = UNREAD_LIMIT_BYTES >> 20
            sentence = f"The bot left more than {mebibytes} MiB of what it was sent unread."
            self._owner.report(BotLost(FaultKind.PROTOCOL_ERROR, sentence))


def refusal_of(error: ProtocolError) -> Refusal:
    """Returns the refusal that tells the bot how it broke the protocol."""
    return Refusal(reason=REFUSAL_REASON_PROTOCOL_ERROR, sentence=str(error))
