"""The progress of a tournament or a comparison."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.store.queries import job_counts
from arena.store.schema import ComparisonGroup, Competition, TournamentEntrant, TournamentRound


def progress_of(session: Session, competition: Competition) -> tuple[object, ...]:
    """Returns values that change whenever anything changes that the page of a tournament or a
    comparison shows."""
    name = competition.name
    jobs = job_counts(session, name)
    withdrawn = sa.func.count(TournamentEntrant.withdrawn_round)
    entrants = sa.select(sa.func.count(), withdrawn).where(TournamentEntrant.tournament == name)
    rounds = sa.select(sa.func.max(TournamentRound.number)).where(
        TournamentRound.tournament == name
    )
    groups = sa.select(sa.func.count(), sa.func.count(ComparisonGroup.difference)).where(
        ComparisonGroup.comparison == name
    )
    return (
        *(name, competition.created_at, competition.state, *jobs.values()),
        *session.execute(entrants).one(),
        *(session.scalar(rounds), *session.execute(groups).one()),
    )
