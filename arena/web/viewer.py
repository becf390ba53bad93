"""The visitor who looks at a page, logged in by a token or not."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

from arena.client.address import SECURE
from arena.client.http_arena import HttpArena, connected
from arena.errors import ArenaError, Kind
from arena.operations.acting import VISITING
from arena.operations.caller import ORGANISERS, Caller, bearer_of, token_in
from arena.queue import read_key
from arena.store.data_folder import Holder
from arena.store.schema import Role
from arena.store.tokens import has_ended, token_with_id, verified
from arena.web.http import EMBED, network_of
from arena.web.login_cookie import VALID_S, cookie_name, ids_in, signed
from arena.web.site import site_of


@dataclass(frozen=True)
class Login:
    """A visitor who has logged in. `token_id`: of the token by which they did. `id`: of the cookie;
    empty for programs that send a token."""

    token_id: str
    caller: Caller
    id: str = ""


def viewer_of(request: Request) -> Caller | None:
    """Returns the visitor who has logged in, with their rights; None for all others, and on pages
    in frames of other sites. Raises ArenaError."""
    login = login_of(request)
    return login.caller if login is not None else None


def login_of(request: Request) -> Login | None:
    """Returns the same with the token's id, looked up once a request. Raises ArenaError."""
    if not hasattr(request.state, "login"):
        request.state.login = None  # also for the page that says that it was revoked
        request.state.login = _login(request)
    found: Login | None = request.state.login
    return found


def contestant_of(request: Request) -> Login:
    """Returns a visitor who has logged in and may have bots. Raises ArenaError."""
    login = login_of(request)
    if login is None:
        raise ArenaError(
            Kind.UNAUTHENTICATED,
            "You have not logged in, so nothing was changed. Log in first.",
        )
    if login.caller.role is Role.READER:
        raise ArenaError(
            Kind.FORBIDDEN,
            "You have logged in with a token of the role reader, which reads only public pages."
            " Log in with a token of the role owner to see bots of your own.",
        )
    return login


def organiser_of(request: Request) -> Login:
    """Returns an organiser who has logged in. Raises ArenaError."""
    login = contestant_of(request)
    login.caller.check_role(ORGANISERS)
    return login


def check_private(login: Login, owner: str) -> None:
    """Raises ArenaError if what belongs to that owner is not for who has logged in."""
    if not login.caller.may_read_private(owner):
        raise ArenaError(
            Kind.FORBIDDEN,
            f"Only {owner} and organisers may see this; you are logged in as {login.caller.owner}.",
        )


def is_secure(request: Request) -> bool:
    """Returns whether visitors reach the pages by https."""
    return public_origin(request).startswith(SECURE)


def public_origin(request: Request) -> str:
    """Returns the scheme, host, port and path by which a visitor reaches the pages."""
    return (
        site_of(request).settings.origin
        or f"{request.url.scheme}://{request.headers.get('host', '')}"
    )


def remember(request: Request, response: Response, token_id: str) -> None:
    """Lets a response keep a visitor logged in by the token of this id. Raises ArenaError."""
    key = read_key(site_of(request).folder.pages_key)
    secure = is_secure(request)
    response.set_cookie(
        _cookie(request),
        signed(key, token_id),
        max_age=VALID_S,
        httponly=True,
        samesite="lax",
        secure=secure,
    )


def forget(request: Request, response: Response) -> None:
    """Lets a response log a visitor out."""
    secure = is_secure(request)
    response.delete_cookie(_cookie(request), httponly=True, samesite="lax", secure=secure)


def _cookie(request: Request) -> str:
    return cookie_name(secure=is_secure(request), path=site_of(request).settings.path)


@contextmanager
def acting(request: Request, login: Login) -> Iterator[HttpArena]:
    """Connects to the running arena, to change something in the name of who has logged in. Raises
    ArenaError."""
    with connected(running_arena(request).door, login.token_id) as arena:
        yield arena


@contextmanager
def visiting(request: Request) -> Iterator[HttpArena]:
    """Connects to the running arena, to change something in nobody's name: by a secret that may be
    guessed at as often as a login. Raises ArenaError."""
    if not site_of(request).secrets.admit(network_of(request)):
        raise ArenaError(
            Kind.TOO_MANY, "Too many attempts within a minute. Wait for one, and try again."
        )
    with connected(running_arena(request).door, VISITING) as arena:
        yield arena


def running_arena(request: Request) -> Holder:
    """Returns the arena that runs on the data folder. Raises ArenaError."""
    holder = site_of(request).folder.holder()
    if holder is None or not holder.door:
        raise ArenaError(
            Kind.UNREACHABLE,
            "Nothing can be changed at the moment, because no server runs on this arena; try again"
            " when `arena serve` runs.",
        )
    return holder


def _login(request: Request) -> Login | None:
    """Returns who has logged in by a browser, or sends a token as programs do. Raises
    ArenaError."""
    text = token_in(request.headers.get("authorization", ""))
    if text is not None:
        with site_of(request).store.reading() as session:
            token = verified(session, text)
            return Login(token.id if token else "", bearer_of(token))
    return _by_cookie(request)


def _by_cookie(request: Request) -> Login | None:
    cookie = request.cookies.get(_cookie(request))
    if cookie is None or request.url.path.startswith(EMBED):
        return None
    site = site_of(request)
    try:
        ids = ids_in(read_key(site.folder.pages_key), cookie)
    except ArenaError:
        return None
    if ids is None:
        return None
    login, token_id = ids
    with site.store.reading() as session:
        if has_ended(session, login):
            return None
        token = token_with_id(session, token_id)
        if token is None:
            raise ArenaError(
                Kind.UNAUTHENTICATED,
                "The token by which you had logged in was revoked, so you are logged out. Ask an"
                " organiser for a new one, and log in by that.",
                "token",
            )
        return Login(token_id, Caller(token.owner, token.role), login)
