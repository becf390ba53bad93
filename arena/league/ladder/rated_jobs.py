"""A ladder's rated jobs from the store: their results, and the skills before and after."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session, aliased

from arena.errors import ArenaError, Kind
from arena.ratings import JobResult, RatedJob, RatedSeat, Skill, job_result
from arena.store.queries import counts
from arena.store.schema import Job, Match, MatchSeat, RatingChange

ROWS_AT_ONCE = 5000


@dataclass(frozen=True)
class RatedResult:
    """The result of a rated job.

    `sequence`: its place among the ladder's, from 1.
    `matches`: how many of its matches say something about skill.
    """

    sequence: int
    job: str
    matches: int
    result: JobResult[str]


def rated_results(
    session: Session, ladder: str, version: str | None = None
) -> Iterator[RatedResult]:
    """Yields the results of a ladder's rated jobs, or of those that a version played, in the order
    in which they were rated. Raises ArenaError if matches are damaged."""
    seats = (
        sa.select(
            Job.sequence,
            Job.id.label("job"),
            MatchSeat.match,
            MatchSeat.version,
            MatchSeat.team,
            MatchSeat.rank,
        )
        .join(Match, Match.job == Job.id)
        .join(MatchSeat, MatchSeat.match == Match.id)
        .where(Job.competition == ladder, Job.sequence.is_not(None), Match.rated, counts(Match.id))
        .order_by(Job.sequence, Match.number, MatchSeat.seat)
        .execution_options(yield_per=ROWS_AT_ONCE)
    )
    if version is not None:
        seats = seats.where(Job.sequence.in_(_played(ladder, version)))
    for (sequence, job), rows in groupby(session.execute(seats), attrgetter("sequence", "job")):
        matches = [
            [RatedSeat(row.version, row.team, row.rank) for row in of_match]
            for _, of_match in groupby(rows, attrgetter("match"))
        ]
        yield RatedResult(sequence, job, len(matches), _standing(ladder, job, matches))


def rated_with_skills(
    session: Session, ladder: str, version: str | None = None
) -> Iterator[RatedJob]:
    """Yields what `rated_results` does, with the skills before and after each job. Raises
    ArenaError also if some are missing."""
    changes = groupby(_changes(session, ladder, version), attrgetter("sequence"))
    for rated in rated_results(session, ladder, version):
        sequence, rows = next(changes, (None, iter(())))
        changed = {row.version: row for row in rows}
        played = {version for team in rated.result.teams for version in team}
        if sequence != rated.sequence or changed.keys() != played:
            raise ArenaError(
                Kind.DAMAGED,
                f"In the store, the history of ratings lacks the job {rated.job}. Compute it again:"
                f" arena ratings {ladder} --rebuild",
                "data",
            )
        yield RatedJob(
            rated.sequence,
            rated.job,
            rated.matches,
            rated.result,
            before={one: _before(row) for one, row in changed.items()},
            after={one: Skill(row.mu, row.sigma) for one, row in changed.items()},
        )


def _changes(session: Session, ladder: str, version: str | None) -> Iterable[sa.Row[Any]]:
    """Returns the changes of ratings in order, each with the figures of the one before it."""
    earlier, before = aliased(RatingChange), aliased(RatingChange)
    last = sa.select(sa.func.max(earlier.sequence)).where(
        earlier.ladder == RatingChange.ladder,
        earlier.version == RatingChange.version,
        earlier.sequence < RatingChange.sequence,
    )
    changes = (
        sa.select(
            RatingChange.sequence,
            RatingChange.version,
            RatingChange.mu,
            RatingChange.sigma,
            before.mu.label("mu_before"),
            before.sigma.label("sigma_before"),
        )
        .outerjoin(
            before,
            (before.ladder == RatingChange.ladder)
            & (before.version == RatingChange.version)
            & (before.sequence == last.scalar_subquery()),
        )
        .where(RatingChange.ladder == ladder)
        .order_by(RatingChange.sequence, RatingChange.version)
        .execution_options(yield_per=ROWS_AT_ONCE)
    )
    if version is not None:
        changes = changes.where(RatingChange.sequence.in_(_played(ladder, version)))
    return session.execute(changes)


def _before(row: sa.Row[Any]) -> Skill:
    return Skill() if row.mu_before is None else Skill(row.mu_before, row.sigma_before)


def _played(ladder: str, version: str) -> sa.Select[int]:
    """Selects the numbers of the rated jobs that a version played."""
    own = aliased(RatingChange)
    return sa.select(own.sequence).where(own.ladder == ladder, own.version == version)


def _standing(ladder: str, job: str, matches: Sequence[Sequence[RatedSeat[str]]]) -> JobResult[str]:
    try:
        result = job_result(matches)
        if len(result.teams) > 1:
            return result
        why = "A match needs two teams."
    except ValueError as error:
        why = str(error)
    raise ArenaError(
        Kind.DAMAGED,
        f"In the store, the matches of the job {job} cannot be rated ({why}), so the ratings of the"
        f" ladder {ladder} cannot be computed: put a backup of the data folder back.",
        "data",
    )
