"""The machines and their workers, for organisers."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.operations.running.fleet import list_machines
from arena.web.pages.organiser.answer import answer_to
from arena.web.rendering import private_page


def show(request: Request) -> Response:
    """Returns the page. Raises ArenaError."""
    found = answer_to(request, list_machines)
    return private_page(request, "organiser/workers.html", found=found)


ROUTES = [Route("/organiser/workers", show)]
