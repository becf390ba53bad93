"""The home page: what this is, ladders with their leaders, what is played, and what was."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.operations.readable import hidden_matches
from arena.store.queries import ENDED
from arena.views.competition import busiest, competition_cards
from arena.views.ladders.lead import lead_of
from arena.views.matches.match import Match
from arena.views.matches.match_list import find_matches
from arena.web.rendering import render
from arena.web.site import site_of
from arena.web.tv_programme import programme_of
from sevens_games import slugs

LATEST = 10
GOING_ON = 8


def show(request: Request) -> Response:
    """Returns the home page."""
    site = site_of(request)
    with site.store.reading() as session:
        others = competition_cards(session, kinds=("tournament", "comparison"), limit=GOING_ON)
        latest = find_matches(session, limit=LATEST).matches
        hidden = hidden_matches(session, [match.match for match in latest])
        ladders = [
            one for one in competition_cards(session, kinds=("ladder",)) if one.state not in ENDED
        ]
        foremost = busiest(ladders)
        return render(
            request,
            "home.html",
            games=len(slugs()),
            ladders=ladders,
            is_run=site.folder.running(),
            foremost=foremost,
            lead=lead_of(session, foremost.name) if foremost else None,
            shown=_on_show(request, [one for one in latest if one.match not in hidden]),
            going_on=[one for one in others if one.state not in ENDED],
            latest=latest,
            host=urlsplit(site.settings.origin or str(request.url)).hostname,
        )


def _on_show(request: Request, latest: Sequence[Match]) -> Match | None:
    """Returns the match that the TV shows first, or the latest one; None if there is neither."""
    programme = programme_of(request).items()
    return programme[0].match if programme else next(iter(latest), None)


ROUTES = [Route("/", show)]
