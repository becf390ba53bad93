"""An invitation becomes a token: the form, and the page that shows the token once."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.errors import ArenaError
from arena.operations.tokens import join
from arena.web.http import failure_of, read_form
from arena.web.pages.login import check_possible
from arena.web.rendering import private_page
from arena.web.viewer import remember, visiting


def show(request: Request) -> Response:
    """Returns the form. Raises ArenaError."""
    check_possible(request)
    return _form(request, {})


async def take(request: Request) -> Response:
    """Makes a token by the invitation of the form, and logs in by it. Raises ArenaError."""
    return await run_in_threadpool(_join, request, await read_form(request))


def _join(request: Request, form: Mapping[str, str]) -> Response:
    check_possible(request)
    try:
        with visiting(request) as arena:
            made = arena.ask(join, form.get("code", ""), form.get("owner", ""))
    except ArenaError as refused:
        return _form(request, form, refused)
    response = private_page(request, "joined.html", made=made)
    remember(request, response, made.token.id)
    return response


def _form(request: Request, form: Mapping[str, str], refused: ArenaError | None = None) -> Response:
    """Returns the form, with the reason why what was sent before is refused."""
    shown = failure_of(refused) if refused is not None else None
    status = HTTPStatus.OK if shown is None else shown.kind.http
    return private_page(request, "join.html", status, form=form, refused=shown)


ROUTES = [Route("/join", show), Route("/join", take, methods=["POST"])]
