"""Failures as pages: each says what was wrong, and what to do."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response

from arena.errors import CommandError
from arena.store.queries import NotFound, NotNow
from arena.web.events import StreamRefused
from arena.web.failures import LoggedOut, NotLoggedIn, PageFailure, refused_by_arena
from arena.web.http import SAFE
from arena.web.login import CHALLENGE
from arena.web.rendering import render
from arena.web.viewer import forget


def _failed(request: Request, failure: Exception) -> Response:
    assert isinstance(failure, PageFailure)
    return _page(request, failure.status, failure.sentence)


def _stream_refused(request: Request, failure: Exception) -> Response:
    """Answers a script, which asks for the page itself now and then."""
    assert isinstance(failure, StreamRefused)
    return PlainTextResponse(f"{failure.sentence}\n", failure.status, failure.headers)


def _not_found(request: Request, failure: Exception) -> Response:
    return _page(request, HTTPStatus.NOT_FOUND, str(failure))


def _not_now(request: Request, failure: Exception) -> Response:
    return _page(request, HTTPStatus.FORBIDDEN, str(failure))


def _refused(request: Request, failure: Exception) -> Response:
    """Answers what the routes refuse by themselves."""
    assert isinstance(failure, HTTPException)
    status = HTTPStatus(failure.status_code)
    sentence = {
        HTTPStatus.NOT_FOUND: "There is no such page. The search above finds bots, owners,"
        " ladders and matches.",
        HTTPStatus.METHOD_NOT_ALLOWED: "This address does not take that kind of request.",
    }.get(status, f"{failure.detail}.")
    response = _page(request, status, sentence)
    response.headers.update(failure.headers or {})
    return response


def _page(request: Request, status: HTTPStatus, sentence: str) -> Response:
    return render(request, "failure.html", status, title=status.phrase, sentence=sentence)


def _not_logged_in(request: Request, failure: Exception) -> Response:
    """Asks for a login and comes back; but a form that was sent would be lost on the way."""
    if request.method in SAFE:
        here = f"{request.url.path}?{request.url.query}".removesuffix("?")
        return RedirectResponse(f"/login?{urlencode({'back': here})}", HTTPStatus.SEE_OTHER)
    return _unauthorized(request, "You have not logged in, so nothing was changed. Log in first.")


def _logged_out(request: Request, failure: Exception) -> Response:
    response = _unauthorized(
        request,
        "The token by which you had logged in was revoked, so you are logged out. Ask an organiser"
        " for a new one, and log in by that.",
    )
    forget(request, response)
    return response


def _unauthorized(request: Request, sentence: str) -> Response:
    response = _page(request, HTTPStatus.UNAUTHORIZED, sentence)
    response.headers["WWW-Authenticate"] = CHALLENGE
    return response


def _gone(request: Request, failure: Exception) -> Response:
    """Answers nobody: whoever sent a form has left before its end."""
    return Response(status_code=HTTPStatus.BAD_REQUEST)


def _command_failed(request: Request, failure: Exception) -> Response:
    """Answers what the running arena has refused."""
    assert isinstance(failure, CommandError)
    return _failed(request, refused_by_arena(failure))


HANDLERS: Mapping[Any, Any] = {
    PageFailure: _failed,
    StreamRefused: _stream_refused,
    NotFound: _not_found,
    NotNow: _not_now,
    HTTPException: _refused,
    NotLoggedIn: _not_logged_in,
    LoggedOut: _logged_out,
    CommandError: _command_failed,
    ClientDisconnect: _gone,
}
"""What answers each exception; any other is a bug, is logged, and answered with status 500."""
