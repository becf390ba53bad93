"""The time that versions took for their decisions, compared with the clock that they had."""

from __future__ import annotations

from collections.abc import Collection

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.records import bounds_of
from arena.store.schema import Competition, DecisionTimes, SeatResults
from arena.views.results import competitions_named
from arena.views.view import View


class TimeBar(View):
    """So many decisions took from `least_ms` to `most_ms` milliseconds."""

    least_ms: int
    most_ms: int
    decisions: int


class Histogram(View):
    """The times of a version's own decisions.

    `bars`: from 0 ms to the slowest, without gaps. Each is twice as wide as the one before it.
    `bank_ms`, `increment_ms`: the shortest clock of the competitions concerned: a decision has at
      least the increment, and at most both.
    """

    bars: tuple[TimeBar, ...]
    total_ms: int
    slowest_ms: int
    bank_ms: int
    increment_ms: int

    @property
    def decisions(self) -> int:
        """The number of decisions."""
        return sum(bar.decisions for bar in self.bars)

    @property
    def mean_ms(self) -> float:
        """The mean time; 0 if there was no decision."""
        return self.total_ms / self.decisions if self.bars else 0.0


def decision_times(
    session: Session, versions: Collection[str], competition: str = ""
) -> Histogram | None:
    """Returns the times of versions in a competition, or in all of them; None if none is known."""
    where = competitions_named(competition)
    counts = dict(
        session.execute(
            sa.select(DecisionTimes.bucket, sa.func.sum(DecisionTimes.decisions))
            .where(DecisionTimes.competition.in_(where), DecisionTimes.version.in_(versions))
            .group_by(DecisionTimes.bucket)
        ).all()
    )
    if not counts:
        return None
    total, slowest, bank, increment = session.execute(
        sa.select(
            sa.func.sum(SeatResults.total_ms),
            sa.func.max(SeatResults.slowest_ms),
            sa.func.min(Competition.bank_ms),
            sa.func.min(Competition.increment_ms),
        )
        .join(Competition, Competition.name == SeatResults.competition)
        .where(SeatResults.competition.in_(where), SeatResults.version.in_(versions))
    ).one()
    bars = tuple(
        TimeBar(least_ms=least, most_ms=most, decisions=counts.get(bucket, 0))
        for bucket, (least, most) in enumerate(map(bounds_of, range(max(counts) + 1)))
    )
    return Histogram(
        bars=bars,
        total_ms=total,
        slowest_ms=slowest,
        bank_ms=bank,
        increment_ms=increment,
    )
