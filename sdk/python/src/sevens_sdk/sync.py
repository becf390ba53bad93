"""Plays with a bot whose methods are plain functions.

The bot thinks in the thread that called `run`. A second thread reads, so that pings are answered
meanwhile, and the bot then finds together what has come. A thread of gRPC's writes.
"""

import time
from collections.abc import Iterator
from queue import Empty, SimpleQueue
from threading import Event, Thread

import grpc

from sevens.bot.v1.bot_service_pb2 import ArenaFrame, BotFrame
from sevens_sdk.connection import (
    ENDED,
    FLUSH_SECONDS,
    LAST_WORDS_SECONDS,
    METHOD,
    OPTIONS,
    Patience,
    reason_of,
)
from sevens_sdk.session import Session, pong_to

# An answer does not wait longer than this for the others of its frame.
PROMPT_SECONDS = 0.01
# A wait for a queue may miss that Ctrl-C was pressed; another look after so long does not.
INTERRUPT_SECONDS = 1.0


def play(session: Session, address: str) -> None:
    """Plays until the arena says goodbye."""
    patience = Patience(address)
    while True:
        with grpc.insecure_channel(address, options=OPTIONS) as channel:
            reason = Stream(session, channel).play()
        if session.goodbye:
            return
        time.sleep(patience.after(session.welcomed_at, reason))


class Stream:
    def __init__(self, session: Session, channel: grpc.Channel) -> None:
        self.session = session
        # None: the bot closes its side. An Event: is set when all before it is written.
        self.outbox: SimpleQueue[BotFrame | Event | None] = SimpleQueue()
        # A text: why the stream has ended.
        self.inbox: SimpleQueue[ArenaFrame | str] = SimpleQueue()
        self.outbox.put(session.open())
        method = channel.stream_stream(
            METHOD,
            request_serializer=BotFrame.SerializeToString,
            response_deserializer=ArenaFrame.FromString,
        )
        self.call = method(self.requests())
        Thread(target=self.read, name="reader", daemon=True).start()

    def play(self) -> str:
        """Returns why the stream has ended."""
        try:
            while not self.session.finished:
                frames, end = self.gathered()
                self.think(frames)
                if end is not None:
                    return end
            self.outbox.put(None)
            return self.await_end()
        finally:
            self.outbox.put(None)

    def think(self, frames: list[ArenaFrame]) -> None:
        said_at = time.monotonic()
        for call in self.session.receive(frames):
            try:
                call.finish(call.begin())
            except Exception as error:
                call.blame(error)
                self.flush()
                raise
            if time.monotonic() - said_at > PROMPT_SECONDS:
                self.say()
                said_at = time.monotonic()
        self.say()

    def gathered(self) -> tuple[list[ArenaFrame], str | None]:
        """Waits for a frame; returns all there are and, if the stream has ended, why."""
        frames: list[ArenaFrame] = []
        while not frames or not self.inbox.empty():
            try:
                item = self.inbox.get(timeout=INTERRUPT_SECONDS)
            except Empty:
                continue
            if isinstance(item, str):
                return frames, item
            frames.append(item)
        return frames, None

    def say(self) -> None:
        for frame in self.session.outgoing():
            self.outbox.put(frame)

    def await_end(self) -> str:
        deadline = time.monotonic() + LAST_WORDS_SECONDS
        try:
            while not isinstance(
                item := self.inbox.get(timeout=max(0, deadline - time.monotonic())), str
            ):
                pass
        except Empty:
            return "the arena did not end the stream"
        return item

    def flush(self) -> None:
        """Waits until what has been answered is written: a crash is a fault only in the matches in
        which an answer is missing."""
        written = Event()
        self.say()
        self.outbox.put(written)
        written.wait(FLUSH_SECONDS)

    # In other threads ---------------------------------------------------------------------------

    def requests(self) -> Iterator[BotFrame]:
        """gRPC asks for the next frame when it has written the one before."""
        while (item := self.outbox.get()) is not None:
            if isinstance(item, Event):
                item.set()
            else:
                yield item

    def read(self) -> None:
        try:
            for frame in self.call:
                pong = pong_to(frame)
                if pong is not None:
                    self.outbox.put(pong)
                self.inbox.put(frame)
            self.inbox.put(ENDED)
        except grpc.RpcError as error:
            self.inbox.put(reason_of(error))
