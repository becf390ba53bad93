"""The groups of a comparison: their differences, and the order in which they count.

They count in the order of their start, not of their arrival. Groups that NEW wins may end sooner
than those it loses; counted as they arrive, the first groups would then be a selection, and with 64
in flight most comparisons of equals would end "better".
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from itertools import groupby
from operator import itemgetter
from typing import Annotated

import sqlalchemy as sa
from pydantic import Field
from sqlalchemy.orm import Session

from arena.statistics import StrictModel
from arena.store.schema import ComparisonGroup, ComparisonJob, Match, MatchSeat
from arena.views.comparisons.plan import MOST_MATCHES, MOST_SEATS, Digest, Name
from arena.views.view import View


class CountedMatch(StrictModel):
    """A match of a group: its id, the digest of its record, and the seats that were at fault."""

    match: Name
    digest: Digest
    at_fault: tuple[Annotated[int, Field(ge=0)], ...] = Field(max_length=MOST_SEATS)


class CountedGroup(StrictModel):
    """A group that counts.

    `difference`: points of NEW minus those of OLD, per seat and match.
    `matches`: in the order of the plan's halves, and of the seatings in each.
    """

    difference: float
    matches: tuple[CountedMatch, ...] = Field(max_length=MOST_MATCHES)


class CountedGroups(View):
    """Some groups that count, in the order of their start. `next`: the value of `after` for the
    next page; None at the end."""

    groups: tuple[CountedGroup, ...]
    next: int | None


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


def group_page(session: Session, comparison: str, after: int, limit: int) -> CountedGroups:
    """Returns at most so many groups that count, `after` the first so many."""
    counting = in_start_order(differences(session, comparison, after)[: limit + 1])
    page = counting[:limit]
    matches = _matches(session, comparison, after, after + len(page))
    groups = tuple(
        CountedGroup(difference=difference, matches=tuple(matches[number]))
        for number, difference in enumerate(page, after + 1)
    )
    return CountedGroups(groups=groups, next=after + limit if len(counting) > limit else None)


def _matches(
    session: Session, comparison: str, after: int, until: int
) -> dict[int, list[CountedMatch]]:
    """Returns the matches of the groups after one up to another, by group."""
    fault = (MatchSeat.match == Match.id) & MatchSeat.fault_kind.is_not(None)
    rows = session.execute(
        sa.select(ComparisonJob.number, Match.id, Match.digest, MatchSeat.seat)
        .join(Match, Match.job == ComparisonJob.job)
        .outerjoin(MatchSeat, fault)
        .where(
            ComparisonJob.comparison == comparison,
            ComparisonJob.number > after,
            ComparisonJob.number <= until,
        )
        .order_by(ComparisonJob.number, ComparisonJob.half, Match.number, MatchSeat.seat)
    )
    found: defaultdict[int, list[CountedMatch]] = defaultdict(list)
    for (number, match, digest), seats in groupby(rows, itemgetter(0, 1, 2)):
        at_fault = tuple(row.seat for row in seats if row.seat is not None)
        found[number].append(CountedMatch(match=match, digest=digest, at_fault=at_fault))
    return found
