"""The games: all of them, one of them, and its rules."""

from __future__ import annotations

from collections import defaultdict

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.errors import ArenaError, Kind
from arena.views.competition import CompetitionCard, competition_cards, played_game
from arena.views.game import all_games, game_named
from arena.views.matches.match_filter import MatchFilter
from arena.views.matches.match_list import find_matches
from arena.web.conditional import conditional, tag_of
from arena.web.rendering import render
from arena.web.rules_as_html import rules_of
from arena.web.site import site_of

LATEST = 10
MOST_LADDERS = 200
LISTED = 5  # ladders of a game among the others
KINDS = ("ladder", "tournament", "comparison")


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
    with site_of(request).store.reading() as session:
        game = played_game(session, request.path_params["game"])
        return render(
            request,
            "game.html",
            game=game,
            competitions={
                kind: [card for card in game.competitions if card.kind == kind] for kind in KINDS
            },
            latest=find_matches(session, MatchFilter(game=game.game), limit=LATEST).matches,
        )


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
