"""A version that cannot play: a comparison with it would measure its faults, not its strength."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.store.schema import MatchSeat
from arena.views.comparisons.plan import ComparisonPlan

LAST_MATCHES = 8
MOST_FAULTS = 3
"""In its last matches. No verdict comes so soon."""


def failing_version(session: Session, comparison: str, plan: ComparisonPlan) -> str:
    """Returns a sentence about a version that keeps failing, with its last fault; empty if there is
    none."""
    for one in (plan.new, plan.old, *plan.house):
        last = session.execute(
            sa.select(
                MatchSeat.match,
                sa.func.max(MatchSeat.fault_kind),
                sa.func.max(MatchSeat.fault_sentence),
            )
            .where(MatchSeat.version == one.version, MatchSeat.competition == comparison)
            .group_by(MatchSeat.match, MatchSeat.finished_at)
            .order_by(MatchSeat.finished_at.desc(), MatchSeat.match)
            .limit(LAST_MATCHES)
        ).all()
        faults = [(match, kind, sentence) for match, kind, sentence in last if kind is not None]
        if len(faults) > MOST_FAULTS:
            match, kind, sentence = faults[0]
            return (
                f"{one} keeps failing: it was at fault in {len(faults)} of its last {len(last)}"
                f" matches, the latest {match}: {kind}: {sentence} Its output: arena bot faults"
                f" {one.bot}"
            )
    return ""
