"""Pages that nobody else may see, nor the browser's cache keep."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from arena.web.rendering import render

NO_STORE = "no-store"


def private_page(request: Request, template: str, status: int = 200, **context: Any) -> Response:
    """Returns a page made from a template. Raises ArenaError."""
    response = render(request, template, status, **context)
    response.headers["Cache-Control"] = NO_STORE
    return response
