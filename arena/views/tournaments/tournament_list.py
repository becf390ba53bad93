"""The list of all tournaments."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.store import schema
from arena.store.queries import tournaments
from arena.store.schema import CompetitionState, TournamentEntrant, TournamentRound
from arena.views.competition import match_totals
from arena.views.view import Moment, View


class ListedTournament(View):
    """A tournament, and how far it is.

    `format`: as it was created; `auto` stands for the one that field and rounds suggest.
    `entrants`: also those that have left.
    `round`: the one that is played, or was the last; 0 before the first.
    `matches`: those that are finished.
    `starts_at`: when it starts by itself; None: its organiser starts it.
    `problem`: why the arena stopped it, a sentence; empty if it did not.
    `running_now`: whether an arena runs it at this moment.
    """

    tournament: str
    game: str
    format: str
    entrants: int
    round: int
    matches: int
    state: CompetitionState
    starts_at: Moment | None
    problem: str
    running_now: bool
    created_at: Moment


class Tournaments(View):
    """Tournaments, by name."""

    tournaments: tuple[ListedTournament, ...]


def all_tournaments(session: Session, is_run: Callable[[str], bool]) -> Tournaments:
    """Returns all tournaments. `is_run`: whether an arena runs the competition of a name."""
    return Tournaments(tournaments=listed(session, tournaments(session), is_run))


def listed(
    session: Session, rows: Sequence[schema.Tournament], is_run: Callable[[str], bool]
) -> tuple[ListedTournament, ...]:
    """Returns these tournaments as the list of all has them."""
    names = [row.name for row in rows]
    matches = match_totals(session, names)
    entrants = _highest(session, TournamentEntrant, names)
    rounds = _highest(session, TournamentRound, names)
    return tuple(
        ListedTournament(
            tournament=row.name,
            game=row.game,
            format=row.terms["format"],
            entrants=entrants.get(row.name, 0),
            round=rounds.get(row.name, 0),
            matches=matches.get(row.name, 0),
            state=row.state,
            starts_at=row.starts_at,
            problem=row.problem,
            running_now=row.state is CompetitionState.RUNNING and is_run(row.name),
            created_at=row.created_at,
        )
        for row in rows
    )


def _highest(
    session: Session, rows: type[TournamentEntrant] | type[TournamentRound], names: Sequence[str]
) -> dict[str, int]:
    """Returns the highest number in each of these tournaments: they count from 1."""
    highest = sa.select(rows.tournament, sa.func.max(rows.number)).where(rows.tournament.in_(names))
    return dict(session.execute(highest.group_by(rows.tournament)).all())
