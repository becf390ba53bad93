"""A form for each change that organisers make: the page is the same for all, and its inputs follow
from the operation."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from arena.operations import owners, tokens, versions
from arena.operations.caller import ORGANISERS
from arena.operations.competitions import comparisons, ladders, tournaments, voids
from arena.operations.operation import Operation
from arena.operations.running import disk, fleet, jobs
from arena.web.addresses import (
    address_of_bot,
    address_of_competition,
    address_of_match,
    address_of_owner,
)
from arena.web.http import read_form
from arena.web.pages.organiser.inputs import arguments_from, inputs_of
from arena.web.rendering import private_page
from arena.web.viewer import Login, acting, contestant_of

LONGEST_FORM = 64 * 1024  # bytes: a class of 500 names

FORMS: Mapping[str, tuple[Operation[..., Any], ...]] = {
    "Ladders": (
        ladders.create_ladder,
        ladders.enter_ladder,
        ladders.leave_ladder,
        ladders.change_ladder,
        ladders.schedule_ladder,
        ladders.begin_season,
        ladders.delete_ladder,
    ),
    "Tournaments": (
        tournaments.create_tournament,
        tournaments.enter_tournament,
        tournaments.leave_tournament,
        tournaments.change_tournament,
        tournaments.draw_tournament,
        tournaments.replay_table,
    ),
    "Comparisons": (comparisons.create_comparison, comparisons.change_comparison),
    "Matches": (voids.void_matches, voids.unvoid_matches, disk.prune_matches),
    "Owners and bots": (
        owners.ban_owner,
        owners.readmit_owner,
        owners.rename_owner,
        owners.hand_over_bot,
        versions.retire_version,
        versions.readmit_version,
        versions.delete_bot,
    ),
    "Tokens": (tokens.create_token, tokens.create_tokens, tokens.revoke_token),
    "Machines and jobs": (
        fleet.block_machine,
        fleet.unblock_machine,
        jobs.retry_jobs,
        jobs.drop_jobs,
    ),
}
"""The operations that have a form, by subject."""
BY_NAME = {one.name: one for some in FORMS.values() for one in some}
SHOWN = frozenset({tokens.create_token.name, tokens.create_tokens.name})
"""Those whose answer is shown, once."""
PAGES = {
    "tokens": "/organiser/tokens",
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


def title_of(operation: Operation[..., Any]) -> str:
    """Returns the first sentence of an operation's description, up to a colon."""
    first = " ".join(operation.description.split()).partition(". ")[0]
    return first.partition(": ")[0].rstrip(".")


def show(request: Request) -> Response:
    """Returns the form of an operation. Raises ArenaError."""
    organiser_of(request)
    return _page(request, _operation(request), dict(request.query_params))


async def take(request: Request) -> Response:
    """Makes the change of a form. Raises ArenaError."""
    await run_in_threadpool(organiser_of, request)
    form = await read_form(request, LONGEST_FORM)
    return await run_in_threadpool(_make, request, _operation(request), form)


def _make(request: Request, operation: Operation[..., Any], form: Mapping[str, str]) -> Response:
    arguments = arguments_from(operation, form)
    with acting(request, organiser_of(request)) as arena:
        answer = arena.ask(operation, **arguments)
    if operation.name in SHOWN:
        return private_page(
            request,
            "organiser/tokens_made.html",
            made=answer.tokens if operation is tokens.create_tokens else [answer],
        )
    return RedirectResponse(_address_after(operation, arguments), HTTPStatus.SEE_OTHER)


def _operation(request: Request) -> Operation[..., Any]:
    found = BY_NAME.get(request.path_params["name"])
    if found is None:
        raise HTTPException(404)
    return found


def _page(request: Request, operation: Operation[..., Any], given: Mapping[str, str]) -> Response:
    return private_page(
        request,
        "organiser/form.html",
        title=title_of(operation),
        description=" ".join(operation.description.split()),
        name=operation.name,
        inputs=inputs_of(operation, given),
    )


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
