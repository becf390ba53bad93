"""The organiser's announcements: a form for a new one, and those that are shown."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from arena.operations.notices.announcements import LONGEST, announce, remove_announcement
from arena.store.notices.announcements import current_announcements
from arena.web.http import read_form
from arena.web.rendering import private_page
from arena.web.site import site_of
from arena.web.viewer import acting, contestant_of

ADDRESS = "/own/announcements"


def show(request: Request) -> Response:
    """Returns the page. Raises ArenaError."""
    contestant_of(request).caller.check_role(announce.roles)
    with site_of(request).store.reading() as session:
        found = current_announcements(session)
        return private_page(request, "own/announcements.html", found=found, longest=LONGEST)


async def take(request: Request) -> Response:
    """Makes the change of a form. Raises ArenaError."""
    return await run_in_threadpool(_change, request, await read_form(request))


def _change(request: Request, form: Mapping[str, str]) -> Response:
    with acting(request, contestant_of(request)) as arena:
        if number := form.get("remove", ""):
            arena.ask(remove_announcement, int(number) if number.isdecimal() else 0)
        else:
            arena.ask(announce, form.get("sentence", ""), form.get("until", ""))
    return RedirectResponse(ADDRESS, HTTPStatus.SEE_OTHER)


ROUTES = [Route(ADDRESS, show), Route(ADDRESS, take, methods=["POST"])]
