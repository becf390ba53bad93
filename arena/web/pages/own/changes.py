"""The changes that owners make to their bots: they confirm each, and the running arena makes it in
their name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from urllib.parse import urlencode

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from arena.errors import ArenaError, Kind
from arena.foreign_text import visible
from arena.operations.operation import Operation
from arena.operations.versions import readmit_version, retire_version
from arena.store.queries import bot_named
from arena.views.version import OneVersion
from arena.web.http import read_form
from arena.web.rendering import private_page
from arena.web.site import site_of
from arena.web.viewer import acting, contestant_of

MOST_DIGITS = 9


@dataclass(frozen=True)
class Change:
    """A change of a version.

    `address`: of its page. `operation`: which makes it. `fields`: its arguments.
    `question`, `explanation`, `answer`: texts of the page that asks for it.
    """

    address: str
    operation: Operation[..., OneVersion]
    fields: tuple[str, ...]
    question: str
    explanation: str
    answer: str


RETIRE = Change(
    address="/own/retire",
    operation=retire_version,
    fields=("bot", "number"),
    question="Retire version {number} of {bot}?",
    explanation="It leaves all ladders and plays no further matches. Its past matches stay, nothing"
    " is deleted, and submitting the same files again brings it back.",
    answer="Retire it",
)
READMIT = Change(
    address="/own/readmit",
    operation=readmit_version,
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
        with acting(request, login) as arena:
            arena.ask(change.operation, **given)
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
