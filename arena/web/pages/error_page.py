"""Failures as pages: each says what was wrong, and what to do."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response

from arena.errors import ArenaError, Kind
from arena.failures import KNOWN
from arena.web.events import StreamRefused
from arena.web.http import SAFE, failure_of
from arena.web.login_cookie import CHALLENGE
from arena.web.rendering import render
from arena.web.viewer import forget


def _failed(request: Request, error: Exception) -> Response:
    failure = failure_of(error)
    if failure.kind is Kind.UNAUTHENTICATED:
        return _unauthenticated(request, failure)
    return _page(request, failure.kind.http, failure.sentence)


def _unauthenticated(request: Request, failure: ArenaError) -> Response:
    """Asks for a login and comes back; but a form that was sent would be lost on the way. Logs out
    a visitor whose token is no longer valid."""
    if not failure.field and request.method in SAFE:
        here = f"{request.url.path}?{request.url.query}".removesuffix("?")
        return RedirectResponse(f"/login?{urlencode({'back': here})}", HTTPStatus.SEE_OTHER)
    response = _page(request, failure.kind.http, failure.sentence)
    response.headers["WWW-Authenticate"] = CHALLENGE
    if failure.field == "token":
        forget(request, response)
    return response


def _stream_refused(request: Request, failure: Exception) -> Response:
    """Answers a script, which asks for the page itself now and then."""
    assert isinstance(failure, StreamRefused)
    return PlainTextResponse(f"{failure.sentence}\n", failure.kind.http, failure.headers)


def _refused(request: Request, failure: Exception) -> Response:
    """Answers what the routes refuse by themselves."""
    assert isinstance(failure, HTTPException)
    sentence = {
        HTTPStatus.NOT_FOUND: "There is no such page. The search above finds bots, owners,"
        " ladders and matches.",
        HTTPStatus.METHOD_NOT_ALLOWED: "This address does not take that kind of request.",
    }.get(HTTPStatus(failure.status_code), f"{failure.detail}.")
    response = _page(request, failure.status_code, sentence)
    response.headers.update(failure.headers or {})
    return response


def _page(request: Request, status: int, sentence: str) -> Response:
    title = HTTPStatus(status).phrase
    request.state.announced = ()  # perhaps the store cannot be read
    return render(request, "failure.html", status, title=title, sentence=sentence)


def _gone(request: Request, failure: Exception) -> Response:
    """Reaches nobody: the visitor who sent a form has left before its end."""
    return Response(status_code=HTTPStatus.BAD_REQUEST)


HANDLERS: Mapping[Any, Any] = {
    **dict.fromkeys(KNOWN, _failed),
    StreamRefused: _stream_refused,
    HTTPException: _refused,
    ClientDisconnect: _gone,
}
"""The handler of each exception; any other is a bug, is logged, and answered with status 500."""
