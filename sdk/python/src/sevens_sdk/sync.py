"""Plays with a bot whose methods are plain functions.

The bot thinks in the thread in which gRPC asks for what to send next, so that an answer takes the
shortest way out. Another thread reads meanwhile, and the bot then finds together what has come. The
thread that called `run` waits.
"""

import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from queue import SimpleQueue
from threading import Event, Thread

import grpc

from sevens.bot.v1.bot_service_pb2 import ArenaFrame, BotFrame
from sevens_sdk.connection import (
    ENDED,
    LAST_WORDS_SECONDS,
    METHOD,
    OPTIONS,
    Patience,
    Place,
    reason_of,
)
from sevens_sdk.session import Call, Refused, Session, pong_to

# An answer does not wait longer than this for the others of its frame.
PROMPT_SECONDS = 0.01


def play(session: Session, place: Place) -> None:
    """Plays until the arena says goodbye."""
    patience = Patience(place.address)
    while True:
        with Stream(session, place) as stream:
            reason = stream.play()
        if session.goodbye:
            return
        time.sleep(patience.after(session.welcomed_at, reason))


def channel_to(place: Place) -> grpc.Channel:
    if not place.tls:
        return grpc.insecure_channel(place.address, options=OPTIONS)
    credentials = grpc.ssl_channel_credentials(place.roots)
    return grpc.secure_channel(place.address, credentials, options=OPTIONS)


class Stream:
    def __init__(self, session: Session, place: Place) -> None:
        self.session = session
        # What is due of the bot's code.
        self.calls: deque[Call] = deque()
        # None: the stream is over.
        self.inbox: SimpleQueue[ArenaFrame | None] = SimpleQueue()
        # Why the stream has ended, once it has. (To wait for the reader itself would not do: up to
        # Python 3.12 a thread whose join was interrupted counts as ended.)
        self.reason = ""
        self.ended = Event()
        self.failure: BaseException | None = None
        # Whether gRPC's thread is done with the bot: it has said all, has failed, or the stream is
        # over.
        self.silent = Event()
        self.channel = channel_to(place)
        method = self.channel.stream_stream(
            METHOD,
            request_serializer=BotFrame.SerializeToString,
            response_deserializer=ArenaFrame.FromString,
        )
        call = method(self.requests())
        self.reader = Thread(target=self.read, args=(call,), name="reader", daemon=True)
        self.reader.start()

    def __enter__(self) -> "Stream":
        return self

    def __exit__(self, *_: object) -> None:
        """Ends the stream, and lets go of gRPC's call while all threads still run. When the process
        ends, Python stops them wherever they are, with locks in their hands; what is left of a call
        then asks for its lock, and waits for ever."""
        self.channel.close()
        self.reader.join()  # nobody else holds the call

    def play(self) -> str:
        """Returns why the stream has ended."""
        self.silent.wait()
        if self.failure is not None:
            raise self.failure
        self.ended.wait(LAST_WORDS_SECONDS)
        self.conclude()
        return self.reason or "the arena did not end the stream"

    def conclude(self) -> None:
        """Sees through what was heard: answers that come too late here are said on the next stream,
        if they are asked for there."""
        frames = [] if self.inbox.empty() else self.gathered()
        self.calls.extend(self.session.receive(frames))
        while self.calls:
            make(self.calls.popleft())

    def read(self, call: Iterable[ArenaFrame]) -> None:
        try:
            for frame in call:
                self.inbox.put(frame)
            self.reason = ENDED
        except grpc.RpcError as error:
            self.reason = reason_of(error)
            error.__traceback__ = None  # it is the call, which would hold itself by this frame
        self.ended.set()
        self.inbox.put(None)

    # In gRPC's thread -----------------------------------------------------------------------------

    def requests(self) -> Iterator[BotFrame]:
        """What the bot says. gRPC asks for the next frame when it has written the one before; when
        the stream has broken, it closes the generator."""
        try:
            yield self.session.open()
            while not self.done and (frames := self.gathered()):
                yield from filter(None, map(pong_to, frames))
                yield from self.thoughts(frames)
        finally:
            self.silent.set()

    @property
    def done(self) -> bool:
        return self.failure is not None or self.session.finished

    def gathered(self) -> list[ArenaFrame]:
        """Waits for a frame; returns all there are, or none if the stream is over."""
        frames: list[ArenaFrame] = []
        while not frames or not self.inbox.empty():
            frame = self.inbox.get()
            if frame is None:
                self.inbox.put(None)  # to be found again, by itself
                break
            frames.append(frame)
        return frames

    def thoughts(self, frames: Sequence[ArenaFrame]) -> Iterator[BotFrame]:
        """Makes the calls that are due. If one fails, what was answered is said all the same: a
        crash is a fault only in the matches in which an answer is missing."""
        said_at = time.monotonic()
        self.hear(frames)
        while self.calls and self.failure is None:
            self.think()
            if time.monotonic() - said_at > PROMPT_SECONDS:
                yield from self.session.outgoing()
                said_at = time.monotonic()
        yield from self.session.outgoing()

    def hear(self, frames: Sequence[ArenaFrame]) -> None:
        try:
            self.calls.extend(self.session.receive(frames))
        except Refused as error:
            self.failure = error

    def think(self) -> None:
        try:
            make(self.calls.popleft())
        except BaseException as error:
            self.failure = error


def make(call: Call) -> None:
    try:
        call.finish(call.begin())
    except BaseException as error:
        call.blame(error)
        raise
