"""The pages for organisers who have logged in: what runs, and what they may change."""

from __future__ import annotations

from typing import Any, ParamSpec, TypeVar

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.operations.arena import read_audit
from arena.operations.notices.announcements import list_announcements
from arena.operations.notices.webhooks import list_webhooks
from arena.operations.operation import Operation, Reading
from arena.operations.running.disk import read_disk
from arena.operations.running.fleet import list_machines
from arena.operations.running.jobs import read_queue
from arena.operations.tokens import list_invitations, list_tokens
from arena.store.schema import now
from arena.web.pages.changes import FORMS
from arena.web.rendering import private_page
from arena.web.site import site_of
from arena.web.viewer import organiser_of

Given = ParamSpec("Given")
Answer = TypeVar("Answer")


def overview(request: Request) -> Response:
    """Returns the page that leads to all others. Raises ArenaError."""
    organiser_of(request)
    return private_page(request, "organiser/overview.html", forms=FORMS)


def workers(request: Request) -> Response:
    """Returns the machines and their workers. Raises ArenaError."""
    found = _answer_to(request, list_machines)
    return private_page(request, "organiser/workers.html", found=found)


def queue(request: Request) -> Response:
    """Returns the queue with its parked jobs. Raises ArenaError."""
    found = _answer_to(request, read_queue)
    return private_page(request, "organiser/queue.html", found=found)


def tokens(request: Request) -> Response:
    """Returns the tokens, the latest first, and the invitations. Raises ArenaError."""
    found = _answer_to(request, list_tokens)
    latest = sorted(found.tokens, key=lambda one: one.created_at, reverse=True)
    return private_page(
        request,
        "organiser/tokens.html",
        tokens=latest,
        invitations=_answer_to(request, list_invitations).invitations,
        now=now(),
    )


def disk(request: Request) -> Response:
    """Returns the use of the disk, and what pruning would free. Raises ArenaError."""
    asked = request.query_params
    given = {name: asked.get(name, "").strip() for name in ("keep_records", "keep_logs")}
    found = _answer_to(request, read_disk, **given)
    return private_page(request, "organiser/disk.html", found=found, given=given)


def notices(request: Request) -> Response:
    """Returns the announcements and the webhooks. Raises ArenaError."""
    return private_page(
        request,
        "organiser/notices.html",
        webhooks=_answer_to(request, list_webhooks).webhooks,
        announced=_answer_to(request, list_announcements).announcements,
    )


def audit(request: Request) -> Response:
    """Returns a page of the audit log. Raises ArenaError."""
    asked = request.query_params
    given: dict[str, Any] = {
        name: asked[name] for name in ("since", "caller", "after") if asked.get(name)
    }
    found = _answer_to(request, read_audit, **given)
    older = ""
    if found.next is not None:
        older = str(request.url.include_query_params(after=found.next).query)
    return private_page(request, "own/audit.html", found=found, given=given, older=older)


def _answer_to(
    request: Request,
    operation: Operation[Given, Answer],
    *positional: Given.args,
    **named: Given.kwargs,
) -> Answer:
    """Returns the answer to an organiser who has logged in. Raises ArenaError."""
    caller, site = organiser_of(request).caller, site_of(request)
    caller.check_role(operation.roles)
    with site.store.reading() as session:
        return operation.call(
            Reading(caller, site.folder, session), operation.arguments(*positional, **named)
        )


ROUTES = [
    Route("/organiser", overview),
    Route("/organiser/workers", workers),
    Route("/organiser/queue", queue),
    Route("/organiser/tokens", tokens),
    Route("/organiser/disk", disk),
    Route("/organiser/notices", notices),
    Route("/own/audit", audit),
]
