"""A remote bot, as a worker reaches it: by a call to the gateway where the bot dialled in."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from time import monotonic
from typing import TypeAlias

import grpc
import grpc.aio

from arena.bots.interface import ArenaFailure, BotLost, Listener, MachineFailure, PendingDecision
from arena.protocol.faults import FaultKind
from sevens.bot.v1.match_pb2 import MatchEnd, MatchStart
from sevens.relay.v1 import relay_service_pb2 as pb
from sevens.relay.v1.relay_service_pb2_grpc import RelayServiceStub

Call: TypeAlias = "grpc.aio.StreamStreamCall[pb.RelayRequest, pb.RelayResponse]"

# How long to look for the gateway, which may be away for a deployment, and to wait for a seat.
SEATED_WITHIN_S = 90.0
# When a bot's time is over, its answer may be on its way from the gateway: what the gateway has
# measured counts, and the referee gives up so much later.
UNDER_WAY_S = 2.0
# Half of the unit in which the time is told: a sum of two floats must not lose a millisecond.
HALF_A_MILLISECOND_S = 0.0005
FLUSH_S = 2.0


class BotAway(Exception):
    """The bot is not connected, so that no match with it can begin. Its text says so."""


class Relay:
    """A worker's way to remote bots: calls on a channel to the gateway."""

    def __init__(self, channel: grpc.aio.Channel, metadata: Sequence[tuple[str, str]] = ()) -> None:
        self._stub = RelayServiceStub(channel)
        self._metadata = metadata

    @asynccontextmanager
    async def seat(self, bot: str, match_id: str) -> AsyncIterator[RelayedBot]:
        """The bot of that name, for one match, as long as the context lasts. Raises BotAway and
        MachineFailure."""
        call: Call = self._stub.Relay(metadata=self._metadata, wait_for_ready=True)
        try:
            await _take_seat(call, bot, match_id)
            running = RelayedBot(call)
            try:
                yield running
            finally:
                await running.finish()
        finally:
            call.cancel()


async def _take_seat(call: Call, bot: str, match_id: str) -> None:
    """Raises BotAway and MachineFailure."""
    try:
        async with asyncio.timeout(SEATED_WITHIN_S):
            await call.write(pb.RelayRequest(seat=pb.Seat(bot=bot, match_id=match_id)))
            await call.read()
            if not call.done():
                return
    except TimeoutError:
        raise MachineFailure(
            f"The gateway of the remote bots did not answer within {SEATED_WITHIN_S:g} seconds."
        ) from None
    except (grpc.aio.AioRpcError, asyncio.InvalidStateError):
        pass  # the call is over, and tells why
    code, sentence = await call.code(), await call.details()
    if code is grpc.StatusCode.FAILED_PRECONDITION:
        raise BotAway(sentence)
    raise MachineFailure(f"The gateway gave no seat to the bot {bot}: {sentence} ({code.name}).")


class RelayedBot:
    """A remote bot with a seat in one match."""

    matches_at_once = 1
    memory_share = 0.0
    losses: Sequence[BotLost] = ()

    def __init__(self, call: Call) -> None:
        self._call = call
        self._line: RelayChannel | None = None
        self._failure: ArenaFailure | None = None
        self._words: asyncio.Queue[pb.RelayRequest | None] = asyncio.Queue()
        self._carrying = (asyncio.create_task(self._write()), asyncio.create_task(self._read()))

    async def ready(self) -> BotLost | None:
        return None

    async def stop(self, sentence: str) -> None:
        """It is not ours to stop."""

    def sit(self, match_id: str, listener: Listener) -> RelayChannel:
        self._line = RelayChannel(listener, self._say)
        return self._line

    async def finish(self) -> None:
        """Sees through what was said."""
        self._words.put_nowait(None)
        await asyncio.wait(self._carrying, timeout=FLUSH_S)
        for task in self._carrying:
            task.cancel()

    def _say(self, word: pb.RelayRequest) -> None:
        """Raises ArenaFailure when the gateway is lost."""
        if self._failure is not None:
            raise self._failure
        self._words.put_nowait(word)

    async def _write(self) -> None:
        try:
            while (word := await self._words.get()) is not None:
                await self._call.write(word)
            await self._call.done_writing()
        except (grpc.aio.AioRpcError, asyncio.InvalidStateError):
            pass  # the call is over; the reader finds out as well

    async def _read(self) -> None:
        why = "it ended the call"
        try:
            while isinstance(word := await self._call.read(), pb.RelayResponse):
                if self._line is not None:
                    self._line.hear(word)
        except grpc.aio.AioRpcError as error:
            why = f"{error.details()} ({error.code().name})"
        except Exception as error:
            why = f"what it said could not be used: {error!r}"
        self._failure = ArenaFailure(f"The gateway of the remote bots was lost: {why}.")
        if self._line is not None:
            self._line.fail()


class RelayChannel:
    """A line whose other end is at the gateway. Times are those of the gateway: what happens
    between it and the worker takes no time of the bot's."""

    def __init__(self, listener: Listener, say: Callable[[pb.RelayRequest], None]) -> None:
        self._listener = listener
        self._say = say
        self._open = True
        self._number = 0
        self._question: PendingDecision | None = None

    def send_start(self, start: MatchStart) -> None:
        if self._open:
            self._say(pb.RelayRequest(start=start))

    def ask(self, question: PendingDecision) -> None:
        if not self._open:
            return
        if question.sent_at is None:
            question.sent_at = monotonic() + UNDER_WAY_S
        if question is not self._question:
            self._question, self._number = question, question.decision.number
        asked = pb.Question(number=self._number, frame=question.frame)
        self._say(pb.RelayRequest(question=asked))

    def send_end(self, end: MatchEnd) -> None:
        if self._open:
            self._open = False
            self._say(pb.RelayRequest(end=end))

    def close(self) -> None:
        self._open = False

    def stderr(self) -> str:
        return ""  # stays with the bot's owner

    def hear(self, word: pb.RelayResponse) -> None:
        """The gateway said something."""
        if not self._open:
            return
        match word.WhichOneof("word"):
            case "accepted":
                self._listener.accepted(word.accepted.nonce)
            case "answered":
                self._listener.answered(word.answered.answer, self._arrival(word.answered))
            case "lost":
                self._listener.lost(BotLost(FaultKind(word.lost.kind), word.lost.sentence))
            case "restored":
                self._listener.restored()

    def fail(self) -> None:
        """The gateway is lost. To a listener that says something in answer to this, the line raises
        the ArenaFailure."""
        if self._open:
            self._listener.restored()

    def _arrival(self, answered: pb.Answered) -> float:
        """When an answer arrived at the gateway, counted from when its question was sent."""
        question = self._question
        if question is None or question.sent_at is None or answered.answer.number != self._number:
            return monotonic()
        return question.sent_at + answered.spent_ms / 1000 + HALF_A_MILLISECOND_S
