"""The bodies of changes: bounded in size and time before anything reads them."""

from __future__ import annotations

from starlette.requests import ClientDisconnect, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from arena.errors import ArenaError
from arena.web.api.error_answer import answer_of
from arena.web.http import SAFE, read_body

LONGEST_BODY = 64 * 1024  # bytes
TOO_LONG = f"The body is longer than {LONGEST_BODY >> 10} KiB."


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
            body = await read_body(Request(scope, receive), LONGEST_BODY, TOO_LONG)
        except ClientDisconnect:
            return
        except ArenaError as refused:
            await answer_of(refused)(scope, receive, send)
        else:
            await self._app(scope, _again(body, receive), send)


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
