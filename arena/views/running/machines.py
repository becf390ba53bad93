"""The machines that play, with their workers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from datetime import timedelta

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.queue import WorkerReport, machine_of
from arena.store import schema
from arena.store.queries import counts
from arena.store.schema import Job, Match, MatchSeat, now
from arena.views.view import Moment, View

LATELY = timedelta(minutes=10)


class JobInPlay(View):
    """A job that a worker plays."""

    job: str
    competition: str


class WorkerAtWork(View):
    """A worker that has reported in the last seconds.

    `version`: of the arena that is installed there.
    `at_once`: how many jobs it plays at once, apart from those with people.
    """

    worker: str
    version: str
    at_once: int
    jobs: tuple[JobInPlay, ...]


class Machine(View):
    """A machine whose workers have called, or that is blocked.

    `version`: of the arena, as its workers last said; empty if they never did.
    `address`: from which one of them last enrolled; empty on the arena's own machine.
    `matches`: those that they have played; `matches_a_minute`: of the last 10 minutes.
    `faults`: in matches that count, by kind.
    `blocked_at`: since when they get no jobs; None: they do. `reason`: of that.
    """

    machine: str
    version: str
    address: str
    seen_at: Moment | None
    matches: int
    matches_a_minute: float
    faults: dict[str, int]
    blocked_at: Moment | None
    reason: str
    workers: tuple[WorkerAtWork, ...]


class OneMachine(View):
    """A machine that has been changed."""

    machine: Machine


class Machines(View):
    """All machines, by name. `trouble`: a sentence saying why the workers are not seen; empty if
    they are."""

    trouble: str
    machines: tuple[Machine, ...]


def machines_of(session: Session, reports: Iterable[WorkerReport]) -> tuple[Machine, ...]:
    """Returns all machines. `reports`: of the workers that are there."""
    at_work: defaultdict[str, list[WorkerReport]] = defaultdict(list)
    for report in reports:
        at_work[machine_of(report.worker)].append(report)
    rows = {
        row.name: row
        for row in session.scalars(sa.select(schema.Machine).order_by(schema.Machine.name))
    }
    new = {name: schema.Machine(name=name, matches=0) for name in at_work.keys() - rows.keys()}
    return _shown(session, rows | new, at_work)


def machine_of_row(session: Session, row: schema.Machine) -> Machine:
    """Returns a machine without its workers."""
    [machine] = _shown(session, {row.name: row}, {})
    return machine


def _shown(
    session: Session,
    rows: Mapping[str, schema.Machine],
    at_work: Mapping[str, Collection[WorkerReport]],
) -> tuple[Machine, ...]:
    lately = _matches_lately(session)
    faults = _faults(session)
    competitions = _competitions(session, at_work)
    return tuple(
        Machine(
            machine=name,
            version=max((one.version for one in at_work.get(name, ())), default=row.version or ""),
            address=row.address or "",
            seen_at=now() if name in at_work else row.seen_at,
            matches=row.matches,
            matches_a_minute=lately.get(name, 0) / (LATELY / timedelta(minutes=1)),
            faults=faults.get(name, {}),
            blocked_at=row.blocked_at,
            reason=row.reason or "",
            workers=tuple(
                WorkerAtWork(
                    worker=one.worker,
                    version=one.version,
                    at_once=one.at_once,
                    jobs=tuple(
                        JobInPlay(job=job, competition=competitions[job])
                        for job in one.jobs
                        if job in competitions
                    ),
                )
                for one in at_work.get(name, ())
            ),
        )
        for name, row in sorted(rows.items())
    )


def _matches_lately(session: Session) -> dict[str, int]:
    counted = (
        sa.select(Job.machine, sa.func.count())
        .join(Match, Match.job == Job.id)
        .where(Job.recorded_at > now() - LATELY, Job.machine.is_not(None))
        .group_by(Job.machine)
    )
    return {str(machine): matches for machine, matches in session.execute(counted)}


def _faults(session: Session) -> dict[str, dict[str, int]]:
    counted = (
        sa.select(Job.machine, MatchSeat.fault_kind, sa.func.count())
        .join(Match, Match.id == MatchSeat.match)
        .join(Job, Job.id == Match.job)
        .where(
            MatchSeat.fault_kind.is_not(None),
            Job.machine.is_not(None),
            counts(MatchSeat.match),
        )
        .group_by(Job.machine, MatchSeat.fault_kind)
        .order_by(MatchSeat.fault_kind)
    )
    found: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for machine, kind, faults in session.execute(counted):
        found[str(machine)][str(kind)] = faults
    return found


def _competitions(
    session: Session, at_work: Mapping[str, Collection[WorkerReport]]
) -> dict[str, str]:
    """Returns the competitions of the jobs that are being played."""
    jobs = {job for reports in at_work.values() for one in reports for job in one.jobs}
    found = sa.select(Job.id, Job.competition).where(Job.id.in_(jobs))
    return dict(session.execute(found).all())
