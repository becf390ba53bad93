"""Pages below a path of their host, such as https://example.org/arena."""

from __future__ import annotations

import re
from collections.abc import Mapping

from starlette.datastructures import MutableHeaders
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

ADDRESS = re.compile(rb'(\s(?:href|src|action|formaction|poster|data-[a-z-]+)=\\?")/(?!/)')
"""An attribute with an address of this site: templates escape the quotation marks of all texts.
Before the first one a backslash, where an event has a part of a page as JSON."""
REWRITTEN = {"text/html": True, "text/event-stream": False}
"""The media types with addresses of pages, and whether to wait for the whole answer."""


class Below:
    """Serves an application, which knows nothing of it, below a path.

    The path is taken off requests that have it, since some proxies do so and others do not. It is
    put in front of every address of this site in answers: of links, forms and scripts, of
    redirections and of the paths of cookies.
    """

    def __init__(self, app: ASGIApp, path: str) -> None:
        self._app = app
        self._path = path

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
        elif scope["path"] == self._path:
            await RedirectResponse(f"{self._path}/", 308)(scope, receive, send)
        else:
            await self._app(self._within(scope), receive, _Answer(self._path, send))

    def _within(self, scope: Scope) -> Scope:
        if not scope["path"].startswith(f"{self._path}/"):
            return scope
        raw = scope.get("raw_path") or b""
        own = {"path": scope["path"].removeprefix(self._path)}
        return {**scope, **own, "raw_path": raw.removeprefix(self._path.encode())}


class _Answer:
    """One answer on its way out."""

    def __init__(self, path: str, send: Send) -> None:
        self._path = path
        self._replacement = rb"\g<1>" + path.encode() + b"/"
        self._send = send
        self._rewritten = self._whole = False
        self._start: Message = {}
        self._body = b""

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            await self._begin(message)
        elif message["type"] != "http.response.body" or not self._rewritten:
            await self._send(message)
        elif not self._whole:
            await self._send({**message, "body": self._moved(message.get("body", b""))})
        else:
            self._body += message.get("body", b"")
            if not message.get("more_body", False):
                body = self._moved(self._body)
                MutableHeaders(scope=self._start)["Content-Length"] = str(len(body))
                await self._send(self._start)
                await self._send({**message, "body": body})

    async def _begin(self, message: Message) -> None:
        headers = MutableHeaders(scope=message)
        self._move(message)
        kind = headers.get("content-type", "").partition(";")[0]
        self._rewritten, self._whole = kind in REWRITTEN, REWRITTEN.get(kind, False)
        if self._whole:
            self._start = message
        else:
            await self._send(message)

    def _move(self, start: Message) -> None:
        """Puts the path in front of the addresses in the headers."""
        path = self._path.encode()
        moved: Mapping[bytes, tuple[bytes, bytes]] = {
            b"location": (rb"^/(?!/)", path + b"/"),
            b"set-cookie": (rb"(?i)(; path=)/", rb"\g<1>" + path + b"/"),
            b"www-authenticate": (rb'(form-action=")/', rb"\g<1>" + path + b"/"),
        }
        start["headers"] = [
            (name, re.sub(*moved[name.lower()], value) if name.lower() in moved else value)
            for name, value in start["headers"]
        ]

    def _moved(self, body: bytes) -> bytes:
        return ADDRESS.sub(self._replacement, body)
