"""The queue with its parked jobs, for organisers."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.operations.running.jobs import read_queue
from arena.web.pages.organiser.answer import answer_to
from arena.web.rendering import private_page


def show(request: Request) -> Response:
    """Returns the page. Raises ArenaError."""
    found = answer_to(request, read_queue)
    return private_page(request, "organiser/queue.html", found=found)


ROUTES = [Route("/organiser/queue", show)]
