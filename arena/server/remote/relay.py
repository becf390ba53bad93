"""The relay between workers and remote bots: one call for each seat of a match."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager, suppress
from typing import TypeAlias

from arena.bots import BotLost, PendingDecision
from arena.bots.remote import RemoteChannel, RemoteGateway
from arena.errors import ArenaError, Kind
from arena.match import Timekeeper
from arena.operations.caller import PLAYERS
from arena.protocol import FaultKind
from arena.server.auth import authenticate
from arena.server.requests import check_texts
from arena.server.status import Context, refuse
from arena.store.session import Store
from sevens.bot.v1.decision_pb2 import Answer
from sevens.bot.v1.match_pb2 import MatchEnd
from sevens.relay.v1 import relay_service_pb2 as pb

Requests: TypeAlias = AsyncIterator[pb.RelayRequest]

# The roles that may play the arena's matches.
HEAD_WITHIN_S = 10.0
# The time that a seat waits for a bot that is disconnected, or still busy with another match.
SEATED_WITHIN_S = 10.0
CALLS = 256
# The most messages of a bot that may wait for the worker; a bot has one pending decision at a time.
MOST_UNSENT = 64
ABANDONED = "abandoned"


class RelayService:
    """Answers `Relay`.

    `timekeeper`: measures the lag of this process, which is not charged to bots.
    """

    def __init__(self, store: Store, gateway: RemoteGateway, timekeeper: Timekeeper) -> None:
        self._store = store
        self._gateway = gateway
        self._timekeeper = timekeeper
        self._calls = 0

    async def Relay(self, requests: Requests, context: Context) -> None:
        try:
            # Before anything is taken or awaited, so that strangers tie up nothing.
            await authenticate(self._store, context, PLAYERS)
            with self._place():
                # Before any write: gRPC's status for a failed write would hide this one.
                seat = RemoteSeat(await _head(requests), self._timekeeper)
                await self._take(seat)
                await _forward(seat, requests, context)
        except ArenaError as refusal:
            await refuse(context, refusal)

    @contextmanager
    def _place(self) -> Iterator[None]:
        """Takes one of the places for calls. Raises ArenaError."""
        if self._calls >= CALLS:
            raise ArenaError(
                Kind.TOO_MANY, f"All {CALLS} seats for remote bots are taken; try again later."
            )
        self._calls += 1
        try:
            yield
        finally:
            self._calls -= 1

    async def _take(self, seat: RemoteSeat) -> None:
        """Connects the seat to its bot. Raises ArenaError."""
        bot = self._gateway.bot(seat.bot)
        try:
            async with asyncio.timeout(SEATED_WITHIN_S):
                is_there = await bot.has_room()
        except TimeoutError:
            if bot.connection is not None:
                raise ArenaError(
                    Kind.TOO_MANY, f"The remote bot {seat.bot} is busy with other matches."
                ) from None
            raise ArenaError(
                Kind.NOT_NOW,
                f"The remote bot {seat.bot} was not connected when its match should have begun.",
            ) from None
        if not is_there:
            raise ArenaError(
                Kind.NOT_NOW, f"The remote bot {seat.bot} left before its match began."
            )
        seat.channel = bot.sit(seat.match_id, seat)


class RemoteSeat:
    """A seat whose referee is in a worker: forwards what its bot sends.

    `channel`: the seat's channel to the bot.
    `unsent`: messages for the worker; None ends them.
    """

    channel: RemoteChannel

    def __init__(self, head: pb.Seat, timekeeper: Timekeeper) -> None:
        self.bot = head.bot
        self.match_id = head.match_id
        self.unsent: asyncio.Queue[pb.RelayResponse | None] = asyncio.Queue()
        self._timekeeper = timekeeper
        self._number = 0
        self._pending: PendingDecision | None = None
        self._handled_s = 0.0  # when the decision was asked for

    # From the worker.

    def receive(self, request: pb.RelayRequest) -> None:
        match request.WhichOneof("word"):
            case "start":
                self.channel.send_start(request.start)
            case "question":
                self._ask(request.question)
            case "end":
                self.channel.send_end(request.end)

    def abandon(self) -> None:
        """Ends the match for the bot, in case the worker left without ending it."""
        self.channel.send_end(MatchEnd(match_id=self.match_id, reason=ABANDONED))

    def _ask(self, asked: pb.Question) -> None:
        """Asks the bot. A repeated question keeps its clock, which has been running."""
        if self._pending is None or self._number != asked.number:
            self._pending, self._number = PendingDecision(asked.frame), asked.number
            self._handled_s = self.channel.handled_s
        self.channel.ask(self._pending)

    # From the bot's channel.

    def accepted(self, nonce: bytes) -> None:
        self._send(pb.RelayResponse(accepted=pb.Accepted(nonce=nonce)))

    def answered(self, answer: Answer, at: float) -> None:
        spent = self._spent_ms(answer, at)
        self._send(pb.RelayResponse(answered=pb.Answered(answer=answer, spent_ms=spent)))

    def lost(self, loss: BotLost) -> None:
        lost = pb.Lost(kind=loss.kind.value, sentence=loss.sentence, words=loss.words)
        self._send(pb.RelayResponse(lost=lost))

    def restored(self) -> None:
        self._send(pb.RelayResponse(restored=pb.Restored()))

    def _spent_ms(self, answer: Answer, at: float) -> int:
        pending = self._pending
        if pending is None or pending.sent_at is None or answer.number != self._number:
            return 0
        own_s = self.channel.handled_s - self._handled_s
        return self._timekeeper.charged_ms(pending.sent_at, at, own_s)

    def _send(self, response: pb.RelayResponse) -> None:
        if self.unsent.qsize() < MOST_UNSENT:
            self.unsent.put_nowait(response)
            return
        self.channel.close()
        sentence = f"The bot sent {MOST_UNSENT} messages in its match that nobody had asked for."
        lost = pb.Lost(kind=FaultKind.PROTOCOL_ERROR.value, sentence=sentence)
        self.unsent.put_nowait(pb.RelayResponse(lost=lost))


async def _head(requests: Requests) -> pb.Seat:
    """Reads the seat that a call is about. Raises ArenaError."""
    try:
        async with asyncio.timeout(HEAD_WITHIN_S):
            first = await anext(requests, None)
    except TimeoutError:
        first = None
    if first is None or first.WhichOneof("word") != "seat":
        raise ArenaError(Kind.WRONG_INPUT, "The call must begin with a seat.", "seat")
    check_texts(first.seat)
    return first.seat


async def _forward(seat: RemoteSeat, requests: Requests, context: Context) -> None:
    """Forwards messages both ways until the worker ends its side or disconnects."""
    receiving = asyncio.create_task(_receive(seat, requests))
    try:
        await context.write(pb.RelayResponse(seated=pb.Seated()))
        while (response := await seat.unsent.get()) is not None:
            await context.write(response)
    finally:
        seat.abandon()
        receiving.cancel()
        with suppress(asyncio.CancelledError):
            await receiving


async def _receive(seat: RemoteSeat, requests: Requests) -> None:
    try:
        async for request in requests:
            seat.receive(request)
    finally:
        seat.unsent.put_nowait(None)
