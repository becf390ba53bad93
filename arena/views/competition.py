"""Competitions as cards: what is played, how far it is, who leads. For the home page and the pages
of games."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.store.schema import (
    Competition,
    CompetitionState,
    Entry,
    EntryState,
    Job,
    JobState,
    SeatResults,
    TournamentEntrant,
    table_of,
)
from arena.views.game import Game, game_named
from arena.views.ladders.lead import best_of
from arena.views.view import Moment, View

COMPETITIONS = table_of(Competition)
LEADERS = 3
MOST_OF_A_GAME = 100
# Competitions that are under way come first.
STATES = (
    CompetitionState.RUNNING,
    CompetitionState.OPEN,
    CompetitionState.PAUSED,
    CompetitionState.OVER,
    CompetitionState.FAILED,
    CompetitionState.CANCELLED,
)


class Leader(View):
    """A version at the top of a ladder."""

    bot: str
    number: int
    rating: float


class CompetitionCard(View):
    """A competition.

    `kind`: ladder, tournament or comparison.
    `entrants`: the versions that play, on a ladder or in a tournament.
    `matches`: the finished ones. `queued`: jobs that are waiting or being played.
    `leaders`: the best of a ladder.
    """

    name: str
    kind: str
    game: str
    state: str
    seats: int
    format: str
    created_at: Moment
    entrants: int
    matches: int
    queued: int
    leaders: tuple[Leader, ...]


class PlayedGame(Game):
    """A game with what is played in it; the competitions that go on come first."""

    competitions: tuple[CompetitionCard, ...]


def competition_cards(
    session: Session, *, game: str = "", kinds: Collection[str] = (), limit: int = 50
) -> list[CompetitionCard]:
    """Returns competitions of a game and of these kinds, or of any; those that go on come first,
    then the latest."""
    place = sa.case(
        {state: place for place, state in enumerate(STATES)}, value=COMPETITIONS.c.state
    )
    query = sa.select(COMPETITIONS).order_by(place, COMPETITIONS.c.created_at.desc())
    if game:
        query = query.where(COMPETITIONS.c.game == game)
    if kinds:
        query = query.where(COMPETITIONS.c.kind.in_(kinds))
    found = session.execute(query.limit(limit)).all()
    if not found:
        return []
    names = [row.name for row in found]
    matches, queued = match_totals(session, names), _queued(session, names)
    entrants, leaders = _entrants(session, names), leaders_of(session, names)
    return [
        CompetitionCard(
            name=row.name,
            kind=row.kind,
            game=row.game,
            state=str(row.state),
            seats=row.seats,
            format=str(row.format),
            created_at=row.created_at,
            entrants=entrants.get(row.name, 0),
            matches=matches.get(row.name, 0),
            queued=queued.get(row.name, 0),
            leaders=tuple(leaders[row.name]),
        )
        for row in found
    ]


def busiest(cards: Collection[CompetitionCard]) -> CompetitionCard | None:
    """Returns the competition with the most matches; None if none has any."""
    played = [card for card in cards if card.matches]
    return max(played, key=lambda card: card.matches, default=None)


def played_game(session: Session, slug: str) -> PlayedGame:
    """Returns a game with its competitions. Raises UnknownGame."""
    game = game_named(slug)
    cards = competition_cards(session, game=slug, limit=MOST_OF_A_GAME)
    return PlayedGame(**dict(game), competitions=tuple(cards))


def match_totals(session: Session, competitions: Sequence[str]) -> dict[str, int]:
    """Returns the numbers of finished matches of these competitions, without those that have
    none."""
    counted = (
        sa.select(SeatResults.competition, sa.func.sum(SeatResults.matches))
        .where(SeatResults.competition.in_(competitions), SeatResults.seat == 0)
        .group_by(SeatResults.competition)
    )
    return dict(session.execute(counted).all())


def _queued(session: Session, competitions: Sequence[str]) -> dict[str, int]:
    queued = sa.select(Job.competition, sa.func.count()).where(
        Job.competition.in_(competitions), Job.state == JobState.QUEUED
    )
    return dict(session.execute(queued.group_by(Job.competition)).all())


def _entrants(session: Session, competitions: Sequence[str]) -> dict[str, int]:
    count = sa.func.count()
    on_ladders = (
        sa.select(Entry.ladder, count)
        .where(Entry.ladder.in_(competitions), Entry.state == EntryState.ACTIVE)
        .group_by(Entry.ladder)
    )
    in_tournaments = (
        sa.select(TournamentEntrant.tournament, count)
        .where(
            TournamentEntrant.tournament.in_(competitions),
            TournamentEntrant.withdrawn_round.is_(None),
        )
        .group_by(TournamentEntrant.tournament)
    )
    return dict(session.execute(on_ladders.union_all(in_tournaments)).all())


def leaders_of(session: Session, ladders: Sequence[str]) -> defaultdict[str, list[Leader]]:
    """Returns the best of each ladder that have played there and take part."""
    found: defaultdict[str, list[Leader]] = defaultdict(list)
    for row in best_of(session, ladders, LEADERS):
        found[row.ladder].append(Leader.model_validate(row))
    return found
