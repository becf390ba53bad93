"""What everybody may know of a comparison."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.league.comparison.comparisons import ENDED, plan_of
from arena.league.comparison.groups import differences, in_start_order
from arena.protocol import commitment_of
from arena.statistics import caution, find, sentence
from arena.store import Comparison, Match, MatchSeat


def comparison_document(session: Session, comparison: Comparison) -> dict[str, Any]:
    """Returns the document, ready for JSON. The secret is in it once the comparison has ended."""
    plan = plan_of(comparison)
    started = differences(session, comparison.name)
    counting = in_start_order(started)
    findings = find(plan.terms, counting)
    return {
        "comparison": comparison.name,
        "owner": comparison.owner,
        "state": str(comparison.state),
        "problem": comparison.problem,
        "plan": plan.model_dump(mode="json"),
        "plan_digest": plan.digest,
        "commitment": commitment_of(bytes.fromhex(comparison.secret)).hex(),
        "secret": comparison.secret if comparison.state in ENDED else "",
        "started": len(started),
        "waiting": sum(one is not None for one in started) - len(counting),
        "matches": _matches(session, comparison.name),
        "faults": _faults(session, comparison.name, plan.new.version, plan.old.version),
        "findings": findings.model_dump(mode="json"),
        "sentence": sentence(findings, str(plan.new), str(plan.old)),
        "caution": caution(findings, plan.terms),
    }


def _matches(session: Session, comparison: str) -> int:
    counted = sa.select(sa.func.count()).where(Match.competition == comparison)
    return session.scalar(counted) or 0


def _faults(session: Session, comparison: str, new: str, old: str) -> Mapping[str, int]:
    """Returns in how many seats of finished matches NEW and OLD were at fault."""
    counted = dict(
        session.execute(
            sa.select(MatchSeat.version, sa.func.count())
            .join(Match, Match.id == MatchSeat.match)
            .where(
                Match.competition == comparison,
                MatchSeat.fault_kind.is_not(None),
                MatchSeat.version.in_((new, old)),
            )
            .group_by(MatchSeat.version)
        ).all()
    )
    return {"new": counted.get(new, 0), "old": counted.get(old, 0)}
