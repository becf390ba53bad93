"""Jobs that were given up: played again, or dropped."""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.errors import ArenaError, Kind
from arena.league import comparison, tournament
from arena.league.competitions import outdated
from arena.league.job_rows import job_of
from arena.store.queries import ENDED
from arena.store.schema import (
    Comparison,
    ComparisonJob,
    Competition,
    CompetitionState,
    Job,
    JobState,
    Tournament,
    TournamentGroup,
    Version,
    VersionState,
)


def parked_jobs(session: Session) -> Sequence[tuple[Job, Competition]]:
    """Returns the parked jobs, oldest first, of competitions that go on. In tournaments and
    comparisons a job no longer counts among them when another has taken its place."""
    has_place = sa.or_(
        sa.exists().where(TournamentGroup.job == Job.id),
        sa.exists().where(ComparisonJob.job == Job.id),
        Competition.kind == "ladder",
    )
    found = session.execute(
        sa.select(Job, Competition)
        .join(Competition, Competition.name == Job.competition)
        .where(Competition.state.not_in(ENDED), Job.state == JobState.PARKED, has_place)
        .order_by(Job.created_at, Job.id)
    )
    return [(job, competition) for job, competition in found]


def retry(session: Session, job: Job, competition: Competition) -> None:
    """Has a parked job of a ladder played again. A tournament or comparison goes on, and plays all
    that it had given up. Raises ArenaError."""
    match competition:
        case Tournament() | Comparison() if competition.state is CompetitionState.RUNNING:
            drop(session, job)
        case Tournament():
            tournament.change_state(session, competition, CompetitionState.RUNNING)
        case Comparison():
            comparison.change_state(session, competition, CompetitionState.RUNNING)
        case _:
            _check_playable(session, job, competition)
            job.state, job.attempts, job.reason = JobState.QUEUED, 0, ""
    session.flush()


def drop(session: Session, job: Job) -> None:
    """Takes a parked job off the list. On a ladder it is as if it had never been paired. In a
    tournament or comparison its place is free: another job takes it when that goes on, so that
    nothing is decided without being played."""
    for places in (TournamentGroup, ComparisonJob):
        for place in session.scalars(sa.select(places).where(places.job == job.id)):
            session.delete(place)
            session.flush()
            return
    job.state = JobState.DROPPED
    session.flush()


def _check_playable(session: Session, job: Job, competition: Competition) -> None:
    if old := outdated(competition):
        raise ArenaError(Kind.NOT_NOW, old, "job")
    for entrant in job_of(job.body).entrants:
        version = session.get(Version, entrant.version)
        if version is None or version.state is not VersionState.ACTIVE:
            raise ArenaError(
                Kind.NOT_NOW,
                f"The job {job.id} cannot be played again: its version of {entrant.bot} has been"
                " retired. Drop the job.",
                "job",
            )
