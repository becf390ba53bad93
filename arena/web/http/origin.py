"""Refuses requests that change something and come from the page of another site."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
SENTENCE = (
    "This form was sent from another site, so nothing was changed. Open the arena's own page and"
    " send it from there.\n"
)


class SameOrigin:
    """Lets unsafe methods through only from the site's own pages, and from programs, which send
    neither header and hold no cookie of a browser.

    `public`: the origin by which visitors reach the pages if a proxy stands before them; empty: the
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
