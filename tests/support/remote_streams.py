"""A remote bot's end of its stream, frame by frame; and a seat that records its messages."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import grpc
import grpc.aio

from arena.bots.interface import BotLost, PendingDecision
from sevens.bot.v1.bot_service_pb2 import ArenaFrame, BotFrame, Hello
from sevens.bot.v1.decision_pb2 import Answer, Decision
from sevens.bot.v1.match_pb2 import MatchAccept, MatchStart
from tests.support.seats import within


class Dialled:
    """A stream that a bot has opened. A decision may come in the frame of its match's start, and is
    kept until the bot answers."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        play = channel.stream_stream(
            "/sevens.bot.v1.BotService/Play", response_deserializer=ArenaFrame.FromString
        )
        self.call = play()
        self._came_with_start: Sequence[Decision] = ()

    async def say(self, frame: BotFrame) -> None:
        await self.call.write(frame.SerializeToString())

    async def hear(self) -> ArenaFrame:
        frame = await within(self.call.read())
        assert isinstance(frame, ArenaFrame), "the stream is over"
        return frame

    async def accept(self, match_id: str, nonce: bytes = b"n") -> MatchStart:
        """Waits for a start, and accepts it."""
        frame = await self.hear()
        [start] = frame.starts
        self._came_with_start = frame.decisions
        assert start.match_id == match_id
        await self.say(BotFrame(accepts=[MatchAccept(match_id=match_id, nonce=nonce)]))
        return start

    async def answer(self, text: str) -> Decision:
        """Waits for a decision, and answers it."""
        [decision] = self._came_with_start or (await self.hear()).decisions
        self._came_with_start = ()
        answer = Answer(match_id=decision.match_id, number=decision.number, text=text)
        await self.say(BotFrame(answers=[answer]))
        return decision

    async def code(self) -> grpc.StatusCode:
        code: grpc.StatusCode = await within(self.call.code())
        return code


@asynccontextmanager
async def dialling(address: str, hello: Hello) -> AsyncIterator[Dialled]:
    """Opens a stream with that hello; the test reads the first frame."""
    options = (("grpc.use_local_subchannel_pool", 1),)
    async with grpc.aio.insecure_channel(address, options) as channel:
        dialled = Dialled(channel)
        await dialled.say(BotFrame(hello=hello))
        yield dialled
        dialled.call.cancel()


@asynccontextmanager
async def welcomed(address: str, token: str, matches_at_once: int = 1) -> AsyncIterator[Dialled]:
    hello = Hello(token=token, protocol=1, matches_at_once=matches_at_once)
    async with dialling(address, hello) as dialled:
        assert (await dialled.hear()).HasField("welcome")
        yield dialled


@dataclass
class Heard:
    """The messages that a seat received, in order."""

    accepted_: asyncio.Queue[bytes] = field(default_factory=asyncio.Queue)
    answered_: asyncio.Queue[tuple[Answer, float]] = field(default_factory=asyncio.Queue)
    lost_: asyncio.Queue[BotLost] = field(default_factory=asyncio.Queue)
    restored_: asyncio.Queue[None] = field(default_factory=asyncio.Queue)

    def accepted(self, nonce: bytes) -> None:
        self.accepted_.put_nowait(nonce)

    def answered(self, answer: Answer, at: float) -> None:
        self.answered_.put_nowait((answer, at))

    def lost(self, loss: BotLost) -> None:
        self.lost_.put_nowait(loss)

    def restored(self) -> None:
        self.restored_.put_nowait(None)


def question(match_id: str, number: int = 1) -> PendingDecision:
    legal = ["play 7S", "pass"]
    return PendingDecision.of(Decision(match_id=match_id, number=number, legal_actions=legal))
