"""The messages that wait to be sent to a bot, gathered into frames."""

from __future__ import annotations

import asyncio
from collections import deque

from arena.bots.interface import PendingDecision
from sevens.bot.v1.bot_service_pb2 import ArenaFrame, Goodbye, Refusal, Welcome
from sevens.bot.v1.match_pb2 import MatchEnd, MatchStart


class Batch:
    """One frame that is still being put together.

    `pieces`: frames of one message each, serialized. Joined they are one frame, because protobuf
    parses concatenated messages as their merge.
    `size`: the bytes of all pieces.
    `decisions`: the decisions in it.
    `has_ends`: whether it contains the end of a match.
    `alone`: nothing may join it.
    `last`: nothing may follow it.
    """

    __slots__ = ("alone", "decisions", "has_ends", "last", "pieces", "size")

    def __init__(self) -> None:
        self.pieces: list[bytes] = []
        self.decisions: list[PendingDecision] = []
        self.size = 0
        self.has_ends = False
        self.alone = False
        self.last = False


class Outbox:
    """Gathers messages until they are taken, in as few frames as order and size allow.

    A bot handles the starts of a frame before its ends. So that it never has more matches than it
    accepts at once, a start that follows an end begins a new frame.

    `size`: the bytes that wait.
    """

    def __init__(self, frame_limit_bytes: int) -> None:
        self.size = 0
        self._frame_limit = frame_limit_bytes
        self._batches: deque[Batch] = deque()
        self._some = asyncio.Event()

    def start(self, start: MatchStart) -> None:
        if self._batches and self._batches[-1].has_ends:
            self._begin_batch()
        self._add(ArenaFrame(starts=[start]).SerializeToString())

    def ask(self, decision: PendingDecision) -> None:
        self._add(decision.frame).decisions.append(decision)

    def end(self, end: MatchEnd) -> None:
        self._add(ArenaFrame(ends=[end]).SerializeToString()).has_ends = True

    def say_goodbye(self, goodbye: Goodbye) -> None:
        self._add(ArenaFrame(goodbye=goodbye).SerializeToString())

    def welcome(self, welcome: Welcome) -> None:
        self._add_alone(ArenaFrame(welcome=welcome))

    def refuse(self, refusal: Refusal) -> None:
        """Adds the last frame of a stream."""
        self._add_alone(ArenaFrame(refusal=refusal)).last = True

    async def take(self) -> Batch:
        """Waits until there is something to send, and takes the first frame of it."""
        await self._some.wait()
        batch = self._batches.popleft()
        self.size -= batch.size
        if not self._batches:
            self._some.clear()
        return batch

    def _add(self, piece: bytes) -> Batch:
        """Adds to the last batch if the piece fits, otherwise to a new one. A piece that exceeds
        the limit for frames still gets a frame."""
        batch = self._batches[-1] if self._batches else self._begin_batch()
        if batch.pieces and (batch.alone or batch.size + len(piece) > self._frame_limit):
            batch = self._begin_batch()
        batch.pieces.append(piece)
        batch.size += len(piece)
        self.size += len(piece)
        return batch

    def _add_alone(self, frame: ArenaFrame) -> Batch:
        self._begin_batch()
        batch = self._add(frame.SerializeToString())
        batch.alone = True
        return batch

    def _begin_batch(self) -> Batch:
        batch = Batch()
        self._batches.append(batch)
        self._some.set()
        return batch
