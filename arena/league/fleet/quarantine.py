"""Finds machines on which bots fail more often than on others, and takes them out of play.

Plays are compared in pairs: the same version in the same competition, on this machine and on
another one. Of each job one entrant is taken, by the job's id, so that a job counts once and its
outcome has no say in that. See decision 0035.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.errors import ArenaError
from arena.league.fleet.machines import SINCE, block
from arena.league.voids import void_jobs
from arena.moment import minute
from arena.protocol import FaultKind
from arena.statistics import RateAlarm
from arena.store.queries import counts
from arena.store.schema import (
    TABLE,
    Competition,
    Job,
    Machine,
    MachineState,
    Match,
    MatchSeat,
    now,
)

ALPHA = 0.001
"""The greatest chance that a machine which is as good as the others is ever taken for a worse one,
until an organiser lets it play again."""
OF_MACHINES = frozenset(FaultKind) - {FaultKind.ILLEGAL_ACTION, FaultKind.PROTOCOL_ERROR}
"""The kinds of fault that a machine can cause."""
AT_ONCE = 1000
WHY = "It was played on a machine where bots failed more often than elsewhere."


@dataclass(frozen=True)
class Play:
    """A play of a version on a machine. `kind`: competition and version."""

    machine: str
    kind: tuple[str, str]
    failed: bool
    at: datetime


class Pairs:
    """Pairs of plays of one kind on two machines. A later play on a machine takes the place of the
    one that waits."""

    def __init__(self) -> None:
        self._waiting: dict[tuple[str, str], Play] = {}

    def made_by(self, plays: Iterable[Play]) -> Iterator[tuple[Play, Play]]:
        """Yields the pairs that further plays make."""
        for play in plays:
            other = self._waiting.pop(play.kind, None)
            if other is None or other.machine == play.machine:
                self._waiting[play.kind] = play
            else:
                yield play, other


@dataclass(frozen=True)
class Quarantined:
    """A machine that was taken out of play.

    `since`: when the last pair was recorded that did not speak against it: its later matches are
      void. `void`: how many of them are, by competition.
    `left`: how many jobs stay: of comparisons, or of tables whose results others follow from.
    """

    machine: str
    since: datetime
    void: dict[str, int]
    left: int


class Quarantine:
    """Looks at what is played from now on. `alpha`: as ALPHA."""

    def __init__(self, session: Session, alpha: float = ALPHA) -> None:
        self._alpha = alpha
        self._seen = session.scalar(sa.select(sa.func.max(Job.recorded_at)))
        self._began = self._seen or now()
        self._pairs = Pairs()

    def look(self, session: Session) -> list[Quarantined]:
        """Counts the plays that have been recorded since the last look, and takes machines out of
        play. Of those that are, it voids what they have ended meanwhile."""
        plays = _plays_since(session, self._seen)
        if not plays:
            return []
        self._seen = plays[-1].at
        named = {play.machine for play in plays}
        for one, other in self._pairs.made_by(plays):
            named.add(other.machine)
            self._count(session, one, other)
            self._count(session, other, one)
        session.flush()
        found = []
        for name in sorted(named):
            machine = session.get(Machine, name)
            if machine is None:  # forgotten
                continue
            if self._is_worse(machine):
                found.append(_quarantined(session, machine))
            elif machine.state is MachineState.QUARANTINED:
                again = _voided(session, machine)
                found += [again] if again.void else []
        return found

    def _count(self, session: Session, here: Play, elsewhere: Play) -> None:
        machine = session.get(Machine, here.machine)
        if machine is None:  # forgotten
            return
        alarm = alarm_of(machine)
        since = machine.evidence.get(SINCE, self._began.isoformat())
        if here.failed is not elsewhere.failed:
            alarm.add(here=here.failed)
        if alarm.run == 0:
            since = here.at.isoformat()
        machine.evidence = {**machine.evidence, **asdict(alarm), SINCE: since}

    def _is_worse(self, machine: Machine) -> bool:
        is_blocked = machine.blocked_at is not None
        return not is_blocked and alarm_of(machine).fortune >= 1 / self._alpha


def alarm_of(machine: Machine) -> RateAlarm:
    """Returns the evidence against a machine."""
    found = machine.evidence
    return RateAlarm(found.get("pairs", 0), found.get("staked", 0.0), found.get("run", 0.0))


def _quarantined(session: Session, machine: Machine) -> Quarantined:
    """Blocks a machine, and voids what it has played since it seems to be worse."""
    since = datetime.fromisoformat(machine.evidence[SINCE])
    block(
        machine,
        "Quarantined by the arena: bots have failed here more often than elsewhere since"
        f" {minute(since)}.",
    )
    machine.evidence = {**machine.evidence, MachineState.QUARANTINED.value: True}
    return _voided(session, machine)


def _voided(session: Session, machine: Machine) -> Quarantined:
    """Voids what a machine has played since it seems to be worse."""
    since = datetime.fromisoformat(machine.evidence[SINCE])
    found = session.execute(
        sa.select(Job.id, Competition.kind)
        .join(Competition, Competition.name == Job.competition)
        .join(Match, Match.job == Job.id)
        .where(
            Job.recorded_at > since,
            Job.machine == machine.name,
            Competition.kind != TABLE,
            counts(Match.id),
        )
        .distinct()
        .order_by(Job.id)
    ).all()
    rated = {job for job, kind in found if kind == "ladder"}
    void = dict(void_jobs(session, rated, WHY))
    left = 0
    for job, kind in found:
        if kind == "ladder":
            continue
        try:
            again = void_jobs(session, {job}, WHY)
        except ArenaError:  # its deals are known, or results have followed from it
            left += 1
            continue
        for competition, matches in again.items():
            void[competition] = void.get(competition, 0) + matches
    return Quarantined(machine.name, since, void, left)


def _plays_since(session: Session, seen: datetime | None) -> list[Play]:
    jobs = sa.select(Job).join(Competition, Competition.name == Job.competition)
    jobs = jobs.where(Job.machine.is_not(None), Competition.kind != TABLE)
    if seen is not None:
        jobs = jobs.where(Job.recorded_at > seen)
    rows = session.scalars(jobs.order_by(Job.recorded_at, Job.id).limit(AT_ONCE)).all()
    failed = _failed(session, [row.id for row in rows])
    return [
        Play(str(row.machine), (row.competition, version), did_fail, row.recorded_at)
        for row in rows
        if row.recorded_at is not None
        for version, did_fail in [_chosen(row.id, failed[row.id])]
    ]


def _chosen(job: str, failed: dict[str, bool]) -> tuple[str, bool]:
    """Returns the version that stands for a job, and whether it failed there."""
    versions = sorted(failed)
    version = versions[int(job[:8], 16) % len(versions)]
    return version, failed[version]


def _failed(session: Session, jobs: Sequence[str]) -> dict[str, dict[str, bool]]:
    """Returns for each job whether its versions failed in it."""
    found = session.execute(
        sa.select(Match.job, MatchSeat.version, MatchSeat.fault_kind)
        .join(MatchSeat, MatchSeat.match == Match.id)
        .where(Match.job.in_(jobs))
    )
    failed: dict[str, dict[str, bool]] = {job: {} for job in jobs}
    for job, version, kind in found:
        failed[job][version] = failed[job].get(version, False) or kind in OF_MACHINES
    return failed
