"""The choice between light and dark."""

from __future__ import annotations

from enum import StrEnum

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from arena.web.http import own_address, read_form

COOKIE = "theme"
FOR_A_YEAR_S = 31_536_000


class Theme(StrEnum):
    """The colours of a page. `system`: as the visitor's device has them."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


def theme_of(request: Request) -> Theme:
    """Returns the theme that a visitor chose."""
    chosen = request.cookies.get(COOKIE)
    return Theme(chosen) if chosen in list(Theme) else Theme.SYSTEM


async def choose(request: Request) -> Response:
    """Remembers the theme of the form, and returns to the page that the form was on."""
    form = await read_form(request)
    wanted = form.get("theme", "")
    response = RedirectResponse(own_address(form.get("back", "/")), 303)
    if wanted in list(Theme):
        response.set_cookie(COOKIE, wanted, max_age=FOR_A_YEAR_S, samesite="lax", httponly=True)
    return response


ROUTES = [Route("/theme", choose, methods=["POST"])]
