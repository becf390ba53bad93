"""One gRPC stream between a bot and the arena: frames in, frames out."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from time import monotonic
from typing import Protocol

import grpc.aio
from google.protobuf.message import DecodeError

from arena.bots.interface import BotLost, PendingDecision
from arena.bots.stream.outbox import Outbox
from arena.protocol import FaultKind
from sevens.bot.v1.bot_service_pb2 import (
    REFUSAL_REASON_PROTOCOL_ERROR,
    BotFrame,
    Goodbye,
    Hello,
    Refusal,
    Welcome,
)
from sevens.bot.v1.match_pb2 import MatchEnd, MatchStart

FRAME_LIMIT_BYTES = 1024 * 1024
# What a bot may leave unread: far more than an honest bot with many matches is ever sent at once.
UNREAD_LIMIT_BYTES = 32 * FRAME_LIMIT_BYTES
# The bytes a bot may send without being asked, and those that each message to it adds: four times
# the longest answer with the longest note. Every frame costs FRAME_BYTES besides its own.
BUDGET_BYTES = 4 * 1024 * 1024
REFILL_BYTES = 8 * 1024
FRAME_BYTES = 64
FAREWELL_S = 1.0
# While a frame with many answers is processed, what follows from the first ones is already sent.
# Otherwise the arena and the bots, with all matches in step, would wait for each other in turn.
ANSWERS_AT_A_TIME = 32


class Stream(Protocol):
    """The arena's end of a gRPC stream whose messages are bytes."""

    async def read(self) -> object:
        """Returns the next message, or grpc.aio.EOF."""

    async def write(self, message: bytes, /) -> None: ...


class ProtocolError(Exception):
    """The bot sent something that the protocol does not allow. The text is a sentence."""


class Owner(Protocol):
    """Receives the reports of a bot's connections. Called from the event loop; must not block."""

    def connected(self, connection: Connection) -> None:
        """The bot sent a valid hello: it may be sent frames."""

    def heard(self, frame: BotFrame, at: float) -> None:
        """A frame arrived, at `at` seconds of `time.monotonic`."""

    def report(self, event: BotLost) -> None:
        """The bot broke the protocol; its stream is about to end."""

    def disconnected(self) -> None:
        """The stream is over, whoever ended it."""

    def refused(self, loss: BotLost) -> None:
        """A stream other than the one in use was refused."""


class SendBudget:
    """The bytes that a bot may still send. Every message to the bot adds some, up to the initial
    amount. A bot that keeps talking without being asked uses it up, however small its frames."""

    __slots__ = ("_left",)

    def __init__(self) -> None:
        self._left = BUDGET_BYTES

    def refill(self) -> None:
        """Adds the bytes for an answer."""
        self._left = min(self._left + REFILL_BYTES, BUDGET_BYTES)

    def spend(self, frame: bytes) -> bool:
        """Subtracts a frame that the bot has sent. Returns whether it was within the budget."""
        self._left -= len(frame) + FRAME_BYTES
        return self._left >= 0


class Connection:
    """A stream whose bot has said hello."""

    def __init__(self, stream: Stream, hello: Hello, welcome: Welcome, owner: Owner) -> None:
        self.hello = hello
        self._stream = stream
        self._owner = owner
        self._outbox = Outbox(FRAME_LIMIT_BYTES)
        self._outbox.welcome(welcome)
        self._budget = SendBudget()

    # Messages to the bot. They are sent together with whatever gathers until the transport is free.

    def start(self, start: MatchStart) -> None:
        self._outbox.start(start)
        self._budget.refill()
        self._check_unread()

    def ask(self, decision: PendingDecision) -> None:
        self._outbox.ask(decision)
        self._budget.refill()
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
        read, heard, may_send = self._stream.read, self._owner.heard, self._budget.spend
        while True:
            raw = await read()
            at = monotonic()
            if not isinstance(raw, bytes):  # grpc.aio.EOF
                return
            frame = parse(raw)
            if not may_send(raw):
                raise ProtocolError(
                    "The bot sent frame after frame without being asked:"
                    f" {BUDGET_BYTES >> 20} MiB beyond its answers."
                )
            if frame.HasField("hello"):
                raise ProtocolError("The bot said hello a second time on one stream.")
            if len(frame.answers) <= ANSWERS_AT_A_TIME:
                heard(frame, at)
                continue
            for portion in portions(frame):
                heard(portion, at)
                await asyncio.sleep(0)  # for the writer

    async def _write(self) -> None:
        take, write = self._outbox.take, self._stream.write
        while True:
            batch = await take()
            raw = b"".join(batch.pieces)
            now = monotonic()
            for decision in batch.decisions:
                if decision.sent_at is None:
                    decision.sent_at = now
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


def parse(raw: bytes) -> BotFrame:
    """Parses a frame. Raises ProtocolError."""
    if len(raw) > FRAME_LIMIT_BYTES:
        raise ProtocolError(
            f"The bot sent a frame of {len(raw):,} bytes;"
            f" at most {FRAME_LIMIT_BYTES:,} are allowed."
        )
    try:
        return BotFrame.FromString(raw)
    except DecodeError:
        raise ProtocolError(
            f"The bot sent {len(raw):,} bytes that are no sevens.bot.v1.BotFrame."
        ) from None


def portions(frame: BotFrame) -> Iterator[BotFrame]:
    """Yields the frame in parts of at most ANSWERS_AT_A_TIME answers each."""
    size, answers = ANSWERS_AT_A_TIME, frame.answers
    yield BotFrame(accepts=frame.accepts, answers=answers[:size])
    for since in range(size, len(answers), size):
        yield BotFrame(answers=answers[since : since + size])


def refusal_of(error: ProtocolError) -> Refusal:
    """Returns the refusal that tells the bot how it broke the protocol."""
    return Refusal(reason=REFUSAL_REASON_PROTOCOL_ERROR, sentence=str(error))
