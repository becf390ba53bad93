"""A finished comparison as a document from which all its figures can be recomputed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pydantic import Field
from sqlalchemy.orm import Session

from arena.errors import ArenaError, Kind
from arena.protocol import commitment_of
from arena.statistics import Findings, StrictModel, Verdict, find
from arena.store import schema
from arena.store.queries import ENDED
from arena.views.comparisons.group import CountedGroup, differences, group_page
from arena.views.comparisons.plan import (
    ComparisonPlan,
    Digest,
    Name,
    earlier_comparisons,
    plan_of,
    replayed_jobs,
)
from arena.views.view import View, canonical_json

GROUPS_AT_ONCE = 1000


class Certificate(StrictModel):
    """`comparison`: its name in its arena.
    `plan_digest`, `commitment`: as published before the first group: the digest of
      the plan, and that of the secret from which the deals follow.
    `groups`: in start order, from the first to the one that brought the verdict.
    `not_counted`: how many groups had been started after the last that counts.
    `earlier`, `replayed`: see `arena.views.comparisons.comparison.Comparison`.
    """

    format: Literal["sevens-comparison-1"] = "sevens-comparison-1"
    comparison: Name
    plan: ComparisonPlan
    plan_digest: Digest
    commitment: Digest
    secret: Digest
    groups: tuple[CountedGroup, ...] = Field(min_length=1, max_length=20_000)
    not_counted: int = Field(ge=0)
    earlier: int = Field(ge=0)
    replayed: int = Field(ge=0)
    findings: Findings

    def faults(self, participant: int) -> int:
        """Returns in how many of its seats a participant of the plan was at fault."""
        return sum(
            seating[seat] == participant
            for group in self.groups
            for match, seating in zip(group.matches, self.plan.group_seatings, strict=True)
            for seat in match.at_fault
        )

    def to_json(self) -> str:
        """Returns the canonical JSON."""
        return canonical_json(self)


class CheckedCertificate(View):
    """A comparison that has been recomputed from its file, with a sentence for everything that does
    not follow from its plan and its records."""

    comparison: str
    problems: tuple[str, ...]


def certify(
    comparison: str,
    plan: ComparisonPlan,
    secret: str,
    groups: Sequence[CountedGroup],
    started: int,
    *,
    earlier: int = 0,
    replayed: int = 0,
) -> Certificate:
    """Returns the certificate of a comparison that has its verdict.

    `groups`: those that have arrived, in start order, without a gap from the first on. What comes
      after the verdict is left out.
    `started`: how many groups have been started.
    `earlier`, `replayed`: as in the certificate.

    Raises ArenaError if there is no verdict yet.
    """
    findings = find(plan.terms, [group.difference for group in groups])
    if findings.verdict is Verdict.RUNNING:
        raise _undecided(comparison)
    return Certificate(
        comparison=comparison,
        plan=plan,
        plan_digest=plan.digest,
        commitment=commitment_of(bytes.fromhex(secret)).hex(),
        secret=secret,
        groups=tuple(groups[: findings.groups]),
        not_counted=started - findings.groups,
        earlier=earlier,
        replayed=replayed,
        findings=findings,
    )


def certificate_of(session: Session, row: schema.Comparison) -> Certificate:
    """Returns the certificate of a comparison. Raises ArenaError if it has no verdict yet."""
    if row.state not in ENDED:
        raise _undecided(row.name)
    started = len(differences(session, row.name))
    return certify(
        row.name,
        plan_of(row),
        row.secret,
        _counted_groups(session, row.name),
        started,
        earlier=earlier_comparisons(session, row),
        replayed=replayed_jobs(session, row.name),
    )


def _undecided(comparison: str) -> ArenaError:
    return ArenaError(
        Kind.NOT_NOW,
        f"The comparison {comparison} has no verdict yet, so there is nothing to certify.",
        "comparison",
    )


def _counted_groups(session: Session, comparison: str) -> list[CountedGroup]:
    found, after = list[CountedGroup](), 0
    while True:
        page = group_page(session, comparison, after, GROUPS_AT_ONCE)
        found += page.groups
        if page.next is None:
            return found
        after = page.next
