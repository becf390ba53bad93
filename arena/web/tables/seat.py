"""The program of a person's seat: it dials in to the arena as a remote bot does, and lets the page
choose."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import suppress

import grpc
import grpc.aio

from arena.web.tables.course import Course
from sevens.bot.v1.bot_service_pb2 import ArenaFrame, BotFrame, Hello, Pong
from sevens.bot.v1.decision_pb2 import Answer, Decision
from sevens.bot.v1.match_pb2 import MatchAccept, MatchEnd, MatchStart

METHOD = "/sevens.bot.v1.BotService/Play"
PROTOCOL = 1
NAME = "the arena's pages"
OPTIONS = (("grpc.max_receive_message_length", -1), ("grpc.use_local_subchannel_pool", 1))
NONCE_BYTES = 16
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.1, 2.0
LEFT = "You have left the table, and the arena plays on for you."


class NotOwed(Exception):
    """An answer that nobody waits for. Its text is a sentence for whoever gave it."""


class Seat:
    """A person's seat, until its match is over or the person leaves.

    `arena`: returns the address of the running arena; empty while none runs.
    `key`: the seat's secret.
    """

    def __init__(self, arena: Callable[[], str], key: str) -> None:
        self.course = Course()
        self._arena = arena
        self._key = key
        self._unsent: asyncio.Queue[BotFrame | None] = asyncio.Queue()
        self._playing = asyncio.create_task(self._play())

    def answer(self, number: int, index: int) -> None:
        """Answers the decision of that number by the index of an action. Raises NotOwed."""
        owed = self.course.owed
        if owed is None or owed.number != number:
            raise NotOwed("That decision is over; this is the table now.")
        if not 0 <= index < len(owed.legal_actions):
            raise NotOwed("There is no such action; choose one of those below.")
        self.course.answer(number, index)
        self._send_answer(owed)

    def leave(self) -> None:
        """Leaves the table for good."""
        if not self.course.over:
            self.course.break_off(LEFT)
        self._playing.cancel()

    async def _play(self) -> None:
        """Dials until the match is over."""
        pause_s = FIRST_PAUSE_S
        while not self.course.over:
            address = await asyncio.to_thread(self._arena)
            if address:
                heard = await self._dial(address)
                pause_s = FIRST_PAUSE_S if heard else pause_s
            if not self.course.over:
                await asyncio.sleep(pause_s)
                pause_s = min(2 * pause_s, LONGEST_PAUSE_S)

    async def _dial(self, address: str) -> bool:
        """Serves one stream. Returns whether anything was heard on it."""
        heard = False
        self._unsent = asyncio.Queue()
        hello = Hello(token=self._key, protocol=PROTOCOL, sdk=NAME, matches_at_once=1)
        self._send(BotFrame(hello=hello))
        with suppress(grpc.aio.AioRpcError):  # it dials again
            async with grpc.aio.insecure_channel(address, options=OPTIONS) as channel:
                play: grpc.aio.StreamStreamMultiCallable[BotFrame, ArenaFrame] = (
                    channel.stream_stream(
                        METHOD,
                        request_serializer=BotFrame.SerializeToString,
                        response_deserializer=ArenaFrame.FromString,
                    )
                )
                async for frame in play(self._frames()):
                    heard = True
                    self._hear(frame)
        return heard

    async def _frames(self) -> AsyncIterator[BotFrame]:
        """Yields what the seat says on the present stream, until there is no more to say."""
        unsent = self._unsent
        while (frame := await unsent.get()) is not None:
            yield frame

    def _send(self, frame: BotFrame | None) -> None:
        self._unsent.put_nowait(frame)

    # What the arena says.

    def _hear(self, frame: ArenaFrame) -> None:
        if frame.HasField("refusal"):
            self.course.break_off(frame.refusal.sentence)
        for start in frame.starts:
            self._begin(start)
        for decision in frame.decisions:
            self._ask(decision)
        for end in frame.ends:
            self._end(end)
        if frame.HasField("ping"):
            self._send(BotFrame(pong=Pong(number=frame.ping.number)))
        if frame.HasField("goodbye"):
            self._send(None)

    def _begin(self, start: MatchStart) -> None:
        self.course.begin(start)
        nonce = secrets.token_bytes(NONCE_BYTES)
        self._send(BotFrame(accepts=[MatchAccept(match_id=start.match_id, nonce=nonce)]))

    def _ask(self, decision: Decision) -> None:
        self.course.ask(decision)
        if decision.number in self.course.answers:  # it was lost with the stream
            self._send_answer(decision)

    def _send_answer(self, decision: Decision) -> None:
        index = self.course.answers[decision.number]
        answer = Answer(match_id=decision.match_id, number=decision.number, index=index)
        self._send(BotFrame(answers=[answer]))

    def _end(self, end: MatchEnd) -> None:
        self.course.finish(end)
        self._send(None)
