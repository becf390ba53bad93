"""The tokens and the invitations, for organisers."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.operations.tokens import list_invitations, list_tokens
from arena.store.schema import now
from arena.web.pages.organiser.answer import answer_to
from arena.web.rendering import private_page


def show(request: Request) -> Response:
    """Returns the page. Raises ArenaError."""
    found = answer_to(request, list_tokens)
    latest = sorted(found.tokens, key=lambda one: one.created_at, reverse=True)
    return private_page(
        request,
        "organiser/tokens.html",
        tokens=latest,
        invitations=answer_to(request, list_invitations).invitations,
        now=now(),
    )


ROUTES = [Route("/organiser/tokens", show)]
