"""The page of an owner: the bots, how they are rated, their latest matches."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy.orm import Session
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.views.bot import BotCard, owned_bots
from arena.views.matches.match import Match
from arena.views.matches.match_filter import MatchFilter
from arena.views.matches.match_list import find_matches
from arena.web.rendering import render
from arena.web.site import site_of

LATEST = 20
MOST_BOTS = 100  # whose latest matches are looked for


def show(request: Request) -> Response:
    """Returns the page of the owner."""
    with site_of(request).store.reading() as session:
        found = owned_bots(session, request.path_params["owner"])
        latest = _latest(session, found.bots[:MOST_BOTS])
        return render(request, "owner.html", **dict(found), latest=latest)


def _latest(session: Session, bots: Iterable[BotCard]) -> list[Match]:
    """Returns the latest matches with any of the bots."""
    found = {
        match.match: match
        for bot in bots
        for match in find_matches(session, MatchFilter(bot=bot.bot), limit=LATEST).matches
    }
    return sorted(found.values(), key=lambda match: match.finished_at, reverse=True)[:LATEST]


# Owners are named by organisers, who may use any characters.
ROUTES = [Route("/owners/{owner:path}", show)]
