"""The games: all of them, one of them, and its rules."""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

from sqlalchemy.orm import Session
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.errors import ArenaError, Kind
from arena.operations.readable import hidden_matches
from arena.views.competition import (
    CompetitionCard,
    busiest,
    competition_cards,
    played_game,
)
from arena.views.game import all_games, game_named
from arena.views.ladders.lead import Lead, lead_of
from arena.views.matches.match_filter import MatchFilter, Order, Result
from arena.views.matches.match_list import find_matches
from arena.web.competitions import Cache
from arena.web.conditional import conditional, tag_of
from arena.web.rendering import render
from arena.web.rules_as_html import rules_of
from arena.web.site import site_of

LATEST = 10
MOST_LADDERS = 200
LISTED = 5  # ladders of a game among the others
KINDS = ("ladder", "tournament", "comparison")


class Best(NamedTuple):
    """The best on a ladder. `records`: the clearest wins: bot, match, and by how much."""

    lead: Lead | None
    records: list[tuple[str, str, int]]


BEST: Cache[Best] = Cache(64)
"""By all that they follow from: looking for records takes longer than the rest of a page."""


def overview(request: Request) -> Response:
    """Returns the page of all games."""
    with site_of(request).store.reading() as session:
        cards = competition_cards(session, kinds=("ladder",), limit=MOST_LADDERS)
    played: defaultdict[str, list[CompetitionCard]] = defaultdict(list)
    for card in cards:
        played[card.game].append(card)
    games = [(game, played[game.game][:LISTED]) for game in all_games().games]
    return render(request, "games.html", games=games)


def show(request: Request) -> Response:
    """Returns the page of a game."""
    site = site_of(request)
    with site.store.reading() as session:
        game = played_game(session, request.path_params["game"])
        cards = {kind: [one for one in game.competitions if one.kind == kind] for kind in KINDS}
        latest = find_matches(session, MatchFilter(game=game.game), limit=LATEST).matches
        hidden = hidden_matches(session, [match.match for match in latest])
        ladder = busiest(cards["ladder"])
        best = _best(session, str(site.folder.path), ladder) if ladder else Best(None, [])
        return render(
            request,
            "game.html",
            game=game,
            competitions=cards,
            is_run=site.folder.running(),
            latest=latest,
            watched=next((one.match for one in latest if one.match not in hidden), ""),
            lead=best.lead,
            records=best.records,
            played=sum(card.matches for card in game.competitions),
        )


def _best(session: Session, folder: str, ladder: CompetitionCard) -> Best:
    key = (folder, ladder.name, ladder.matches, ladder.leaders)
    return BEST.get(key, lambda: Best(lead_of(session, ladder.name), _records(session, ladder)))


def _records(session: Session, ladder: CompetitionCard) -> list[tuple[str, str, int]]:
    """Returns the clearest wins of the best on a ladder: bot, match, and by how much."""
    found = []
    for leader in ladder.leaders:
        wanted = MatchFilter(
            competition=ladder.name, bot=leader.bot, result=Result.WON, order=Order.BEST
        )
        for match in find_matches(session, wanted, limit=1).matches:
            [seat, *_] = (one for one in match.seats if one.bot == leader.bot)
            if seat.margin:
                found.append((leader.bot, match.match, seat.margin))
    return found


def rules(request: Request) -> Response:
    """Returns the page with the rules of a game, as bot authors read them."""
    game = game_named(request.path_params["game"])
    text = rules_of(game.game)
    if text is None:
        raise ArenaError(
            Kind.NOT_FOUND,
            f"The rules of {game.title} are not installed here; `arena games {game.game}` explains"
            " the game.",
        )
    tag = tag_of(request.url, request.headers.get("cookie", ""), text)
    return conditional(request, tag, lambda: render(request, "rules.html", game=game, text=text))


ROUTES = [
    Route("/games", overview),
    Route("/games/{game}", show),
    Route("/games/{game}/rules", rules),
]
