"""Plays with a bot whose methods are coroutines: it thinks about several matches concurrently."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from inspect import isawaitable
from typing import Any

import grpc
import grpc.aio

from sevens.bot.v1.bot_service_pb2 import ArenaFrame, BotFrame
from sevens_sdk.connection import (
    ENDED,
    FLUSH_SECONDS,
    LAST_WORDS_SECONDS,
    METHOD,
    OPTIONS,
    Patience,
    Place,
    reason_of,
)
from sevens_sdk.leaving import Leaving
from sevens_sdk.session import Call, Seat, Session, Task, pong_to


async def play(session: Session, place: Place, leaving: Leaving) -> None:
    """Plays until the arena says goodbye."""
    patience = Patience(place.address, session.clock)
    thoughts = Thoughts()
    try:
        while True:
            async with channel_to(place) as channel:
                stream = Stream(session, thoughts, channel)
                leaving.on_leave = stream.due.set
                reason = await stream.play()
            if session.over:
                await thoughts.see_ends_through()
                return
            session.dialling = True
            await thoughts.sleep(patience.after(session.welcomed_at, reason))
    finally:
        thoughts.cancel()


def channel_to(place: Place) -> grpc.aio.Channel:
    if not place.tls:
        return grpc.aio.insecure_channel(place.address, options=OPTIONS)
    credentials = grpc.ssl_channel_credentials(place.roots)
    return grpc.aio.secure_channel(place.address, credentials, options=OPTIONS)


class Thoughts:
    """The running calls of the bot's code. They continue while a lost stream is replaced."""

    def __init__(self) -> None:
        # The first exception raised by the bot's code; it ends the process.
        self.failure: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        # Called when there may be something to send.
        self.on_progress: Callable[[], object] = lambda: None
        self.running: dict[asyncio.Task[None], Call] = {}
        self.of_seat: dict[Seat, asyncio.Task[None]] = {}

    def begin(self, call: Call) -> None:
        before = {self.of_seat[seat] for seat in call.seats if seat in self.of_seat}
        if call.task is Task.END:
            # Nobody is waiting for the answer any more.
            for thought in before:
                thought.cancel()
        task = asyncio.create_task(self.think(call, before))
        self.running[task] = call
        task.add_done_callback(self.done)
        if len(call.seats) == 1:
            self.of_seat[call.seats[0]] = task

    async def think(self, call: Call, before: set[asyncio.Task[None]]) -> None:
        if before:
            await asyncio.wait(before)
        try:
            result = call.begin()
            call.finish(await result if isawaitable(result) else result)
        except Exception as error:
            call.blame(error)
            if not self.failure.done():
                self.failure.set_exception(error)
        self.on_progress()

    def done(self, task: asyncio.Task[None]) -> None:
        for seat in self.running.pop(task).seats:
            if self.of_seat.get(seat) is task:
                del self.of_seat[seat]

    async def sleep(self, seconds: float) -> None:
        await asyncio.wait({self.failure}, timeout=seconds)
        self.raise_failure()

    def raise_failure(self) -> None:
        if self.failure.done():
            self.failure.result()

    async def see_ends_through(self) -> None:
        ends = [task for task, call in self.running.items() if call.task is Task.END]
        if ends:
            await asyncio.wait(ends)
        self.raise_failure()

    def cancel(self) -> None:
        for task in self.running:
            task.cancel()


class Stream:
    def __init__(self, session: Session, thoughts: Thoughts, channel: grpc.aio.Channel) -> None:
        self.session = session
        self.thoughts = thoughts
        self.first = session.open()
        self.pongs: list[BotFrame] = []
        # Set when there may be something to send, and when everything sent has been written.
        self.due = asyncio.Event()
        self.due.set()
        self.written = asyncio.Event()
        # Set when the bot has closed its side.
        self.closed = asyncio.Event()
        thoughts.on_progress = self.due.set
        method = channel.stream_stream(
            METHOD,
            request_serializer=BotFrame.SerializeToString,
            response_deserializer=ArenaFrame.FromString,
        )
        self.call = method(self.requests())

    async def play(self) -> str:
        """Returns the reason why the stream ended."""
        reading = asyncio.create_task(self.read())
        closing = asyncio.create_task(self.closed.wait())
        try:
            what_may_come: set[asyncio.Future[Any]] = {reading, closing, self.thoughts.failure}
            await asyncio.wait(what_may_come, return_when=asyncio.FIRST_COMPLETED)
            if self.thoughts.failure.done():
                await self.flush()
                self.thoughts.raise_failure()
            await asyncio.wait({reading}, timeout=LAST_WORDS_SECONDS)
            return reading.result() if reading.done() else "the arena did not end the stream"
        finally:
            reading.cancel()
            closing.cancel()
            self.closed.set()
            self.due.set()

    async def read(self) -> str:
        frame: ArenaFrame
        try:
            async for frame in self.call:
                if self.closed.is_set():
                    continue
                pong = pong_to(frame)
                if pong is not None:
                    self.pongs.append(pong)
                for call in self.session.receive([frame]):
                    self.thoughts.begin(call)
                self.due.set()
        except grpc.aio.AioRpcError as error:
            return reason_of(error)
        return ENDED

    async def requests(self) -> AsyncIterator[BotFrame]:
        """Yields what the bot sends. gRPC asks for the next frame once it has written this one."""
        yield self.first
        while not self.closed.is_set():
            if not self.due.is_set():
                self.written.set()
            await self.due.wait()
            if self.closed.is_set():
                return
            self.due.clear()
            pongs, self.pongs = self.pongs, []
            for frame in [*pongs, *self.session.outgoing()]:
                yield frame
            if self.session.finished:
                self.closed.set()

    async def flush(self) -> None:
        """Waits until all answers given so far are written: a crash is a fault only in the matches
        in which an answer is missing."""
        self.written.clear()
        self.due.set()
        with suppress(TimeoutError):
            async with asyncio.timeout(FLUSH_SECONDS):
                await self.written.wait()
