"""Answers of the pages' process: it reads the store itself, and passes changes on to the arena."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any

from pydantic_core import to_json
from starlette.requests import Request
from starlette.responses import Response

from arena.operations.caller import VISITOR, Caller
from arena.operations.operation import Operation, Reading
from arena.web.conditional import conditional, tag_of
from arena.web.site import site_of
from arena.web.viewer import acting, login_of, visiting


def answer(request: Request, operation: Operation[..., Any], arguments: dict[str, Any]) -> Response:
    """Answers a request for an operation in the name of its caller. Raises ArenaError."""
    login = login_of(request)
    caller = VISITOR if login is None else login.caller
    caller.check_role(operation.roles)
    if not operation.changes:
        return _read(request, operation, caller, arguments)
    named = login if operation.roles else None  # then a secret is tried
    with visiting(request) if named is None else acting(request, named) as arena:
        view = arena.ask(operation, **arguments)
    return Response(operation.answers.dump_json(view), media_type="application/json")


def _read(
    request: Request,
    operation: Operation[..., Any],
    caller: Caller,
    arguments: Mapping[str, Any],
) -> Response:
    site = site_of(request)
    with site.store.reading() as session:
        asked = Reading(caller, site.folder, session)

        def body() -> bytes:
            return operation.answers.dump_json(operation.call(asked, arguments))

        if operation.stamp is None:
            return answered(request, body())
        stamp = operation.stamp(asked, **arguments)
        return answered_anew(request, f"{operation.name} {arguments} {stamp}", body)


DIGITS = 20


def answered(request: Request, content: Any) -> Response:
    """Returns the content as JSON, which bytes are already; or status 304 if the program has it."""
    body = content if isinstance(content, bytes) else to_json(content)
    tag = f'"{sha256(body).hexdigest()[:DIGITS]}"'
    return conditional(request, tag, lambda: Response(body, media_type="application/json"))


def answered_anew(request: Request, stamp: str, body: Callable[[], bytes]) -> Response:
    """Returns the same without asking for the body if the answer is known. `stamp`: changes with
    the body."""

    def make() -> Response:
        return Response(body(), media_type="application/json")

    return conditional(request, tag_of(stamp), make)
