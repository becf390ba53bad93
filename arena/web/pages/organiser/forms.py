"""A form for each change that organisers make: the page is the same for all, and its inputs follow
from the operation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from arena.errors import ArenaError, Kind
from arena.operations import matches, owners, tokens, versions
from arena.operations.caller import ORGANISERS
from arena.operations.competitions import comparisons, ladders, tournaments, voids
from arena.operations.notices import announcements, webhooks
from arena.operations.operation import Operation
from arena.operations.running import disk, fleet, jobs
from arena.web.addresses import (
    address_of_bot,
    address_of_competition,
    address_of_match,
    address_of_owner,
)
from arena.web.http import read_form
from arena.web.pages.organiser.inputs import arguments_from, inputs_of, told_to_people
from arena.web.rendering import private_page
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
    "tokens": "/organiser/tokens",
    "invitations": "/organiser/tokens",
    "announcements": "/organiser/notices",
    "webhooks": "/organiser/notices",
    "machines": "/organiser/workers",
    "queue": "/organiser/queue",
    "disk": "/organiser/disk",
}
"""The page to go to after a change, by the group of its operation."""


def organiser_of(request: Request) -> Login:
    """Returns an organiser who has logged in. Raises ArenaError."""
    login = contestant_of(request)
    login.caller.check_role(ORGANISERS)
    return login


def show(request: Request) -> Response:
    """Returns the form of an operation. Raises ArenaError."""
    organiser_of(request)
    title, operation = _form(request)
    return private_page(
        request,
        "organiser/form.html",
        title=title,
        description=told_to_people(operation.description),
        name=operation.name,
        inputs=inputs_of(operation, request.query_params),
    )


async def take(request: Request) -> Response:
    """Makes the change of a form. Raises ArenaError."""
    await run_in_threadpool(organiser_of, request)
    form = await read_form(request, LONGEST_FORM)
    return await run_in_threadpool(_make, request, _form(request)[1], form)


def _make(request: Request, operation: Operation[..., Any], form: Mapping[str, str]) -> Response:
    arguments = arguments_from(operation, form)
    with acting(request, organiser_of(request)) as arena:
        answer = arena.ask(operation, **arguments)
    if operation.name in SHOWN:
        return private_page(
            request,
            "organiser/made.html",
            secrets=SHOWN[operation.name](answer),
            then=_address_after(operation, arguments),
        )
    if operation is webhooks.try_webhook and answer.trouble:
        raise ArenaError(Kind.NOT_NOW, f"The webhook took nothing. {answer.trouble}", "name")
    return RedirectResponse(_address_after(operation, arguments), HTTPStatus.SEE_OTHER)


def _form(request: Request) -> tuple[str, Operation[..., Any]]:
    """Returns the title of a form, and its operation."""
    found = BY_NAME.get(request.path_params["name"])
    if found is None:
        raise HTTPException(404)
    return found


def _address_after(operation: Operation[..., Any], arguments: Mapping[str, Any]) -> str:
    """Returns the address of the page that shows what has changed."""
    named = {name: str(value) for name, value in arguments.items() if value}
    group = operation.group
    if group in PAGES or operation.method == "DELETE":
        return PAGES.get(group, "/organiser")
    kind = group.removesuffix("s")
    if group in ("ladders", "tournaments", "comparisons") and (
        name := named.get(kind) or named.get("name")
    ):
        return address_of_competition(kind, name)
    if "match" in named:
        return address_of_match(named["match"])
    if group == "bots":
        return address_of_bot(named["bot"])
    if group == "owners":
        return address_of_owner(named.get("name") or named["owner"])
    return f"/{group}"


ROUTES = [
    Route("/organiser/do/{name}", show),
    Route("/organiser/do/{name}", take, methods=["POST"]),
]
