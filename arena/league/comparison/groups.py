"""The groups of a comparison: their differences, and the order in which they count.

They count in the order of their start, not of their arrival. Groups that NEW wins may end sooner
than those it loses; counted as they arrive, the first groups would then be a selection, and with 64
in flight most comparisons of equals would end "better".
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.league.comparison.certificate import CountedGroup, CountedMatch
from arena.league.comparison.plan import ComparisonPlan, side_of
from arena.match import Seating
from arena.statistics import PointScale, SeatResult, group_difference
from arena.store.matches import MatchRow, matches_of_jobs
from arena.store.schema import ComparisonGroup, ComparisonJob, Job, JobState


def in_start_order(differences: Iterable[float | None]) -> list[float]:
    """Returns the differences that count: those before the first group that has none yet.

    `differences`: of the groups, in the order of their start.
    """
    counting = []
    for difference in differences:
        if difference is None:
            break
        counting.append(difference)
    return counting


def differences(session: Session, comparison: str, after: int = 0) -> list[float | None]:
    """Returns the difference of each group that has been started, `after` the first so many; None
    where it is still being played."""
    return list(
        session.scalars(
            sa.select(ComparisonGroup.difference)
            .where(ComparisonGroup.comparison == comparison, ComparisonGroup.number > after)
            .order_by(ComparisonGroup.number)
        )
    )


def counted_differences(session: Session, comparison: str) -> list[float]:
    """Returns the differences that count, in the order of their start."""
    return in_start_order(differences(session, comparison))


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
            group.difference = difference_of(plan.scale, _seatings(plan), played)
    session.flush()


def counted_groups(
    session: Session, comparison: str, plan: ComparisonPlan, after: int, most: int
) -> list[CountedGroup]:
    """Returns at most so many groups that count, `after` the first so many, with their matches."""
    counting = in_start_order(differences(session, comparison, after)[:most])
    numbers = range(after + 1, after + 1 + len(counting))
    matches = _recorded(session, comparison, numbers)
    return [
        CountedGroup(
            difference=difference,
            matches=tuple(
                CountedMatch(match=match.match, digest=match.digest) for match in matches[number]
            ),
        )
        for number, difference in zip(numbers, counting, strict=True)
    ]


def difference_of(
    scale: PointScale, seatings: Sequence[Seating], matches: Sequence[MatchRow]
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


def _seatings(plan: ComparisonPlan) -> list[Seating]:
    """Returns the seatings in the order in which a group's jobs play them."""
    return [seating for half in plan.halves() for seating in half]


def _recorded(
    session: Session, comparison: str, numbers: Sequence[int]
) -> dict[int, list[MatchRow]]:
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
    found: defaultdict[int, list[MatchRow]] = defaultdict(list)
    for number, job in rows:
        found[number] += matches[job]
    return found
