"""The disk, for organisers."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.operations.running.disk import read_disk
from arena.web.pages.organiser.answer import answer_to
from arena.web.rendering import private_page


def show(request: Request) -> Response:
    """Returns the page. Raises ArenaError."""
    asked = request.query_params
    given = {name: asked.get(name, "").strip() for name in ("keep_records", "keep_logs")}
    found = answer_to(request, read_disk, **given)
    return private_page(request, "organiser/disk.html", found=found, given=given)


ROUTES = [Route("/organiser/disk", show)]
