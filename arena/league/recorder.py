"""Records what workers report: outcomes from the queue, into the store, once each."""

from __future__ import annotations

import asyncio
import hmac
import logging
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Protocol

import sqlalchemy as sa
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from arena.clock import monotonic
from arena.disk import DiskFull
from arena.foreign_text import REASON_LIMIT_BYTES, beginning, visible
from arena.league import analyses
from arena.league.aggregates import COUNTED, Sums, add
from arena.league.fleet import count_matches
from arena.league.job_rows import job_of, token_hash
from arena.league.ladder import check_quotas, rate_job
from arena.league.match_rows import match_row, private_log_row, record_row
from arena.league.outcome_verification import CheckedMatch, WrongOutcome, check
from arena.log_fields import log_fields
from arena.queue import Delivered, Job, Outcome, Queue, cancellations, machine_of
from arena.store import schema
from arena.store.notices.news import add_news
from arena.store.schema import Competition, JobState, Ladder, Match, NewsKind, now, table_of
from arena.store.session import Store, insert_rows, with_room

log = logging.getLogger(__name__)

JOBS, VERSIONS = table_of(schema.Job), table_of(schema.Version)
COMPETITIONS = table_of(Competition)
Row = sa.Row[str, str, str, JobState]

# Prepared once: building a statement takes longer than the database takes to carry it out.
ENDED_WITH = ("state", "attempts", "reason", "recorded_at", "machine")
READ_JOBS = sa.select(JOBS.c.id, JOBS.c.body, JOBS.c.token_hash, JOBS.c.state).where(
    JOBS.c.id.in_(sa.bindparam("job_ids", expanding=True))
)
END_JOB = (
    sa.update(JOBS)
    .where(JOBS.c.id == sa.bindparam("job_id"), JOBS.c.state == JobState.QUEUED)
    .values({name: sa.bindparam(name) for name in ENDED_WITH})
)
READ_LADDERS = sa.select(Ladder).where(Ladder.name.in_(sa.bindparam("names", expanding=True)))
READ_KINDS = sa.select(COMPETITIONS.c.name, COMPETITIONS.c.kind).where(
    COMPETITIONS.c.name.in_(sa.bindparam("names", expanding=True))
)
COUNT_ATTEMPTS = (
    sa.update(VERSIONS)
    .where(VERSIONS.c.digest.in_(sa.bindparam("versions", expanding=True)))
    .values(attempts=VERSIONS.c.attempts + sa.bindparam("more"))
)
COUNT_FAULT = (
    sa.update(VERSIONS)
    .where(VERSIONS.c.digest == sa.bindparam("version"))
    .values(faults=VERSIONS.c.faults + 1)
)

REFUSALS = 3
"""A job is parked when its result has been refused this many times."""
AT_ONCE = 16
WAIT_S = 1.0
REST_S = 1.0


@dataclass(frozen=True)
class Recorded:
    """The outcome is in the store."""


@dataclass(frozen=True)
class AlreadySettled:
    """The job had already been recorded or parked; nothing has changed."""


@dataclass(frozen=True)
class Parked:
    """The job is given up, for the reason in the outcome."""


@dataclass(frozen=True)
class Refused:
    """The outcome cannot belong to the job; nothing has changed. `sentence` says why."""

    sentence: str


@dataclass(frozen=True)
class Dropped:
    """The outcome is not from a worker that was given the job, and says nothing about it. If the
    job has disappeared from the queue, it is queued again."""

    sentence: str


@dataclass(frozen=True)
class TrueOutcome:
    """An outcome that belongs to its job. `machine`: whose worker reported it."""

    job: Job
    attempt: int
    machine: str
    matches: Sequence[CheckedMatch]


Verdict = Recorded | AlreadySettled | Parked | Refused | Dropped


class Audience(Protocol):
    """The counters of what happens to outcomes; called in any thread."""

    def recorded(self, outcome: TrueOutcome) -> None:
        """An outcome is in the store."""

    def parked(self) -> None:
        """A job is given up."""

    def dropped(self) -> None:
        """An outcome was not from a worker that had the job."""


class NoAudience:
    """Counts nothing."""

    def recorded(self, outcome: TrueOutcome) -> None:
        return

    def parked(self) -> None:
        return

    def dropped(self) -> None:
        return


NO_AUDIENCE = NoAudience()


class Recorder:
    """Writes outcomes to the store: record, private log, result, ratings and counts in one
    transaction keyed by the job, so the same outcome may arrive any number of times.

    `on_settled` is called, in the event loop, when a job is off the queue.
    `audience`: counts what happens.
    `dropped`: how many outcomes were dropped.
    `looked_at`: when it last finished a round.
    """

    def __init__(
        self,
        store: Store,
        on_settled: Callable[[], None] = lambda: None,
        audience: Audience = NO_AUDIENCE,
    ) -> None:
        self._store = store
        self._on_settled = on_settled
        self._audience = audience
        self.dropped = 0
        self.looked_at = monotonic()

    async def run(self, queue: Queue) -> None:
        """Records until cancelled; an outcome that was not finished is delivered again later."""
        while not cancellations():
            batch = await queue.outcomes(AT_ONCE, WAIT_S)
            try:
                settled = await with_room(partial(self.settle, batch))
            except OperationalError as error:
                # A lock held too long, say: nobody's fault, and it may pass.
                log.error("the store cannot be written: %s; trying again", error.orig)
                await asyncio.sleep(REST_S)
                continue
            for delivered in settled:
                await queue.acknowledge(delivered)
                self._on_settled()
            self.looked_at = monotonic()

    def settle(self, batch: Sequence[Delivered]) -> list[Delivered]:
        """Records outcomes, and parks the jobs of those that have been refused too often. Returns
        the outcomes that can be acknowledged."""
        verdicts = self._verdicts(batch)
        return [
            delivered
            for delivered, verdict in zip(batch, verdicts, strict=True)
            if self._is_settled(delivered, verdict)
        ]

    def record(self, outcome: Outcome) -> Verdict:
        """Records an outcome if it is true and has not been recorded yet."""
        judged = self._judged(outcome, self._rows([outcome.job_id]).get(outcome.job_id))
        return self._written([judged])[0] if isinstance(judged, TrueOutcome) else judged

    def park(
        self, job_id: str, reason: str, attempts: int = 0, *, level: int = logging.ERROR
    ) -> Verdict:
        """Gives a job up for good, visibly, with the reason. `level`: of the line in the log."""
        reason = visible(beginning(reason, REASON_LIMIT_BYTES))
        with self._store.writing() as session:
            if not _end(session, job_id, JobState.PARKED, attempts, reason=reason):
                analyses.fail(session, job_id, reason)
                return AlreadySettled()
            job = job_of(session.scalars(sa.select(JOBS.c.body).where(JOBS.c.id == job_id)).one())
            if not job.unhurried:
                _count_attempts(session, job, attempts)
            if level >= logging.ERROR:
                sentence = f"Job {job_id} is parked: {reason}"
                add_news(session, NewsKind.JOB_PARKED, sentence, competition=job.competition)
        self._audience.parked()
        with log_fields(competition=job.competition, game=job.game):
            log.log(level, "job %s is parked: %s", job_id, reason)
        return Parked()

    def _is_settled(self, delivered: Delivered, verdict: Verdict) -> bool:
        if isinstance(verdict, Dropped):
            self.dropped += 1
            self._audience.dropped()
            log.error(
                "a result said to be of job %r is dropped, %d so far: %s The job is still to be"
                " played.",
                *(delivered.job_id, self.dropped, verdict.sentence),
            )
        if not isinstance(verdict, Refused):
            return True
        why = beginning(verdict.sentence, REASON_LIMIT_BYTES)
        log.error("the result of job %s is refused: %s", delivered.job_id, why)
        if delivered.times < REFUSALS:
            return False
        self.park(delivered.job_id, f"Its result was refused {REFUSALS} times: {verdict.sentence}")
        return True

    def _verdicts(self, batch: Sequence[Delivered]) -> list[Verdict]:
        rows = self._rows([delivered.job_id for delivered in batch])
        judged = [self._delivered(delivered, rows.get(delivered.job_id)) for delivered in batch]
        written = iter(self._write([one for one in judged if isinstance(one, TrueOutcome)]))
        return [next(written) if isinstance(one, TrueOutcome) else one for one in judged]

    def _rows(self, job_ids: Sequence[str]) -> dict[str, Row]:
        with self._store.reading() as session:
            found = session.connection().execute(READ_JOBS, {"job_ids": job_ids})
            return {row.id: row for row in found}

    def _delivered(self, delivered: Delivered, row: Row | None) -> Verdict | TrueOutcome:
        if not delivered.signed:
            return Dropped(delivered.problem)
        if delivered.outcome is None:
            return Refused(delivered.problem)
        try:
            return self._judged(delivered.outcome, row)
        except (DiskFull, OperationalError):
            raise
        except Exception as error:
            return _unrecordable(delivered.job_id, error)

    def _judged(self, outcome: Outcome, row: Row | None) -> Verdict | TrueOutcome:
        """Returns the verdict on an outcome that is not to be recorded, whatever its matches."""
        if row is None:
            wrong = analyses.settle(self._store, outcome)
            return Dropped(wrong) if wrong else Recorded()
        if not hmac.compare_digest(row.token_hash, token_hash(outcome.result_token)):
            return Dropped("The result token is not that of the job.")
        if row.state != JobState.QUEUED:
            return AlreadySettled()
        if outcome.failure:
            level = logging.INFO if outcome.absent else logging.ERROR
            return self.park(outcome.job_id, outcome.failure, outcome.attempt, level=level)
        job = job_of(row.body)
        try:
            return TrueOutcome(
                job, outcome.attempt, machine_of(outcome.worker), check(job, outcome)
            )
        except WrongOutcome as wrong:
            return Refused(str(wrong))

    def _write(self, outcomes: Sequence[TrueOutcome]) -> list[Verdict]:
        """Records outcomes in one transaction; if one of them cannot be recorded, each in its
        own."""
        try:
            return self._written(outcomes)
        except (DiskFull, OperationalError):
            raise
        except Exception as error:
            if len(outcomes) == 1:
                return [_unrecordable(outcomes[0].job.job_id, error)]
            return [verdict for one in outcomes for verdict in self._write([one])]

    def _written(self, outcomes: Sequence[TrueOutcome]) -> list[Verdict]:
        if not outcomes:
            return []
        with self._store.writing() as session:
            competitions = {outcome.job.competition for outcome in outcomes}
            found = session.scalars(READ_LADDERS, {"names": competitions})
            ladders = {ladder.name: ladder for ladder in found}
            sums = _sums(session, competitions)
            verdicts = [
                _recorded(
                    session,
                    outcome,
                    ladders.get(outcome.job.competition),
                    sums.get(outcome.job.competition),
                )
                for outcome in outcomes
            ]
            for competition, counted in sums.items():
                add(session, competition, counted)
            recorded = [
                outcome
                for outcome, verdict in zip(outcomes, verdicts, strict=True)
                if isinstance(verdict, Recorded)
            ]
            played = Counter[str]()
            for outcome in recorded:
                played[outcome.machine] += len(outcome.matches)
            count_matches(session, played)
        for outcome in recorded:
            self._audience.recorded(outcome)
        return verdicts


def _unrecordable(job_id: str, error: Exception) -> Refused:
    """One odd outcome must not block all others."""
    log.error("the result of job %s cannot be recorded", job_id, exc_info=error)
    return Refused(f"The arena could not record it: {error}")


def _sums(session: Session, competitions: Collection[str]) -> dict[str, Sums]:
    """Returns empty sums for those of the competitions whose matches are counted."""
    kinds = session.connection().execute(READ_KINDS, {"names": competitions})
    return {name: Sums() for name, kind in kinds if kind in COUNTED}


def _recorded(
    session: Session, outcome: TrueOutcome, ladder: Ladder | None, sums: Sums | None
) -> Verdict:
    """Records an outcome.

    `ladder`: the job's, if it is one of a ladder.
    `sums`: where its matches are counted, if they are.
    """
    job, matches = outcome.job, outcome.matches
    if not _end(
        session,
        job.job_id,
        JobState.RECORDED,
        outcome.attempt,
        recorded_at=now(),
        machine=outcome.machine,
    ):
        return AlreadySettled()
    finished = [
        match_row(job.competition, match.record, match.thinking, match.private_log)
        for match in matches
    ]
    if ladder is not None:
        rate_job(session, ladder, job.job_id, finished)
    insert_rows(session, finished)
    insert_rows(session, [seat for match in finished for seat in match.seats])
    insert_rows(session, [record_row(match) for match in matches])
    insert_rows(session, [private_log_row(match) for match in matches])
    if not job.unhurried:  # what a bot does at a person's table is not held against it
        _count_attempts(session, job, outcome.attempt)
        _count_faults(session, finished)
    if sums is not None:
        sums.add([match.seats for match in finished])
    if ladder is not None:
        check_quotas(session, ladder, finished)
    return Recorded()


def _end(
    session: Session,
    job_id: str,
    state: JobState,
    attempts: int,
    *,
    reason: str = "",
    recorded_at: datetime | None = None,
    machine: str | None = None,
) -> bool:
    """Ends a job in that state. Returns False, and changes nothing, if it has been settled."""
    values = dict(zip(ENDED_WITH, (state, attempts, reason, recorded_at, machine), strict=True))
    ended = session.connection().execute(END_JOB, {"job_id": job_id, **values})
    return ended.rowcount > 0


def _count_attempts(session: Session, job: Job, attempts: int) -> None:
    versions = {entrant.version for entrant in job.entrants}
    session.connection().execute(COUNT_ATTEMPTS, {"versions": versions, "more": attempts})


def _count_faults(session: Session, matches: Sequence[Match]) -> None:
    for match in matches:
        for seat in match.seats:
            if seat.fault_kind is not None:
                session.connection().execute(COUNT_FAULT, {"version": seat.version})
