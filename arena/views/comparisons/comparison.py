"""Comparisons: single ones with all their figures, and the list of all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import sqlalchemy as sa
from pydantic import computed_field
from sqlalchemy.orm import Session

from arena.protocol import commitment_of
from arena.statistics import Findings, Verdict, caution, find, sentence
from arena.store import schema
from arena.store.queries import ENDED, comparisons
from arena.store.schema import CompetitionState, Match, MatchSeat
from arena.views.comparisons.group import counted_differences, differences, in_start_order
from arena.views.comparisons.plan import (
    ComparisonPlan,
    Digest,
    earlier_comparisons,
    plan_of,
    replayed_jobs,
)
from arena.views.competition import match_totals
from arena.views.view import Moment, View

MOST_DIFFERENCES = 9


class Comparison(View):
    """A comparison and its figures so far.

    `comparison`: its name.
    `owner`: the user who asked for it; empty: the organiser.
    `running_now`: whether an arena runs it at this moment.
    `problem`: why the arena stopped it, a sentence; empty if it did not.
    `commitment`, `secret`: the digest of the secret from which the deals follow, and the secret
      itself, which is empty until the comparison has ended.
    `started`: the groups that have been started, of which `findings.groups` count.
    `waiting`: the groups that have their results, but wait for an earlier one.
    `matches`: those that are finished.
    `new_faults`, `old_faults`: in how many seats of these NEW and OLD were at fault.
    `earlier`: the comparisons of these two versions that were created here before.
    `replayed`: its jobs that were given up, and played again with the same deals.
    `distribution`: how many groups that count had each difference, the smallest first; empty if
      there are more than MOST_DIFFERENCES differences.
    """

    comparison: str
    owner: str
    state: CompetitionState
    running_now: bool
    problem: str
    created_at: Moment
    plan: ComparisonPlan
    plan_digest: Digest
    commitment: Digest
    secret: str
    started: int
    waiting: int
    matches: int
    new_faults: int
    old_faults: int
    earlier: int
    replayed: int
    distribution: tuple[tuple[float, int], ...]
    findings: Findings

    @computed_field  # type: ignore[prop-decorator]
    @property
    def sentence(self) -> str:
        """The verdict with the faults that remain or, before it, the progress."""
        if self.state is CompetitionState.FAILED:
            return "No verdict: a version kept failing."
        said = sentence(self.findings, str(self.plan.new), str(self.plan.old))
        if not self.new_faults + self.old_faults:
            return said
        return f"{said} Seats at fault: {self.new_faults} of NEW, {self.old_faults} of OLD."

    @computed_field  # type: ignore[prop-decorator]
    @property
    def caution(self) -> str:
        """Cautions about the error rates; empty if they are as agreed."""
        tries = ""
        if self.earlier:
            times = "once" if self.earlier == 1 else f"{self.earlier} times"
            tries = (
                f"These two versions were compared here {times} before: in several tries a false"
                ' "better" is more probable than in one.'
            )
        return " ".join(filter(None, (caution(self.findings, self.plan.terms), tries)))


class ComparisonRow(View):
    """A comparison in the list of all.

    `new`, `old`: as BOT@NUMBER.
    `groups`: those that count. `matches`: those that are finished.
    `verdict`: better, not better or undecided; empty before it.
    `sentence`: the verdict or, before it, the progress.
    """

    comparison: str
    game: str
    owner: str
    new: str
    old: str
    groups: int
    matches: int
    state: CompetitionState
    running_now: bool
    verdict: str
    sentence: str
    created_at: Moment


class Comparisons(View):
    """All comparisons, by name."""

    comparisons: tuple[ComparisonRow, ...]


def comparison_of(session: Session, row: schema.Comparison, *, is_run: bool) -> Comparison:
    """Returns a comparison. `is_run`: whether an arena runs the competition of its name."""
    plan = plan_of(row)
    started = differences(session, row.name)
    counting = in_start_order(started)
    faults = _faults(session, row.name)
    return Comparison(
        comparison=row.name,
        owner=row.owner,
        state=row.state,
        running_now=is_run and row.state is CompetitionState.RUNNING,
        problem=row.problem,
        created_at=row.created_at,
        plan=plan,
        plan_digest=plan.digest,
        commitment=commitment_of(bytes.fromhex(row.secret)).hex(),
        secret=row.secret if row.state in ENDED else "",
        started=len(started),
        waiting=sum(one is not None for one in started) - len(counting),
        matches=match_totals(session, [row.name]).get(row.name, 0),
        new_faults=faults.get(plan.new.version, 0),
        old_faults=faults.get(plan.old.version, 0),
        earlier=earlier_comparisons(session, row),
        replayed=replayed_jobs(session, row.name),
        distribution=distribution_of(counting),
        findings=find(plan.terms, counting),
    )


def distribution_of(differences: Sequence[float]) -> tuple[tuple[float, int], ...]:
    """Returns how often each difference occurs; none if there are too many to tell them apart at a
    glance. With two seats and a duplicate group these are the counts that chess calls
    pentanomial."""
    counts = Counter(round(difference, 6) for difference in differences)
    return tuple(sorted(counts.items())) if len(counts) <= MOST_DIFFERENCES else ()


def all_comparisons(session: Session, is_run: Callable[[str], bool]) -> Comparisons:
    """Returns all comparisons. `is_run`: says the same of each."""
    found = comparisons(session)
    matches = match_totals(session, [row.name for row in found])
    return Comparisons(
        comparisons=tuple(
            _row(session, row, matches.get(row.name, 0), is_run=is_run(row.name)) for row in found
        )
    )


def _row(session: Session, row: schema.Comparison, matches: int, *, is_run: bool) -> ComparisonRow:
    plan = plan_of(row)
    new, old = str(plan.new), str(plan.old)
    findings = find(plan.terms, counted_differences(session, row.name))
    return ComparisonRow(
        comparison=row.name,
        game=row.game,
        owner=row.owner,
        new=new,
        old=old,
        groups=findings.groups,
        matches=matches,
        state=row.state,
        running_now=is_run and row.state is CompetitionState.RUNNING,
        verdict="" if findings.verdict is Verdict.RUNNING else findings.verdict,
        sentence=sentence(findings, new, old),
        created_at=row.created_at,
    )


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
