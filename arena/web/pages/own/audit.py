"""The audit log, for organisers."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.operations.arena import read_audit
from arena.operations.operation import Reading
from arena.web.rendering import private_page
from arena.web.site import site_of
from arena.web.viewer import contestant_of

ASKED = ("since", "caller", "after")


def show(request: Request) -> Response:
    """Returns a page of the log. Raises ArenaError."""
    caller = contestant_of(request).caller
    caller.check_role(read_audit.roles)
    site = site_of(request)
    asked = request.query_params
    given: dict[str, Any] = {name: asked[name] for name in ASKED if asked.get(name)}
    with site.store.reading() as session:
        found = read_audit.call(
            Reading(caller, site.folder, session), read_audit.arguments(**given)
        )
    older = ""
    if found.next is not None:
        older = str(request.url.include_query_params(after=found.next).query)
    return private_page(request, "own/audit.html", found=found, given=given, older=older)


ROUTES = [Route("/own/audit", show)]
