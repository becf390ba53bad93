"""Tournaments, comparisons, games, and the search through everything."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from arena.games import load, slugs
from arena.league import LeagueComparisons, LeagueTournaments
from arena.league.views import CompetitionCard, Found, competition_cards, search
from arena.store.queries import comparison_named, tournament_named
from arena.web.api.answers import answered
from arena.web.api.error_answer import RESPONSES
from arena.web.api.parameters import LONGEST_NAME, MOST, Limit, Name, Reading

router = APIRouter(tags=["competitions"], responses=RESPONSES)


@dataclass(frozen=True)
class GameAnswer:
    """A game. `zones`, `facts`, `actions`, `events`, `reasons`: a sentence for each."""

    slug: str
    title: str
    summary: str
    rules_version: int
    players: tuple[int, ...]
    ladder_players: int
    options: dict[str, str]
    cards: str
    zones: dict[str, str]
    facts: dict[str, str]
    actions: dict[str, str]
    events: dict[str, str]
    reasons: dict[str, str]
    competitions: list[CompetitionCard]


@dataclass(frozen=True)
class GameHead:
    """A game in the list of all."""

    slug: str
    title: str
    summary: str
    players: tuple[int, ...]


@router.get("/games", response_model=list[GameHead])
def list_games(request: Request) -> Response:
    """All games."""
    games = [load(slug) for slug in slugs()]
    heads = [GameHead(game.slug, game.title, game.summary, game.players) for game in games]
    return answered(request, heads)


@router.get("/games/{slug}", response_model=GameAnswer)
def read_game(request: Request, session: Reading, slug: Name) -> Response:
    """A game: its words, and what is played in it."""
    game = load(slug)
    answer = GameAnswer(
        slug=game.slug,
        title=game.title,
        summary=game.summary,
        rules_version=game.rules_version,
        players=game.players,
        ladder_players=game.ladder_players,
        options={name: option.sentence for name, option in game.options.items()},
        cards=game.cards,
        zones=dict(game.zones),
        facts=game.all_facts,
        actions=dict(game.actions),
        events=dict(game.events),
        reasons=dict(game.reasons),
        competitions=competition_cards(session, game=game.slug),
    )
    return answered(request, answer)


@router.get("/tournaments", response_model=list[CompetitionCard])
def list_tournaments(request: Request, session: Reading, limit: Limit = MOST) -> Response:
    """All tournaments; those that go on come first."""
    return answered(request, competition_cards(session, kinds=["tournament"], limit=limit))


@router.get("/tournaments/{name}", response_model=dict[str, Any])
def read_tournament(request: Request, session: Reading, name: Name) -> Response:
    """The public document of a tournament, as `arena tournament show --json` prints it."""
    tournament = tournament_named(session, name)
    return answered(request, LeagueTournaments().document(session, tournament))


@router.get("/comparisons", response_model=list[CompetitionCard])
def list_comparisons(request: Request, session: Reading, limit: Limit = MOST) -> Response:
    """All comparisons; those that go on come first."""
    return answered(request, competition_cards(session, kinds=["comparison"], limit=limit))


@router.get("/comparisons/{name}", response_model=dict[str, Any])
def read_comparison(request: Request, session: Reading, name: Name) -> Response:
    """The public document of a comparison, as `arena compare show --json` prints it."""
    comparison = comparison_named(session, name)
    return answered(request, LeagueComparisons().document(session, comparison))


@router.get("/search", response_model=Found)
def find(
    request: Request, session: Reading, q: Annotated[str, Query(max_length=LONGEST_NAME)] = ""
) -> Response:
    """Bots, owners, competitions, games and matches with this text in their names."""
    return answered(request, search(session, q))
