"""Plays with a bot whose methods are plain functions.

One thread does everything: it waits for frames in an event loop, and calls the bot from there.
While the bot thinks, that loop is paused and is not the running one, so that the bot may run a loop
of its own. Frames that arrive meanwhile wait inside gRPC, whose own threads keep the connection
alive.
"""

import asyncio
from collections import deque
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any

import grpc.aio

from sevens.bot.v1.bot_service_pb2 import ArenaFrame, BotFrame
from sevens_sdk.aio import channel_to
from sevens_sdk.connection import (
    ENDED,
    FLUSH_SECONDS,
    LAST_WORDS_SECONDS,
    METHOD,
    Patience,
    Place,
    reason_of,
)
from sevens_sdk.leaving import Leaving
from sevens_sdk.session import Call, Session, pong_to

# The longest time that an answer waits for the others of its frame.
PROMPT_SECONDS = 0.01
# If the bot thought for at least this long, several frames may be waiting. Those that arrive within
# a share of that time of each other are handled together.
LONG_THOUGHT_SECONDS = 0.002
LULL_SHARE = 0.05


async def play(session: Session, place: Place, leaving: Leaving) -> None:
    """Plays until the arena says goodbye."""
    patience = Patience(place.address, session.clock)
    while True:
        async with Stream(session, place, leaving) as stream:
            reason = await stream.play()
        if session.over:
            return
        session.dialling = True
        await asyncio.sleep(patience.after(session.welcomed_at, reason))


class Stream:
    def __init__(self, session: Session, place: Place, leaving: Leaving) -> None:
        self.session = session
        self.leaving = leaving
        self.channel = channel_to(place)
        self.call = self.channel.stream_stream(
            METHOD,
            request_serializer=BotFrame.SerializeToString,
            response_deserializer=ArenaFrame.FromString,
        )()
        # Calls of the bot's code that have not been made yet.
        self.calls: deque[Call] = deque()
        # The seconds for which the bot thought about the latest frames.
        self.thought_for = 0.0
        # A read that is under way although nobody is waiting for it.
        self.reading: asyncio.Task[Any] | None = None
        self.writing = asyncio.Lock()
        # The task that writes while another one reads.
        self.aside: asyncio.Task[None] | None = None
        # The reason why the stream ended, once it has. (Not an exception, because one that passes
        # through a task keeps itself, and gRPC's call, alive through its traceback.)
        self.reason = ""

    async def __aenter__(self) -> "Stream":
        return self

    async def __aexit__(self, *_: object) -> None:
        """Ends the stream and drops gRPC's call. Nothing of gRPC may be left when the process
        ends, because Python then stops threads wherever they are, with the locks they hold."""
        self.leaving.on_leave = lambda: None
        under_way = [task for task in (self.reading, self.aside) if task is not None]
        for task in under_way:
            task.cancel()
        await asyncio.gather(*under_way, return_exceptions=True)
        await self.channel.close()
        del self.call, self.channel, self.reading, self.aside

    async def play(self) -> str:
        """Returns the reason why the stream ended."""
        due = [self.session.open(), *self.session.outgoing()]
        self.leaving.on_leave = self.say_aside
        while not self.session.finished:
            frames = await self.exchange(due)
            if not frames:
                return self.reason
            await self.think(frames)
            due = self.session.outgoing()
        await self.think(await self.last_frames(due))
        return self.reason or "the arena did not end the stream"

    async def think(self, frames: Sequence[ArenaFrame]) -> None:
        """Makes the calls that frames lead to. If one fails, the answers given so far are still
        sent: a crash is a fault only in the matches in which an answer is missing."""
        if pongs := [pong for frame in frames if (pong := pong_to(frame))]:
            await self.say(pongs)
        self.calls.extend(self.session.receive(frames))
        clock = self.session.clock
        began = said_at = clock()
        now = began
        try:
            while self.calls:
                self.make(self.calls.popleft())
                now = clock()
                if now - said_at > PROMPT_SECONDS and self.calls:
                    await self.say(self.session.outgoing())
                    said_at = now
        except BaseException:
            await self.flush()
            raise
        self.thought_for = now - began

    async def exchange(self, due: Iterable[BotFrame]) -> list[ArenaFrame]:
        """Sends what is due and waits for the next frame. Returns it and those right behind it, or
        nothing if the stream is over."""
        await self.say(due)
        frames = await self.read()
        if self.thought_for >= LONG_THOUGHT_SECONDS:
            while not self.reason and await self.another_within(LULL_SHARE * self.thought_for):
                frames += await self.read()
        return frames

    def say_aside(self) -> None:
        self.aside = asyncio.create_task(self.say(self.session.outgoing()))

    async def say(self, frames: Iterable[BotFrame]) -> None:
        # If the stream has broken, the next read finds out why.
        with suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
            async with self.writing:  # gRPC takes one frame at a time
                for frame in frames:
                    await self.call.write(frame)

    async def flush(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(FLUSH_SECONDS):
                await self.say(self.session.outgoing())

    async def read(self) -> list[ArenaFrame]:
        """Returns the next frame, or nothing if the stream is over."""
        reading, self.reading = self.reading, None
        try:
            frame = await (reading or self.call.read())
        except grpc.aio.AioRpcError as error:
            self.reason = reason_of(error)
            return []
        if isinstance(frame, ArenaFrame):
            return [frame]
        self.reason = ENDED
        return []

    async def another_within(self, seconds: float) -> bool:
        """Begins to read. Returns whether a frame, or the end of the stream, arrives in time."""
        self.reading = asyncio.create_task(self.call.read())
        await asyncio.wait({self.reading}, timeout=seconds)
        return self.reading.done()

    async def last_frames(self, due: Iterable[BotFrame]) -> list[ArenaFrame]:
        """Sends what is due, closes the bot's side, and returns what arrives until the stream ends
        or the time limit is reached."""
        frames: list[ArenaFrame] = []
        with suppress(TimeoutError):
            async with asyncio.timeout(LAST_WORDS_SECONDS):
                await self.say(due)
                async with self.writing:
                    await self.call.done_writing()
                while not self.reason:
                    frames += await self.read()
        return frames

    def make(self, call: Call) -> None:
        """Calls the bot's code as if no event loop were running."""
        loop = asyncio.get_running_loop()
        task = asyncio.current_task(loop)
        assert task is not None, "the bot is called by a task of the loop"
        asyncio._leave_task(loop, task)
        asyncio._set_running_loop(None)
        self.leaving.in_bot = True
        try:
            call.finish(call.begin())
        except BaseException as error:
            call.blame(error)
            raise
        finally:
            self.leaving.in_bot = False
            asyncio._set_running_loop(loop)
            asyncio._enter_task(loop, task)
        # The bot may have caught the KeyboardInterrupt.
        self.leaving.check()
