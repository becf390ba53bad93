"""The changes that owners make to their bots and entries, and organisers to matches and owners:
they confirm each, and the running arena makes it in their name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from arena.errors import ArenaError, Kind
from arena.foreign_text import visible
from arena.operations.competitions.ladders import begin_season, change_ladder
from arena.operations.competitions.tournaments import check_in
from arena.operations.competitions.voids import unvoid_matches, void_matches
from arena.operations.matches import request_analysis
from arena.operations.operation import Operation
from arena.operations.owners import ban_owner, delete_owner, readmit_owner
from arena.operations.versions import readmit_version, retire_version
from arena.store.match_names import match_with
from arena.store.queries import bot_named, ladder_named
from arena.store.schema import CompetitionState
from arena.store.tokens import owner_named
from arena.web.addresses import address_of_competition, address_of_match, address_of_owner
from arena.web.http import read_form
from arena.web.rendering import private_page
from arena.web.site import site_of
from arena.web.viewer import acting, contestant_of

MOST_DIGITS = 9


@dataclass(frozen=True)
class Change:
    """A change.

    `address`: of its page. `operation`: which makes it. `fields`: its arguments.
    `question`, `explanation`, `answer`: texts of the page that asks for it.
    `asks_reason`: it also takes a reason, which its page asks for.
    `fixed`: arguments that are the same for all.
    `then`: the address to go on to; empty: the page of what was changed.
    """

    address: str
    operation: Operation[..., Any]
    fields: tuple[str, ...]
    question: str
    explanation: str
    answer: str
    asks_reason: bool = False
    fixed: Mapping[str, Any] = field(default_factory=dict)
    then: str = ""


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
CHECK_IN = Change(
    address="/own/check-in",
    operation=check_in,
    fields=("tournament", "bot"),
    question="Check {bot} in to the tournament {tournament}?",
    explanation="Only entrants that have checked in before the start play.",
    answer="Check it in",
)
ANALYSE = Change(
    address="/own/analyse",
    operation=request_analysis,
    fields=("match",),
    question="Analyse the match {match}?",
    explanation="A worker estimates what each decision was worth, when no match waits for one. The"
    " page of the match then shows it to everybody.",
    answer="Analyse it",
)
VOID = Change(
    address="/own/void",
    operation=void_matches,
    fields=("match",),
    question="Declare the match {match} void?",
    explanation="Everybody can still read it, with your reason, but it counts for nothing, and so"
    " do all matches of its duplicate group. A table of a tournament plays again. You can let"
    " matches of ladders count again later.",
    answer="Declare it void",
    asks_reason=True,
)
UNVOID = Change(
    address="/own/unvoid",
    operation=unvoid_matches,
    fields=("match",),
    question="Let the match {match} count again?",
    explanation="Ratings and figures are then as if it had never been void.",
    answer="Let it count",
)
BAN = Change(
    address="/own/ban",
    operation=ban_owner,
    fields=("owner",),
    question="Ban {owner}?",
    explanation="All versions of their bots are retired and leave ladders and tournaments, their"
    " tokens end, and submissions are refused with your reason.",
    answer="Ban them",
    asks_reason=True,
)
RETURN = Change(
    address="/own/return",
    operation=readmit_owner,
    fields=("owner",),
    question="Readmit {owner}?",
    explanation="They may take part again. Their tokens stay revoked and their versions retired:"
    " create a new token, by which they submit their bots again.",
    answer="Readmit them",
)
DELETE = Change(
    address="/own/delete-owner",
    operation=delete_owner,
    fields=("owner",),
    question="Delete {owner} and all their bots for good?",
    explanation="Their tokens end, and the files, manifests and private logs of their bots are"
    " deleted. Their matches stay, with the bots' names, which can never be used again.",
    answer="Delete them",
    then="/",
)
CLOSE = Change(
    address="/own/close",
    operation=change_ladder,
    fields=("ladder",),
    fixed={"state": CompetitionState.OVER},
    question="Close the ladder {ladder} for good?",
    explanation="Matches that are not over yet are given up, and its standings are final. It keeps"
    " its page, and leaves the home page and the forms.",
    answer="Close it",
)
SEASON = Change(
    address="/own/season",
    operation=begin_season,
    fields=("ladder",),
    question="Begin the next season of the ladder {ladder}?",
    explanation="This ladder is closed for good, and keeps its final standings. A new one has the"
    " same terms and versions, with new ratings.",
    answer="Begin it",
)
CHANGES = (RETIRE, READMIT, CHECK_IN, ANALYSE, VOID, UNVOID, BAN, RETURN, DELETE, CLOSE, SEASON)


def _routes(change: Change) -> list[Route]:
    """Returns the routes of a change: the page that asks for it, and the one that makes it."""

    def ask(request: Request) -> Response:
        contestant_of(request)
        given = _given(change, request.query_params)
        back = _back(request, given)
        shown = {name: visible(value) for name, value in given.items()}
        question = change.question.format(**shown)
        return private_page(
            request, "own/change.html", change=change, question=question, given=given, back=back
        )

    def make(request: Request, form: Mapping[str, str]) -> Response:
        login = contestant_of(request)
        given = _given(change, form)
        back = _back(request, given)
        reason = {"reason": form.get("reason", "")} if change.asks_reason else {}
        with acting(request, login) as arena:
            arena.ask(change.operation, **given, **reason, **change.fixed)
        return RedirectResponse(change.then or back, HTTPStatus.SEE_OTHER)

    async def take(request: Request) -> Response:
        return await run_in_threadpool(make, request, await read_form(request))

    return [
        Route(change.address, ask),
        Route(change.address, take, methods=["POST"]),
    ]


def _back(request: Request, given: Mapping[str, str]) -> str:
    """Returns the address of the page of what is changed. Raises ArenaError if there is none."""
    if "tournament" in given:
        return address_of_competition("tournament", given["tournament"])
    with site_of(request).store.reading() as session:
        if "match" in given:
            return address_of_match(match_with(session, given["match"]).id)
        if "ladder" in given and "bot" not in given:
            return address_of_competition("ladder", ladder_named(session, given["ladder"]).name)
        if "owner" in given:
            return address_of_owner(owner_named(session, given["owner"]))
        owner = bot_named(session, given["bot"]).owner
    is_own = owner == contestant_of(request).caller.owner
    return "/own" if is_own else f"/own?{urlencode({'owner': owner})}"


def _given(change: Change, values: Mapping[str, str]) -> dict[str, str]:
    """Returns the fields of a change. Raises ArenaError."""
    given = {name: values.get(name, "") for name in change.fields}
    if not all(given.values()):
        raise ArenaError(
            Kind.WRONG_INPUT,
            f"The address lacks {' or '.join(name for name in given if not given[name])}; choose"
            " the change on the page of what it changes.",
        )
    if "number" in given and not (
        given["number"].isdecimal() and len(given["number"]) <= MOST_DIGITS
    ):
        raise ArenaError(
            Kind.NOT_FOUND, f"There is no version {given['number']!r} of {given['bot']}."
        )
    return given


ROUTES = [route for one in CHANGES for route in _routes(one)]
