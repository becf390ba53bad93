"""The page that leads organisers to all others."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.web.pages.changes import FORMS
from arena.web.rendering import private_page
from arena.web.viewer import organiser_of


def show(request: Request) -> Response:
    """Returns the page. Raises ArenaError."""
    organiser_of(request)
    return private_page(request, "organiser/overview.html", forms=FORMS)


ROUTES = [Route("/organiser", show)]
