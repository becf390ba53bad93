"""The results of a comparison's groups."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.match import Seating
from arena.statistics import PointScale, SeatResult, group_difference
from arena.store.schema import ComparisonGroup, ComparisonJob, Job, JobState
from arena.views.comparisons.plan import ComparisonPlan, side_of
from arena.views.matches.match import Match, matches_of_jobs


def take_results(session: Session, comparison: str, plan: ComparisonPlan, after: int = 0) -> None:
    """Writes the difference of every group whose matches are all recorded. The first `after` have
    theirs."""
    due = session.scalars(
        sa.select(ComparisonGroup).where(
            ComparisonGroup.comparison == comparison,
            ComparisonGroup.number > after,
            ComparisonGroup.difference.is_(None),
        )
    ).all()
    matches = _recorded(session, comparison, [group.number for group in due])
    for group in due:
        if len(played := matches.get(group.number, ())) == len(plan.seatings):
            group.difference = difference_of(plan.scale, plan.group_seatings, played)
    session.flush()


def difference_of(
    scale: PointScale, seatings: Sequence[Seating], matches: Sequence[Match]
) -> float:
    """Returns the difference of a group. `seatings`: of its matches, in their order."""
    return group_difference(
        [
            [
                SeatResult(side_of(participant), seat.team, seat.rank, seat.score)
                for participant, seat in zip(seating, match.seats, strict=True)
            ]
            for seating, match in zip(seatings, matches, strict=True)
        ],
        scale,
    )


def _recorded(session: Session, comparison: str, numbers: Sequence[int]) -> dict[int, list[Match]]:
    """Returns the recorded matches of groups, by group, in the order of their jobs and seatings."""
    if not numbers:
        return {}
    rows = session.execute(
        sa.select(ComparisonJob.number, ComparisonJob.job)
        .join(Job, Job.id == ComparisonJob.job)
        .where(
            ComparisonJob.comparison == comparison,
            ComparisonJob.number.between(numbers[0], numbers[-1]),
            Job.state == JobState.RECORDED,
        )
        .order_by(ComparisonJob.number, ComparisonJob.half)
    ).all()
    matches = matches_of_jobs(session, [job for _, job in rows])
    found: defaultdict[int, list[Match]] = defaultdict(list)
    for number, job in rows:
        found[number] += matches[job]
    return found
