"""What waits to be sent to a bot, gathered into frames."""

from __future__ import annotations

import asyncio
from collections import deque

from arena.bots.line import Question
from sevens.bot.v1.bot_service_pb2 import ArenaFrame, Goodbye
from sevens.bot.v1.match_pb2 import MatchEnd, MatchStart

# What a message in a frame takes beside its own bytes: its tag, and its length below 2**28.
OVERHEAD_BYTES = 5


class Batch:
    """One frame, and the questions in it. `size`: its bytes, or a few more than that; the limit if
    nothing may join it."""

    __slots__ = ("frame", "questions", "size")

    def __init__(self) -> None:
        self.frame = ArenaFrame()
        self.questions: list[Question] = []
        self.size = 0


class Outbox:
    """Gathers messages until they are taken, in as few frames as order and size allow.

    A bot handles the starts of a frame before its ends. That it may never have more matches than it
    takes at once, a start that follows an end begins a new frame. `size`: bytes that wait.
    """

    joining = True  # `python -m bench host` sends each message alone, to see what joining is worth

    def __init__(self, frame_limit_bytes: int) -> None:
        self.size = 0
        self._frame_limit = frame_limit_bytes
        self._batches: deque[Batch] = deque()
        self._some = asyncio.Event()

    def start(self, start: MatchStart) -> None:
        last = self._batches[-1] if self._batches else None
        if last is not None and last.frame.ends:
            self._begin_batch()
        self._batch_for(start.ByteSize()).frame.starts.append(start)

    def ask(self, question: Question) -> None:
        batch = self._batch_for(question.decision.ByteSize())
        batch.frame.decisions.append(question.decision)
        batch.questions.append(question)

    def end(self, end: MatchEnd) -> None:
        self._batch_for(end.ByteSize()).frame.ends.append(end)

    def say_goodbye(self, goodbye: Goodbye) -> None:
        self._batch_for(goodbye.ByteSize()).frame.goodbye.CopyFrom(goodbye)

    def put_alone(self, frame: ArenaFrame) -> None:
        """Adds a frame that nothing may join: a welcome, a refusal."""
        batch = self._begin_batch()
        batch.frame = frame
        batch.size = self._frame_limit
        self.size += batch.size

    async def take(self) -> Batch:
        """Waits until there is something, and takes the first frame of it."""
        await self._some.wait()
        batch = self._batches.popleft()
        self.size -= batch.size
        if not self._batches:
            self._some.clear()
        return batch

    def _batch_for(self, message_bytes: int) -> Batch:
        """The last batch if the message has room there, else a new one. A message that is larger
        than a frame may be gets a frame of its own all the same."""
        size = message_bytes + OVERHEAD_BYTES
        batch = self._batches[-1] if self._batches else self._begin_batch()
        if batch.size and (not self.joining or batch.size + size > self._frame_limit):
            batch = self._begin_batch()
        batch.size += size
        self.size += size
        return batch

    def _begin_batch(self) -> Batch:
        batch = Batch()
        self._batches.append(batch)
        self._some.set()
        return batch
