"""The open event streams of all visitors, and their bounds.

They are Starlette's own streaming responses. The one of sse-starlette runs four tasks a stream: for
2,000 idle streams it took 87 MB instead of 53 and twice the processor time (2 cores, Python 3.11).
It also replaces uvicorn's handling of signals, and reports each visitor who reads too slowly as an
error of the application.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import ClassVar

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from arena.errors import ArenaError, Kind
from arena.web.events.topic import Look, Topic
from arena.web.http import network_of

LONGEST_PAUSE_S = 30  # of a visitor who is refused
COME_BACK_AFTER_MS = 3_000  # of a visitor whose stream ended


@dataclass(frozen=True)
class StreamBounds:
    """Bounds of event streams.

    `everywhere`, `an_address`: the most that may be open, in all and from one address.
    `period_s`: the time between two looks at a topic.
    `heartbeat_s`: the time without news after which a comment shows that the stream lives.
    `send_within_s`: the time that a visitor may take to read before the stream is cut off.
    """

    everywhere: int = 2_000
    an_address: int = 64
    period_s: float = 1.0
    heartbeat_s: float = 15.0
    send_within_s: float = 30.0


class StreamRefused(ArenaError):
    """No further event stream is opened at the moment. `headers`: of the answer that says so."""

    headers: ClassVar = {"Retry-After": str(LONGEST_PAUSE_S), "Connection": "close"}


class Streams:
    """All event streams of a process."""

    def __init__(self, bounds: StreamBounds) -> None:
        self.bounds = bounds
        self._topics: dict[str, Topic] = {}
        self._open: dict[str, list[EventStream]] = {}  # by address, in the order of their begin
        self._stopping = False

    @property
    def open_streams(self) -> int:
        """The number of open streams."""
        return sum(map(len, self._open.values()))

    @property
    def _is_full(self) -> bool:
        return self.open_streams >= self.bounds.everywhere

    @property
    def _most_of_an_address(self) -> Sequence[EventStream]:
        return max(self._open.values(), key=len, default=[])

    def check(self, request: Request) -> None:
        """Raises StreamRefused if no further stream may be opened for this visitor."""
        if self._stopping:
            raise StreamRefused(Kind.UNREACHABLE, "The pages are being stopped.")
        own = len(self._open.get(network_of(request), ()))
        if own >= self.bounds.an_address:
            raise StreamRefused(
                Kind.TOO_MANY,
                f"{self.bounds.an_address} event streams are open from your address already; close"
                " some of them.",
            )
        if self._is_full and len(self._most_of_an_address) <= own + 1:
            raise StreamRefused(
                Kind.UNREACHABLE,
                "Too many visitors watch at the moment; ask again in a minute.",
            )

    def open(self, request: Request, name: str, look: Look) -> Response:
        """Returns the stream of the topic of that name. If there is no room, the address that has
        most of the streams loses its oldest, which may not even be read. Raises StreamRefused."""
        if request.method == "HEAD":
            return Response(media_type=EventStream.media_type)
        self.check(request)
        if self._is_full:
            self._most_of_an_address[0].cut_off()
        known = request.headers.get("last-event-id", "")
        return EventStream(self, network_of(request), name, look, known)

    @contextmanager
    def counted(self, address: str, stream: EventStream) -> Iterator[None]:
        """Counts a stream to that address until the context ends, or it is forgotten."""
        self._open.setdefault(address, []).append(stream)
        try:
            yield
        finally:
            self.forget(address, stream)

    def forget(self, address: str, stream: EventStream) -> None:
        """Counts a stream no longer. Harmless if it is not counted."""
        streams = self._open.get(address, [])
        if stream in streams:
            streams.remove(stream)
            if not streams:
                del self._open[address]

    @contextmanager
    def watching(self, name: str, look: Look) -> Iterator[Topic]:
        """Watches a topic for as long as the context lasts, together with all its watchers."""
        topic = self._topics.get(name)
        if topic is None or topic.is_over:
            topic = self._topics[name] = Topic(name, look, self.bounds.period_s)
        topic.watchers += 1
        try:
            yield topic
        finally:
            topic.watchers -= 1
            if not topic.watchers:
                topic.end()
                if self._topics.get(name) is topic:
                    del self._topics[name]

    def stop(self) -> None:
        """Ends all streams, and opens no more."""
        self._stopping = True
        for topic in self._topics.values():
            topic.end()


class EventStream(StreamingResponse):
    """An answer that lasts for as long as the visitor watches.

    `known`: the id of the state that the visitor has seen last; empty: none.
    """

    media_type = "text/event-stream"

    def __init__(self, streams: Streams, address: str, name: str, look: Look, known: str) -> None:
        super().__init__((), headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
        self._streams = streams
        self._address = address
        self._name = name
        self._look = look
        self._known = known
        self._until = asyncio.timeout(None)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self._streams.counted(self._address, self):
            await super().__call__(scope, receive, send)

    def cut_off(self) -> None:
        """Ends the stream, so that another visitor has its room. Its visitor may come back."""
        self._streams.forget(self._address, self)
        self._until.reschedule(asyncio.get_running_loop().time())

    async def stream_response(self, send: Send) -> None:
        """Sends news until there will be no more, or the visitor reads too slowly."""
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        try:
            await self._send(send, f"retry: {COME_BACK_AFTER_MS}\n\n")
            with self._streams.watching(self._name, self._look) as topic, suppress(TimeoutError):
                async with self._until:
                    while (news := await self._next(topic)) is not None:
                        await self._send(send, news)
            stop = "" if self._until.expired() else "event: stop\ndata:\n\n"
            await self._send(send, stop, more=False)
        except _ReadsTooSlowly:
            return

    async def _next(self, topic: Topic) -> str | None:
        """Returns the next text for the visitor; None at the end."""
        try:
            async with asyncio.timeout(self._streams.bounds.heartbeat_s):
                state = await topic.after(self._known)
        except TimeoutError:
            return ": nothing new\n\n"
        if state is None:
            return None
        self._known = state.id
        return f"id: {state.id}\ndata: {state.data}\n\n"

    async def _send(self, send: Send, text: str, *, more: bool = True) -> None:
        body = {"type": "http.response.body", "body": text.encode(), "more_body": more}
        try:
            async with asyncio.timeout(self._streams.bounds.send_within_s):
                await send(body)
        except TimeoutError:
            raise _ReadsTooSlowly from None


class _ReadsTooSlowly(Exception):
    """The visitor does not read the stream."""


def streams_of(request: Request) -> Streams:
    """Returns the event streams of the process that answers a request."""
    streams = request.app.state.streams
    assert isinstance(streams, Streams)
    return streams
