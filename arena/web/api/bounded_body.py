"""The bodies of changes: bounded in size and time before anything reads them."""

from __future__ import annotations

import asyncio

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from arena.errors import ArenaError, Kind
from arena.web.api.error_answer import answer_of
from arena.web.http import SAFE

LONGEST_BODY = 64 * 1024  # bytes
BODY_S = 20.0


class BoundedBody:
    """Reads the whole body of a change first, and answers for the application if it is too long or
    too slow."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] in SAFE:
            await self._app(scope, receive, send)
            return
        try:
            async with asyncio.timeout(BODY_S):
                body = await _body(Headers(scope=scope), receive)
        except TimeoutError:
            slow = ArenaError(Kind.TOO_SLOW, f"The body did not arrive within {BODY_S:g} seconds.")
            await answer_of(slow)(scope, receive, send)
        except ArenaError as refused:
            await answer_of(refused)(scope, receive, send)
        else:
            await self._app(scope, _again(body, receive), send)


async def _body(headers: Headers, receive: Receive) -> bytes:
    """Returns a body. Raises ArenaError if it is too long, or says that it will be."""
    announced = headers.get("content-length", "")
    size = int(announced) if announced.isdecimal() else 0
    parts: list[bytes] = []
    more = True
    while more and size <= LONGEST_BODY:
        message = await receive()
        parts.append(message.get("body", b""))
        size = max(size, sum(map(len, parts)))
        more = message["type"] == "http.request" and message.get("more_body", False)
    if size > LONGEST_BODY:
        raise ArenaError(
            Kind.TOO_LARGE, f"The body is longer than {LONGEST_BODY >> 10} KiB.", "body"
        )
    return b"".join(parts)


def _again(body: bytes, receive: Receive) -> Receive:
    """Returns what receives the body that has been read, and then what comes after it."""
    first = True

    async def receive_again() -> Message:
        nonlocal first
        if first:
            first = False
            return {"type": "http.request", "body": body, "more_body": False}
        return await receive()

    return receive_again
