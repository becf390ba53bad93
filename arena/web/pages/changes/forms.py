"""The form of a change: the page is the same for all, and its inputs follow from the operation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from arena.errors import ArenaError, Kind
from arena.foreign_text import visible
from arena.operations import matches, owners, tokens, versions
from arena.operations.competitions import comparisons, ladders, tournaments, voids
from arena.operations.notices import announcements, webhooks
from arena.operations.operation import Operation
from arena.operations.running import disk, fleet, jobs
from arena.store.queries import bot_named
from arena.web.addresses import PAGES as COMPETITIONS
from arena.web.addresses import (
    address_of_bot,
    address_of_competition,
    address_of_match,
    address_of_owner,
)
from arena.web.http import read_form
from arena.web.pages.changes.inputs import arguments_from, inputs_of, told_to_people
from arena.web.pages.changes.questions import question_of
from arena.web.rendering import private_page
from arena.web.site import site_of
from arena.web.viewer import Login, acting, contestant_of

LONGEST_FORM = 64 * 1024  # bytes: a class of 500 names

FORMS: Mapping[str, Mapping[str, Operation[..., Any]]] = {
    "Ladders": {
        "Create a ladder": ladders.create_ladder,
        "Enter bots into a ladder": ladders.enter_ladder,
        "Take a bot off a ladder": ladders.leave_ladder,
        "Pause, resume or close a ladder": ladders.change_ladder,
        "Set the dates of a ladder": ladders.schedule_ladder,
        "Set the delay of a ladder's live pages": ladders.delay_ladder,
        "Begin the next season of a ladder": ladders.begin_season,
        "Delete a ladder": ladders.delete_ladder,
    },
    "Tournaments": {
        "Create a tournament": tournaments.create_tournament,
        "Enter a bot into a tournament": tournaments.enter_tournament,
        "Withdraw a bot from a tournament": tournaments.leave_tournament,
        "Check a bot in to a tournament": tournaments.check_in,
        "Start, resume, pause or cancel a tournament": tournaments.change_tournament,
        "Give the value of a beacon": tournaments.draw_tournament,
        "Have a table play again": tournaments.replay_table,
    },
    "Comparisons": {
        "Create a comparison": comparisons.create_comparison,
        "Pause, resume or cancel a comparison": comparisons.change_comparison,
    },
    "Matches": {
        "Have a match analysed": matches.request_analysis,
        "Declare matches void": voids.void_matches,
        "Let void matches count again": voids.unvoid_matches,
        "Drop old records and private logs": disk.prune_matches,
    },
    "Owners and bots": {
        "Ban an owner": owners.ban_owner,
        "Readmit an owner": owners.readmit_owner,
        "Rename an owner": owners.rename_owner,
        "Delete an owner and all their data": owners.delete_owner,
        "Hand a bot over": owners.hand_over_bot,
        "Retire a version": versions.retire_version,
        "Readmit a version": versions.readmit_version,
        "Delete a bot": versions.delete_bot,
    },
    "Tokens": {
        "Create a token": tokens.create_token,
        "Create tokens for a class": tokens.create_tokens,
        "Revoke a token": tokens.revoke_token,
        "Create an invitation": tokens.create_invitation,
        "Revoke an invitation": tokens.revoke_invitation,
    },
    "Announcements and webhooks": {
        "Announce a sentence": announcements.announce,
        "Remove an announcement": announcements.remove_announcement,
        "Add a webhook": webhooks.add_webhook,
        "Try a webhook": webhooks.try_webhook,
        "Remove a webhook": webhooks.remove_webhook,
    },
    "Machines and jobs": {
        "Block a machine": fleet.block_machine,
        "Unblock a machine": fleet.unblock_machine,
        "Play parked jobs again": jobs.retry_jobs,
        "Drop parked jobs": jobs.drop_jobs,
    },
}
"""The operations that have a form, by subject and title."""
BY_NAME = {
    operation.name: (title, operation)
    for some in FORMS.values()
    for title, operation in some.items()
}
SHOWN: Mapping[str, Callable[[Any], Sequence[tuple[str, str]]]] = {
    tokens.create_token.name: lambda made: [(f"Token of {made.token.owner}", made.text)],
    tokens.create_tokens.name: lambda made: [(one.token.owner, one.text) for one in made.tokens],
    tokens.create_invitation.name: lambda made: [("Code of the invitation", made.code)],
    webhooks.add_webhook.name: lambda made: [(f"Secret of {made.webhook.name}", made.secret)],
}
"""The secrets in answers, each with its name, by operation: they are shown once."""
PAGES = {
    "bots": "/own",
    "matches": "/matches",
    "tokens": "/organiser/tokens",
    "invitations": "/organiser/tokens",
    "announcements": "/organiser/notices",
    "webhooks": "/organiser/notices",
    "machines": "/organiser/workers",
    "queue": "/organiser/queue",
    "disk": "/organiser/disk",
}
"""The pages of what has no page of its own, by groups of operations."""


def show(request: Request) -> Response:
    """Returns the form of an operation, or the question for the values that a link gives. Raises
    ArenaError."""
    title, operation = _form(request)
    _login(request, operation)
    given = request.query_params
    inputs = inputs_of(operation, given)
    description, button = told_to_people(operation.description), title.split()[0].rstrip(",")
    if question := question_of(operation, given):
        known = {*question.given, *question.fixed}
        inputs = [
            replace(one, kind="hidden") if one.name in known else one
            for one in inputs
            if one.is_required or one.name in known
        ]
        title = question.text.format_map({name: visible(text) for name, text in given.items()})
        description, button = question.explanation, question.button
    return private_page(
        request,
        "change.html",
        title=title,
        description=description,
        button=button,
        name=operation.name,
        inputs=inputs,
        back=_page_of(request, operation, given),
    )


async def take(request: Request) -> Response:
    """Makes the change of a form. Raises ArenaError."""
    _, operation = _form(request)
    await run_in_threadpool(_login, request, operation)
    form = await read_form(request, LONGEST_FORM)
    return await run_in_threadpool(_make, request, operation, form)


def _make(request: Request, operation: Operation[..., Any], form: Mapping[str, str]) -> Response:
    arguments = arguments_from(operation, form)
    back = _page_of(request, operation, form)
    with acting(request, _login(request, operation)) as arena:
        answer = arena.ask(operation, **arguments)
    if operation.method == "DELETE":
        back = PAGES.get(operation.group, "/organiser")
    if operation.name in SHOWN:
        secrets = SHOWN[operation.name](answer)
        return private_page(request, "organiser/made.html", secrets=secrets, then=back)
    if operation is webhooks.try_webhook and answer.trouble:
        raise ArenaError(Kind.NOT_NOW, f"The webhook took nothing. {answer.trouble}", "name")
    return RedirectResponse(back, HTTPStatus.SEE_OTHER)


def _login(request: Request, operation: Operation[..., Any]) -> Login:
    """Returns a visitor who has logged in and may make the change. Raises ArenaError."""
    login = contestant_of(request)
    login.caller.check_role(operation.roles)
    return login


def _form(request: Request) -> tuple[str, Operation[..., Any]]:
    """Returns the title of a form, and its operation."""
    found = BY_NAME.get(request.path_params["name"])
    if found is None:
        raise HTTPException(404)
    return found


def _page_of(request: Request, operation: Operation[..., Any], values: Mapping[str, str]) -> str:
    """Returns the address of the page of what is changed. Raises ArenaError if there is none."""
    group = operation.group
    kind = group.removesuffix("s")
    if kind in COMPETITIONS:
        name = values.get(kind) or values.get("name")
        return address_of_competition(kind, name) if name else f"/{group}"
    if match := values.get("match"):
        part = "#analysis" if operation is matches.request_analysis else ""
        return f"{address_of_match(match)}{part}"
    if group == "owners" and (owner := values.get("name") or values.get("owner")):
        return address_of_owner(owner)
    if group == "bots" and (bot := values.get("bot")):
        return _own_page(request, bot) if "number" in values else address_of_bot(bot)
    return PAGES.get(group, "/organiser")


def _own_page(request: Request, bot: str) -> str:
    """Returns the address of the page that lists the bots of its owner. Raises ArenaError."""
    with site_of(request).store.reading() as session:
        owner = bot_named(session, bot).owner
    is_own = owner == contestant_of(request).caller.owner
    return "/own" if is_own else f"/own?{urlencode({'owner': owner})}"


ROUTES = [
    Route("/do/{name}", show),
    Route("/do/{name}", take, methods=["POST"]),
]
