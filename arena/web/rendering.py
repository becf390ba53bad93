"""Pages from templates."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

import jinja2
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from arena.analysis import FROM, SIGNIFICANT
from arena.foreign_text import visible_lines
from arena.records.wording import counted
from arena.store.match_names import short_name
from arena.views.matches.sides import sides_of
from arena.web import addresses, formats
from arena.web.announced import announced
from arena.web.http import static_address
from arena.web.theme import theme_of
from arena.web.viewer import public_origin, viewer_of
from sevens_games import load

TEMPLATES = Path(__file__).with_name("templates")


def render(request: Request, template: str, status: int = 200, **context: Any) -> HTMLResponse:
    """Returns a page made from a template with this context. Raises ArenaError."""
    text = (
        environment()
        .get_template(template)
        .render(
            request=request,
            theme=theme_of(request),
            viewer=viewer_of(request),
            announcements=announced(request),
            origin=public_origin(request),
            path=quote(request.url.path),
            **context,
        )
    )
    return HTMLResponse(text, status)


@cache
def environment() -> jinja2.Environment:
    """Returns the templates' environment: all is escaped, and what is missing is an error."""
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.globals["static"] = static_address
    made.globals["sides_of"] = sides_of
    made.globals |= addresses.GLOBALS
    made.globals |= {"mark_limits": FROM, "significant": SIGNIFICANT}
    made.filters |= {
        "visible": formats.visible,
        "isolated": formats.isolated,
        "moment": formats.moment,
        "ago": formats.ago,
        "number": formats.number,
        "decimal": formats.decimal,
        "signed": formats.signed,
        "seconds": formats.seconds,
        "visible_lines": visible_lines,
        "percent": formats.percent,
        "chance": formats.chance,
        "cards": formats.cards,
        "clock": formats.clock,
        "short_name": short_name,
        "game_title": lambda slug: load(slug).title,
        "scores_unit": lambda slug: load(slug).layout.scores_unit,
        "scored": lambda score, slug: counted(score, load(slug).layout.score),
    }
    return made


NO_STORE = "no-store"


def private_page(request: Request, template: str, status: int = 200, **context: Any) -> Response:
    """Returns a page made from a template. Raises ArenaError."""
    response = render(request, template, status, **context)
    response.headers["Cache-Control"] = NO_STORE
    return response
