"""Logging in by a token, and out."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from urllib.parse import urlsplit

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from arena.client.address import is_loopback
from arena.client.user_token import AROUND
from arena.errors import ArenaError, Kind
from arena.operations.tokens import end_login
from arena.queue import read_key
from arena.store.schema import Role
from arena.store.tokens import verified
from arena.web.http import network_of, own_address, read_form
from arena.web.login_cookie import CHALLENGE
from arena.web.rendering import render
from arena.web.site import site_of
from arena.web.viewer import acting, forget, is_secure, login_of, public_origin, remember

UNKNOWN = (
    "The token is unknown or was revoked. Check that you copied all of it, or ask an organiser."
)
WORKERS = (
    "This is the token of a worker, which fetches what it plays and nothing else. Log in by a token"
    " of the role owner, organiser or reader."
)


def show(request: Request) -> Response:
    """Returns the form to log in by. Raises ArenaError."""
    check_possible(request)
    return _form(request, own_address(request.query_params.get("back", "/own")))


async def log_in(request: Request) -> Response:
    """Logs in by the token of the form. Raises ArenaError."""
    form = await read_form(request)
    return await run_in_threadpool(_log_in, request, form)


def log_out(request: Request) -> Response:
    """Logs out; the token stays valid, copies of the cookie do not."""
    response: Response = RedirectResponse("/", HTTPStatus.SEE_OTHER)
    try:
        _end(request)
    except ArenaError as failure:
        sentence = (
            "You are logged out in this browser, but a copy of its cookie would still open pages."
            f" {failure.sentence}"
        )
        response = render(
            request, "failure.html", failure.kind.http, title="Logged out", sentence=sentence
        )
    forget(request, response)
    return response


def _end(request: Request) -> None:
    """Ends the login for all who have its cookie. Raises ArenaError."""
    login = login_of(request)
    if login is not None and login.id:
        with acting(request, login) as arena:
            arena.ask(end_login, login.id)


def _log_in(request: Request, form: Mapping[str, str]) -> Response:
    check_possible(request)
    back = own_address(form.get("back", "/own"))
    if not site_of(request).logins.admit(network_of(request)):
        sentence = "Too many logins were tried within a minute. Wait for one, and try again."
        return _form(request, back, HTTPStatus.TOO_MANY_REQUESTS, sentence, {"Retry-After": "60"})
    with site_of(request).store.reading() as session:
        token = verified(session, form.get("token", "").strip(AROUND))
        if token is None:
            challenge = {"WWW-Authenticate": CHALLENGE}
            return _form(request, back, HTTPStatus.UNAUTHORIZED, UNKNOWN, challenge)
        if token.role is Role.WORKER:
            return _form(request, back, HTTPStatus.FORBIDDEN, WORKERS)
        response = RedirectResponse(back, HTTPStatus.SEE_OTHER)
        remember(request, response, token.id)
    return response


def _form(
    request: Request,
    back: str,
    status: HTTPStatus = HTTPStatus.OK,
    sentence: str = "",
    headers: Mapping[str, str] | None = None,
) -> Response:
    response = render(request, "login.html", status, back=back, sentence=sentence)
    response.headers.update(headers or {})
    return response


def check_possible(request: Request) -> None:
    """Raises ArenaError if nobody can log in here."""
    if not (is_secure(request) or _is_near(request)):
        raise ArenaError(
            Kind.FORBIDDEN,
            "Nobody can log in here, because a token would cross the network unencrypted. Reach the"
            " pages by https: the organiser starts the arena with a certificate, or behind a proxy"
            " that has one with --web-origin https://….",
        )
    try:
        read_key(site_of(request).folder.pages_key)
    except ArenaError:
        raise ArenaError(
            Kind.UNREACHABLE,
            "Nobody can log in here yet, because these pages only read the data folder. The arena"
            " makes the key for logins when it starts: log in while `arena serve` runs on it.",
        ) from None


def _is_near(request: Request) -> bool:
    """Returns whether a request comes from this machine, to a name that only it has. Through a
    proxy without TLS it would come from this machine, too."""
    try:
        host = urlsplit(public_origin(request)).hostname or ""
    except ValueError:  # a client may write anything into its headers
        return False
    return request.client is not None and is_loopback(request.client.host) and is_loopback(host)


ROUTES = [
    Route("/login", show),
    Route("/login", log_in, methods=["POST"]),
    Route("/logout", log_out, methods=["POST"]),
]
