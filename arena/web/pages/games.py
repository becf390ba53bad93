"""The games: all of them, one of them, and its rules."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.errors import ArenaError, Kind
from arena.games import Game, load, slugs
from arena.league.views import CompetitionCard, competition_cards
from arena.store.matches import MatchFilter, find_matches
from arena.web.conditional import conditional, tag_of
from arena.web.rendering import render
from arena.web.rules import rules_of
from arena.web.site import site_of

LATEST = 10
MOST_LADDERS = 200
MOST_COMPETITIONS = 100  # of a game; those that go on come first
LISTED = 5  # ladders of a game among the others
KINDS = ("ladder", "tournament", "comparison")


def overview(request: Request) -> Response:
    """Returns the page of all games."""
    with site_of(request).store.reading() as session:
        cards = competition_cards(session, kinds=("ladder",), limit=MOST_LADDERS)
    played: defaultdict[str, list[CompetitionCard]] = defaultdict(list)
    for card in cards:
        played[card.game].append(card)
    games = [(load(slug), played[slug][:LISTED]) for slug in slugs()]
    return render(request, "games.html", games=games)


def show(request: Request) -> Response:
    """Returns the page of a game."""
    game = _game(request)
    with site_of(request).store.reading() as session:
        cards = competition_cards(session, game=game.slug, limit=MOST_COMPETITIONS)
        return render(
            request,
            "game.html",
            game=game,
            competitions={kind: [card for card in cards if card.kind == kind] for kind in KINDS},
            latest=find_matches(session, MatchFilter(game=game.slug), limit=LATEST).matches,
        )


def rules(request: Request) -> Response:
    """Returns the page with the rules of a game, as bot authors read them."""
    game = _game(request)
    text = rules_of(game.slug)
    if text is None:
        raise ArenaError(
            Kind.NOT_FOUND,
            f"The rules of {game.title} are not installed here; `arena games {game.slug}` explains"
            " the game.",
        )
    tag = tag_of(request.url, request.headers.get("cookie", ""), text)
    return conditional(request, tag, lambda: render(request, "rules.html", game=game, text=text))


def _game(request: Request) -> Game[Any]:
    """Returns the game of the address."""
    return load(request.path_params["game"])


ROUTES = [
    Route("/games", overview),
    Route("/games/{game}", show),
    Route("/games/{game}/rules", rules),
]
