"""For every request and answer: security headers, and no changes by the pages of other sites."""

from __future__ import annotations

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

EMBED = "/embed/"
"""Pages under this address may be framed by any other site. They ignore logins."""

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
    " connect-src 'self'; font-src 'self'; manifest-src 'self'; form-action 'self';"
    " base-uri 'none'; frame-ancestors "
)
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
SENTENCE = (
    "This form was sent from another site, so nothing was changed. Open the arena's own page and"
    " send it from there.\n"
)


class SecurityHeaders:
    """Adds the security headers to every answer that has none of its own."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        framed = scope["path"].startswith(EMBED)

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.setdefault(
                    "Content-Security-Policy", POLICY + ("*" if framed else "'none'")
                )
                headers.setdefault("X-Content-Type-Options", "nosniff")
                headers.setdefault("Referrer-Policy", "same-origin")
                headers.setdefault("Cross-Origin-Opener-Policy", "same-origin")
                headers.setdefault("Cache-Control", "private, no-cache")
            await send(message)

        await self._app(scope, receive, send_with_headers)


class SameOrigin:
    """Lets unsafe methods through only from the site's own pages, and from programs, which send
    neither header and hold no cookie of a browser.

    `public`: the origin by which visitors reach the pages if they are behind a proxy; empty: the
      scheme and host of the request.
    """

    def __init__(self, app: ASGIApp, public: str = "") -> None:
        self._app = app
        self._public = public

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] not in SAFE and not self._is_own(scope):
            await PlainTextResponse(SENTENCE, 403)(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _is_own(self, scope: Scope) -> bool:
        headers = Headers(scope=scope)
        site = headers.get("sec-fetch-site")
        if site is not None:
            return site == "same-origin"
        origin = headers.get("origin")
        if origin is not None:
            own = self._public or f"{scope['scheme']}://{headers.get('host', '')}"
            return origin == own
        return "cookie" not in headers
