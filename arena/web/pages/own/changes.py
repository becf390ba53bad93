"""What an owner may change of their bots: each change is asked for, and made by the running arena
in their name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from arena.errors import ArenaError, Kind
from arena.foreign_text import visible
from arena.store.queries import bot_named
from arena.web.http import read_form
from arena.web.pages.own.private import private_page
from arena.web.site import site_of
from arena.web.viewer import acting, contestant_of
from sevens.league.v1.version_pb2 import ReadmitVersionRequest, RetireVersionRequest

MOST_DIGITS = 9


@dataclass(frozen=True)
class Change:
    """A change of a version.

    `address`: of its page. `method`: of the arena's service. `request`: of that method's type.
    `fields`: those of the request that the form has. `question`, `explanation`, `answer`: texts of
      the page that asks for it.
    """

    address: str
    method: str
    request: Any
    fields: tuple[str, ...]
    question: str
    explanation: str
    answer: str


RETIRE = Change(
    address="/own/retire",
    method="RetireVersion",
    request=RetireVersionRequest,
    fields=("bot", "number"),
    question="Retire version {number} of {bot}?",
    explanation="It leaves all ladders and plays no more matches. Its matches stay, nothing of it"
    " is deleted, and submitting the same files again brings it back.",
    answer="Retire it",
)
READMIT = Change(
    address="/own/readmit",
    method="ReadmitVersion",
    request=ReadmitVersionRequest,
    fields=("bot", "number", "ladder"),
    question="Readmit version {number} of {bot} to the ladder {ladder}?",
    explanation="It plays there again, and its faults so far no longer count.",
    answer="Readmit it",
)


def _routes(change: Change) -> list[Route]:
    """Returns the routes of a change: the page that asks for it, and the one that makes it."""

    def ask(request: Request) -> Response:
        contestant_of(request)
        given = _given(change, request.query_params)
        with site_of(request).store.reading() as session:
            bot_named(session, given["bot"])
        shown = {name: visible(value) for name, value in given.items()}
        question = change.question.format(**shown)
        return private_page(
            request, "own/change.html", change=change, question=question, given=given
        )

    def make(request: Request, form: Mapping[str, str]) -> Response:
        login = contestant_of(request)
        given = _given(change, form)
        with site_of(request).store.reading() as session:
            owner = bot_named(session, given["bot"]).owner
        values = given | {"number": int(given["number"])}
        with acting(request, login) as arena:
            arena.call(change.method, change.request(**values))
        whose = "" if owner == login.caller.owner else f"?{urlencode({'owner': owner})}"
        return RedirectResponse(f"/own{whose}", HTTPStatus.SEE_OTHER)

    async def take(request: Request) -> Response:
        return await run_in_threadpool(make, request, await read_form(request))

    return [
        Route(change.address, ask),
        Route(change.address, take, methods=["POST"]),
    ]


def _given(change: Change, values: Mapping[str, str]) -> dict[str, str]:
    """Returns the fields of a change. Raises ArenaError."""
    given = {name: values.get(name, "") for name in change.fields}
    if not all(given.values()):
        raise ArenaError(
            Kind.WRONG_INPUT,
            f"The address lacks {' or '.join(name for name in given if not given[name])}; choose"
            " the change on the page of your bots.",
        )
    if not (given["number"].isdecimal() and len(given["number"]) <= MOST_DIGITS):
        raise ArenaError(
            Kind.NOT_FOUND, f"There is no version {given['number']!r} of {given['bot']}."
        )
    return given


ROUTES = [*_routes(RETIRE), *_routes(READMIT)]
