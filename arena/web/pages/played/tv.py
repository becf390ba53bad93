"""TV: finished matches at a person's pace, one after another."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from arena.store.match_names import short_name
from arena.web.formats import visible
from arena.web.rendering import render
from arena.web.tv_programme import Item, programme_of

LISTED = 20


def show(request: Request) -> Response:
    """Returns the page, with the same matches as a list."""
    return render(request, "tv.html", items=programme_of(request).items()[:LISTED])


def show_next(request: Request) -> Response:
    """Returns what follows the match named by `after`; 204 if nothing is on."""
    item = programme_of(request).after(request.query_params.get("after", ""))
    return Response(status_code=204) if item is None else JSONResponse(_document(item))


def _document(item: Item) -> dict[str, object]:
    match = item.match
    return {
        "match": match.match,
        "name": short_name(match.match),
        "game": item.title,
        "competition": visible(match.competition),
        "seats": [visible(seat.bot) for seat in match.seats],
        "outcome": item.outcome,
        "page": f"/matches/{match.match}",
        "replay": f"/matches/{match.match}/replay.json",
    }


ROUTES = [Route("/tv", show), Route("/tv/next", show_next)]
