"""The announcements and the webhooks, for organisers."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.operations.notices.announcements import list_announcements
from arena.operations.notices.webhooks import list_webhooks
from arena.web.pages.organiser.answer import answer_to
from arena.web.rendering import private_page


def show(request: Request) -> Response:
    """Returns the page. Raises ArenaError."""
    return private_page(
        request,
        "organiser/notices.html",
        webhooks=answer_to(request, list_webhooks).webhooks,
        announced=answer_to(request, list_announcements).announcements,
    )


ROUTES = [Route("/organiser/notices", show)]
