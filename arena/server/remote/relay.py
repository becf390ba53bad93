"""Workers reach remote bots: a call for each seat of a match."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import TypeAlias

import grpc
import grpc.aio

from arena.bots.interface import BotLost, PendingDecision
from arena.bots.remote.bot import RemoteChannel
from arena.bots.remote.gateway import RemoteGateway
from arena.match.timekeeper import Timekeeper
from arena.protocol.faults import FaultKind
from arena.server.auth import caller_of
from arena.server.errors import Context, Refusal, exhausted, wrong
from arena.store.session import Store
from arena.store.tables import Role
from sevens.bot.v1.decision_pb2 import Answer
from sevens.bot.v1.match_pb2 import MatchEnd
from sevens.relay.v1 import relay_service_pb2 as pb

Requests: TypeAlias = AsyncIterator[pb.RelayRequest]

# Who may play the arena's matches.
WORKERS = (Role.WORKER, Role.ORGANISER)
HEAD_WITHIN_S = 10.0
# How long a seat is kept for a bot that is away, or still busy with another match.
SEATED_WITHIN_S = 10.0
CALLS = 256
# What a bot may say in one match before the worker takes it up; a bot is asked one thing at a time.
UNHEARD_WORDS = 64
ABANDONED = "abandoned"


class RelayService:
    """Answers `Relay`. `timekeeper`: measures the lag of this process, which no bot is charged."""

    def __init__(self, store: Store, gateway: RemoteGateway, timekeeper: Timekeeper) -> None:
        self._store = store
        self._gateway = gateway
        self._timekeeper = timekeeper
        self._calls = 0

    async def Relay(self, requests: Requests, context: Context) -> None:
        self._calls += 1
        try:
            # First of all: gRPC's answer to a write that fails would hide what is said here.
            seat = RemoteSeat(await _head(requests), self._timekeeper)
            await self._check_caller(context)
            await self._take(seat)
        except Refusal as refusal:
            await context.abort(refusal.code, str(refusal))
        else:
            await _carry(seat, requests, context)
        finally:
            self._calls -= 1

    async def _check_caller(self, context: Context) -> None:
        """Raises Refusal."""
        if self._calls > CALLS:
            raise exhausted(f"{CALLS} seats of remote bots are taken; try again later.")
        await caller_of(self._store, context, WORKERS)

    async def _take(self, seat: RemoteSeat) -> None:
        """Sits down at the bot's side. Raises Refusal."""
        bot = self._gateway.bot(seat.bot)
        try:
            async with asyncio.timeout(SEATED_WITHIN_S):
                await bot.has_room()
        except TimeoutError:
            if bot.connection is not None:
                raise exhausted(f"The remote bot {seat.bot} is busy with other matches.") from None
            raise Refusal(
                grpc.StatusCode.FAILED_PRECONDITION,
                f"The remote bot {seat.bot} was not connected when its match was to begin.",
            ) from None
        seat.line = bot.sit(seat.match_id, seat)


class RemoteSeat:
    """A seat whose referee is in a worker: what it hears of its bot it has to tell there.

    `words`: what is to be told; None: nothing more.
    """

    line: RemoteChannel

    def __init__(self, head: pb.Seat, timekeeper: Timekeeper) -> None:
        self.bot = head.bot
        self.match_id = head.match_id
        self.words: asyncio.Queue[pb.RelayResponse | None] = asyncio.Queue()
        self._timekeeper = timekeeper
        self._number = 0
        self._question: PendingDecision | None = None

    # What the worker says.

    def take(self, word: pb.RelayRequest) -> None:
        match word.WhichOneof("word"):
            case "start":
                self.line.send_start(word.start)
            case "question":
                self._ask(word.question)
            case "end":
                self.line.send_end(word.end)

    def abandon(self) -> None:
        """The worker says no more; if it has not ended the match, nobody will."""
        self.line.send_end(MatchEnd(match_id=self.match_id, reason=ABANDONED))

    def _ask(self, asked: pb.Question) -> None:
        """What is asked again is the same question: its clock has been running."""
        if self._question is None or self._number != asked.number:
            self._question, self._number = PendingDecision(asked.frame), asked.number
        self.line.ask(self._question)

    # What the bot's line tells.

    def accepted(self, nonce: bytes) -> None:
        self._tell(pb.RelayResponse(accepted=pb.Accepted(nonce=nonce)))

    def answered(self, answer: Answer, at: float) -> None:
        spent = self._spent_ms(answer, at)
        self._tell(pb.RelayResponse(answered=pb.Answered(answer=answer, spent_ms=spent)))

    def lost(self, loss: BotLost) -> None:
        self._tell(pb.RelayResponse(lost=pb.Lost(kind=loss.kind.value, sentence=loss.sentence)))

    def restored(self) -> None:
        self._tell(pb.RelayResponse(restored=pb.Restored()))

    def _spent_ms(self, answer: Answer, at: float) -> int:
        question = self._question
        if question is None or question.sent_at is None or answer.number != self._number:
            return 0
        return self._timekeeper.charged_ms(question.sent_at, at)

    def _tell(self, word: pb.RelayResponse) -> None:
        if self.words.qsize() < UNHEARD_WORDS:
            self.words.put_nowait(word)
            return
        self.line.close()
        sentence = f"The bot said {UNHEARD_WORDS} things in its match that nobody had asked for."
        lost = pb.Lost(kind=FaultKind.PROTOCOL_ERROR.value, sentence=sentence)
        self.words.put_nowait(pb.RelayResponse(lost=lost))


async def _head(requests: Requests) -> pb.Seat:
    """Which seat a call is about. Raises Refusal."""
    try:
        async with asyncio.timeout(HEAD_WITHIN_S):
            first = await anext(requests, None)
    except TimeoutError:
        first = None
    if first is None or first.WhichOneof("word") != "seat":
        raise wrong("The call begins with a seat.", "seat")
    return first.seat


async def _carry(seat: RemoteSeat, requests: Requests, context: Context) -> None:
    """Carries words both ways until the worker ends its side, or is gone."""
    hearing = asyncio.create_task(_hear(seat, requests))
    try:
        await context.write(pb.RelayResponse(seated=pb.Seated()))
        while (word := await seat.words.get()) is not None:
            await context.write(word)
    finally:
        seat.abandon()
        hearing.cancel()
        with suppress(asyncio.CancelledError):
            await hearing


async def _hear(seat: RemoteSeat, requests: Requests) -> None:
    try:
        async for word in requests:
            seat.take(word)
    finally:
        seat.words.put_nowait(None)
