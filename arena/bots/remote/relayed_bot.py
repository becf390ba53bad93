"""The way from a worker to a remote bot: a call to the gateway that the bot dialled in to."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import TypeAlias

import grpc
import grpc.aio

from arena.bots.interface import ArenaFailure, BotLost, Listener, MachineFailure, PendingDecision
from arena.clock import monotonic
from arena.protocol import FaultKind
from sevens.bot.v1.match_pb2 import MatchEnd, MatchStart
from sevens.relay.v1 import relay_service_pb2 as pb
from sevens.relay.v1.relay_service_pb2_grpc import RelayServiceStub

Call: TypeAlias = "grpc.aio.StreamStreamCall[pb.RelayRequest, pb.RelayResponse]"

# The time to wait for the gateway, which may be restarting, and then for a seat.
SEATED_WITHIN_S = 90.0
# When a bot's time is over, its answer may be on its way from the gateway. The time measured by the
# gateway counts, and the referee gives up this much later.
UNDER_WAY_S = 2.0
# Half of the unit in which times are sent: adding two floats must not lose a millisecond.
HALF_A_MILLISECOND_S = 0.0005
FLUSH_S = 2.0


class BotAway(Exception):
    """The bot is not connected, so no match with it can begin. Its text is a sentence."""


class Relay:
    """Gives a worker seats at remote bots, by calls on a channel to the gateway."""

    def __init__(self, channel: grpc.aio.Channel, metadata: Sequence[tuple[str, str]] = ()) -> None:
        self._stub = RelayServiceStub(channel)
        self._metadata = metadata

    @asynccontextmanager
    async def seat(self, bot: str, match_id: str) -> AsyncIterator[RelayedBot]:
        """Yields the bot of that name, for one match and as long as the context lasts. Raises
        BotAway and MachineFailure."""
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
        pass  # the call is over; its status says why
    code, sentence = await call.code(), await call.details()
    if code is grpc.StatusCode.FAILED_PRECONDITION:
        raise BotAway(sentence)
    raise MachineFailure(f"The gateway gave no seat at the bot {bot}: {sentence} ({code.name}).")


class RelayedBot:
    """A remote bot with a seat in one match."""

    matches_at_once = 1
    memory_share = 0.0
    losses: Sequence[BotLost] = ()

    def __init__(self, call: Call) -> None:
        self._call = call
        self._channel: RelayChannel | None = None
        self._failure: ArenaFailure | None = None
        self._requests: asyncio.Queue[pb.RelayRequest | None] = asyncio.Queue()
        self._carrying = (asyncio.create_task(self._write()), asyncio.create_task(self._read()))

    async def ready(self) -> BotLost | None:
        return None

    async def stop(self, sentence: str) -> None:
        """The bot is its owner's to stop."""

    def sit(self, match_id: str, listener: Listener) -> RelayChannel:
        self._channel = RelayChannel(listener, self._send)
        return self._channel

    async def finish(self) -> None:
        """Waits until everything sent has been delivered."""
        self._requests.put_nowait(None)
        await asyncio.wait(self._carrying, timeout=FLUSH_S)
        for task in self._carrying:
            task.cancel()
        self._channel = None  # it refers to the bot and, by its listener, to the whole match

    def _send(self, request: pb.RelayRequest) -> None:
        """Raises ArenaFailure if the gateway is lost."""
        if self._failure is not None:
            raise self._failure
        self._requests.put_nowait(request)

    async def _write(self) -> None:
        try:
            while (request := await self._requests.get()) is not None:
                await self._call.write(request)
            await self._call.done_writing()
        except (grpc.aio.AioRpcError, asyncio.InvalidStateError):
            pass  # the call is over; the reader finds out as well

    async def _read(self) -> None:
        why = "it ended the call"
        try:
            while isinstance(response := await self._call.read(), pb.RelayResponse):
                if self._channel is not None:
                    self._channel.receive(response)
        except grpc.aio.AioRpcError as error:
            why = f"{error.details()} ({error.code().name})"
        except Exception as error:
            why = f"handling its response failed: {error!r}"
        self._failure = ArenaFailure(f"The gateway of the remote bots was lost: {why}.")
        if self._channel is not None:
            self._channel.fail()


class RelayChannel:
    """A channel whose other end is at the gateway. Times are measured there, so the way between
    gateway and worker costs the bot no time."""

    starved_s = 0.0
    handled_s = 0.0  # the gateway's work is in the times that it reports

    def __init__(self, listener: Listener, send: Callable[[pb.RelayRequest], None]) -> None:
        self._listener = listener
        self._send = send
        self._open = True
        self._number = 0
        self._pending: PendingDecision | None = None

    def send_start(self, start: MatchStart) -> None:
        if self._open:
            self._send(pb.RelayRequest(start=start))

    def ask(self, pending: PendingDecision) -> None:
        if not self._open:
            return
        if pending.sent_at is None:
            pending.sent_at = monotonic() + UNDER_WAY_S
        if pending is not self._pending:
            self._pending, self._number = pending, pending.decision.number
        question = pb.Question(number=self._number, frame=pending.frame)
        self._send(pb.RelayRequest(question=question))

    def send_end(self, end: MatchEnd) -> None:
        if self._open:
            self._open = False
            self._send(pb.RelayRequest(end=end))

    def close(self) -> None:
        self._open = False

    def stderr(self) -> str:
        return ""  # stays with the bot's owner

    def receive(self, response: pb.RelayResponse) -> None:
        """Passes a response of the gateway on to the listener."""
        if not self._open:
            return
        match response.WhichOneof("word"):
            case "accepted":
                self._listener.accepted(response.accepted.nonce)
            case "answered":
                answered = response.answered
                self._listener.answered(answered.answer, self._arrival(answered))
            case "lost":
                lost = response.lost
                self._listener.lost(BotLost(FaultKind(lost.kind), lost.sentence, lost.words))
            case "restored":
                self._listener.restored()

    def fail(self) -> None:
        """The gateway is lost. If the listener responds by sending something, the channel raises
        the ArenaFailure."""
        if self._open:
            self._listener.restored()

    def _arrival(self, answered: pb.Answered) -> float:
        """Returns when an answer arrived at the gateway, counted from when it was asked for."""
        pending = self._pending
        if pending is None or pending.sent_at is None or answered.answer.number != self._number:
            return monotonic()
        return pending.sent_at + answered.spent_ms / 1000 + HALF_A_MILLISECOND_S
