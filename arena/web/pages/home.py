"""The home page: what this is, ladders with their leaders, what is played, and what was."""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.games import slugs
from arena.operations.readable import hidden_matches
from arena.store.queries import ENDED
from arena.views.competition import competition_cards
from arena.views.matches.match_list import find_matches
from arena.web.rendering import render
from arena.web.site import site_of

LATEST = 10
GOING_ON = 8


def show(request: Request) -> Response:
    """Returns the home page."""
    site = site_of(request)
    with site.store.reading() as session:
        others = competition_cards(session, kinds=("tournament", "comparison"), limit=GOING_ON)
        latest = find_matches(session, limit=LATEST).matches
        hidden = hidden_matches(session, [match.match for match in latest])
        return render(
            request,
            "home.html",
            games=len(slugs()),
            ladders=[
                one
                for one in competition_cards(session, kinds=("ladder",))
                if one.state not in ENDED
            ],
            going_on=[one for one in others if one.state not in ENDED],
            latest=latest,
            to_watch=[match for match in latest if match.match not in hidden][:1],
            host=urlsplit(site.settings.origin or str(request.url)).hostname,
        )


ROUTES = [Route("/", show)]
