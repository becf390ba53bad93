"""The results of a ladder's rated jobs, as ratings take them, from the store."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.ratings import Seated, Standing, standing
from arena.store import Job, Match, MatchSeat, RatingChange, WrongDataFolder

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
    result: Standing[str]


def rated_results(
    session: Session, ladder: str, version: str | None = None
) -> Iterator[RatedResult]:
    """Yields the results of a ladder's rated jobs, or of those that a version played, in the order
    in which they were rated. Raises WrongDataFolder if matches are damaged."""
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
        .where(Job.competition == ladder, Job.sequence.is_not(None), Match.rated)
        .order_by(Job.sequence, Match.number, MatchSeat.seat)
        .execution_options(yield_per=ROWS_AT_ONCE)
    )
    if version is not None:
        played = sa.select(RatingChange.sequence).where(
            RatingChange.ladder == ladder, RatingChange.version == version
        )
        seats = seats.where(Job.sequence.in_(played))
    for (sequence, job), rows in groupby(session.execute(seats), attrgetter("sequence", "job")):
        matches = [
            [Seated(row.version, row.team, row.rank) for row in of_match]
            for _, of_match in groupby(rows, attrgetter("match"))
        ]
        yield RatedResult(sequence, job, len(matches), _standing(ladder, job, matches))


def _standing(ladder: str, job: str, matches: Sequence[Sequence[Seated[str]]]) -> Standing[str]:
    try:
        result = standing(matches)
        if len(result.teams) > 1:
            return result
        why = "A match needs two teams."
    except ValueError as error:
        why = str(error)
    raise WrongDataFolder(
        f"In the store, the matches of the job {job} cannot be rated ({why}), so the ratings of the"
        f" ladder {ladder} cannot be computed: put a backup of the data folder back."
    )
