"""The public state of a comparison."""

from __future__ import annotations

import json
from typing import Any

import sqlalchemy as sa
from pydantic import Field
from sqlalchemy.orm import Session

from arena.league.comparison.comparisons import ENDED, plan_of
from arena.league.comparison.groups import differences, in_start_order
from arena.league.comparison.plan import ComparisonPlan, Digest, Name
from arena.protocol import commitment_of
from arena.statistics import Findings, StrictModel, caution, find, sentence
from arena.store.schema import Comparison, CompetitionState, Match, MatchSeat


class Status(StrictModel):
    """A comparison and its figures so far.

    `owner`: the user who asked for it; empty: the organiser.
    `problem`: why the arena stopped it, a sentence; empty if it did not.
    `commitment`, `secret`: the digest of the secret from which the deals follow, and the secret
      itself, which is empty until the comparison has ended.
    `started`: the groups that have been started, of which `findings.groups` count.
    `waiting`: the groups that have their results, but wait for an earlier one.
    `matches`: those that are finished.
    `new_faults`, `old_faults`: in how many seats of these NEW and OLD were at fault.
    """

    comparison: Name
    owner: str
    state: CompetitionState
    problem: str
    plan: ComparisonPlan
    plan_digest: Digest
    commitment: Digest
    secret: str
    started: int = Field(ge=0)
    waiting: int = Field(ge=0)
    matches: int = Field(ge=0)
    new_faults: int = Field(ge=0)
    old_faults: int = Field(ge=0)
    findings: Findings

    @property
    def sentence(self) -> str:
        """The verdict or, before it, the progress."""
        return sentence(self.findings, str(self.plan.new), str(self.plan.old))

    @property
    def caution(self) -> str:
        """A caution about the error rates; empty if they are as agreed."""
        return caution(self.findings, self.plan.terms)


def status_document(status: Status) -> dict[str, Any]:
    """Returns a status ready for JSON, with its sentences for people."""
    sentences = {"sentence": status.sentence, "caution": status.caution}
    return status.model_dump(mode="json") | sentences


def read_status(text: str) -> Status:
    """Returns the status that the JSON of such a document states. Raises ValueError."""
    document = json.loads(text)
    if not isinstance(document, dict):
        raise ValueError("The document is no object.")
    stated = {name: value for name, value in document.items() if name in Status.model_fields}
    return Status.model_validate_json(json.dumps(stated))


def status_of(session: Session, comparison: Comparison) -> Status:
    """Returns the status of a comparison."""
    plan = plan_of(comparison)
    started = differences(session, comparison.name)
    counting = in_start_order(started)
    faults = _faults(session, comparison.name)
    return Status(
        comparison=comparison.name,
        owner=comparison.owner,
        state=comparison.state,
        problem=comparison.problem,
        plan=plan,
        plan_digest=plan.digest,
        commitment=commitment_of(bytes.fromhex(comparison.secret)).hex(),
        secret=comparison.secret if comparison.state in ENDED else "",
        started=len(started),
        waiting=sum(one is not None for one in started) - len(counting),
        matches=_matches(session, comparison.name),
        new_faults=faults.get(plan.new.version, 0),
        old_faults=faults.get(plan.old.version, 0),
        findings=find(plan.terms, counting),
    )


def _matches(session: Session, comparison: str) -> int:
    counted = sa.select(sa.func.count()).where(Match.competition == comparison)
    return session.scalar(counted) or 0


def _faults(session: Session, comparison: str) -> dict[str, int]:
    """Returns in how many seats of finished matches each version was at fault."""
    return dict(
        session.execute(
            sa.select(MatchSeat.version, sa.func.count())
            .join(Match, Match.id == MatchSeat.match)
            .where(Match.competition == comparison, MatchSeat.fault_kind.is_not(None))
            .group_by(MatchSeat.version)
        ).all()
    )
