"""The jobs of a comparison: as many groups as its test needs."""

from __future__ import annotations

import logging
from collections.abc import Sequence

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.league.comparison.comparisons import give_up_queued, obstacle_to_play
from arena.league.comparison.failing_version import failing_version
from arena.league.comparison.group_differences import take_results
from arena.league.deal_secret import seed_text
from arena.league.job_rows import new_job, row_of
from arena.league.remote_capacity import Room, nobody_is_there
from arena.match import Seating
from arena.queue import Entrant, Job
from arena.statistics import SequentialTest, Verdict
from arena.store import schema
from arena.store.queries import queued_jobs
from arena.store.schema import (
    Comparison,
    ComparisonGroup,
    ComparisonJob,
    CompetitionState,
    JobState,
)
from arena.views.comparisons.group import differences, in_start_order
from arena.views.comparisons.plan import ComparisonPlan, plan_of

log = logging.getLogger(__name__)


class ComparisonJobs:
    """Creates the jobs of one comparison. It decides by the store alone, so that it may end at any
    moment, and another goes on where it was."""

    def __init__(self, session: Session, comparison: Comparison) -> None:
        self.name = comparison.name
        self._plan = plan_of(comparison)
        self._test = SequentialTest(self._plan.terms)

    def make(self, session: Session, keep: int, room: Room = nobody_is_there) -> list[Job]:
        """Returns new jobs, whose rows it has added, until `keep` are queued or the test has its
        verdict."""
        comparison = session.get_one(Comparison, self.name)
        if comparison.state is not CompetitionState.RUNNING:
            return []
        take_results(session, self.name, self._plan, self._test.moments.groups)
        if failing := failing_version(session, self.name, self._plan):
            comparison.state, comparison.problem = CompetitionState.FAILED, failing
            give_up_queued(session, comparison, "A version of the comparison kept failing.")
            log.error("the comparison %s has no verdict: %s", self.name, failing)
            return []
        if self._verdict(session) is not Verdict.RUNNING:
            comparison.state = CompetitionState.OVER
            give_up_queued(session, comparison, "The comparison had its verdict.")
            log.info("the comparison %s is over: %s", self.name, self._test.verdict)
            return []
        if problem := obstacle_to_play(session, comparison) or self._given_up(session):
            comparison.state, comparison.problem = CompetitionState.PAUSED, problem
            log.error("the comparison %s is paused: %s", self.name, problem)
            return []
        jobs: list[Job] = []
        free = keep - queued_jobs(session, self.name)
        while len(jobs) < free and (group := self._next_group(session)) is not None:
            jobs += self._jobs(session, comparison, group)
        return jobs

    def versions(self, session: Session) -> set[str]:
        """Returns the digests of the versions that play."""
        plan = self._plan
        return {one.version for one in (plan.new, plan.old, *plan.house)}

    def over(self, session: Session) -> bool:
        """Returns True if it creates no more jobs until it is resumed."""
        return session.get_one(Comparison, self.name).state is not CompetitionState.RUNNING

    def _verdict(self, session: Session) -> Verdict:
        """Returns the verdict after all groups that count."""
        for difference in in_start_order(
            differences(session, self.name, after=self._test.moments.groups)
        ):
            if self._test.verdict is Verdict.RUNNING:
                self._test.add(difference)
        return self._test.verdict

    def _given_up(self, session: Session) -> str:
        """Returns a sentence about a job that was given up; empty if there is none."""
        row = session.execute(
            sa.select(ComparisonJob.number, schema.Job.id, schema.Job.reason)
            .join(schema.Job, schema.Job.id == ComparisonJob.job)
            .where(
                ComparisonJob.comparison == self.name,
                schema.Job.competition == self.name,
                schema.Job.state == JobState.PARKED,
            )
            .limit(1)
        ).first()
        if row is None:
            return ""
        number, job, reason = row
        return (
            f"Group {number}: the job {job} was given up ({reason}) Resume the comparison to play"
            " it once more."
        )

    def _next_group(self, session: Session) -> int | None:
        """Returns the number of a group that lacks a job: one whose job was given up, or else a
        new one, which it adds; None if there are to be no more."""
        halves = len(self._plan.halves())
        jobs = sa.func.count(ComparisonJob.job)
        lacking = session.scalar(
            sa.select(ComparisonGroup.number)
            .outerjoin(
                ComparisonJob,
                (ComparisonJob.comparison == ComparisonGroup.comparison)
                & (ComparisonJob.number == ComparisonGroup.number),
            )
            .where(
                ComparisonGroup.comparison == self.name,
                ComparisonGroup.number > self._test.moments.groups,  # the others have been counted
                ComparisonGroup.difference.is_(None),
            )
            .group_by(ComparisonGroup.number)
            .having(jobs < halves)
            .order_by(ComparisonGroup.number)
            .limit(1)
        )
        if lacking is not None:
            return lacking
        last = sa.select(sa.func.max(ComparisonGroup.number))
        started = session.scalar(last.where(ComparisonGroup.comparison == self.name)) or 0
        if started == self._plan.terms.most_groups:
            return None
        session.add(ComparisonGroup(comparison=self.name, number=started + 1))
        session.flush()
        return started + 1

    def _jobs(self, session: Session, comparison: Comparison, number: int) -> list[Job]:
        """Returns the jobs that a group lacks; all have the same deals."""
        there = session.scalars(
            sa.select(ComparisonJob.half).where(
                ComparisonJob.comparison == self.name, ComparisonJob.number == number
            )
        ).all()
        deals = seed_text(comparison.secret, self._plan.digest, f"group {number}")
        made = []
        for half, seatings in enumerate(self._plan.halves()):
            if half in there:
                continue
            entrants, orders = by_entrant(self._plan, seatings)
            job = new_job(comparison, entrants, deals, orders)
            made.append(job)
            session.add(row_of(job))
            session.flush()  # the comparison's row refers to it
            session.add(
                ComparisonJob(comparison=self.name, number=number, half=half, job=job.job_id)
            )
            session.flush()
        return made


def by_entrant(
    plan: ComparisonPlan, seatings: Sequence[Seating]
) -> tuple[tuple[Entrant, ...], tuple[Seating, ...]]:
    """Returns the entrants of a job, in the seat order of its first match, and its seatings by
    them. Each entrant sits once, so a house bot that has two seats is two entrants."""
    first = seatings[0]
    entrants = tuple(
        Entrant(bot=participant.bot, version=participant.version)
        for participant in map(plan.participant, first)
    )
    return entrants, tuple(_order(first, seating) for seating in seatings)


def _order(first: Seating, seating: Seating) -> Seating:
    """Returns for each seat the seat that its participant has in the first seating."""
    free = list(enumerate(first))
    order = []
    for wanted in seating:
        place = next(place for place in free if place[1] == wanted)
        free.remove(place)
        order.append(place[0])
    return tuple(order)
