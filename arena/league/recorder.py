"""Records what workers report: outcomes from the queue, into the store, once each."""

from __future__ import annotations

import asyncio
import hmac
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import sqlalchemy as sa
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from arena.foreign_text import REASON_LIMIT_BYTES, beginning, visible
from arena.league.jobs import job_of, token_hash
from arena.league.ladder import check_quotas, rate_job
from arena.league.match_rows import match_row, private_log_row, record_row
from arena.league.verify_outcome import CheckedMatch, WrongOutcome, check
from arena.queue import Delivered, Outcome, Queue, cancellations
from arena.store import (
    Base,
    DiskFull,
    JobState,
    Ladder,
    Match,
    Store,
    Version,
    now,
    tables,
    with_room,
)

log = logging.getLogger(__name__)

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


Verdict = Recorded | AlreadySettled | Parked | Refused | Dropped


class Recorder:
    """Writes outcomes to the store: record, private log, result, ratings and counts in one
    transaction keyed by the job, so the same outcome may arrive any number of times.

    `on_settled` is called, in the event loop, when a job is off the queue.
    `dropped`: how many outcomes were dropped.
    """

    def __init__(self, store: Store, on_settled: Callable[[], None] = lambda: None) -> None:
        self._store = store
        self._on_settled = on_settled
        self.dropped = 0

    async def run(self, queue: Queue) -> None:
        """Records until cancelled; an outcome that was not finished is delivered again later."""
        while not cancellations():
            for delivered in await queue.outcomes(AT_ONCE, WAIT_S):
                try:
                    if await with_room(partial(self.settle, delivered)):
                        await queue.acknowledge(delivered)
                        self._on_settled()
                except OperationalError as error:
                    # A lock held too long, say: nobody's fault, and it may pass.
                    log.error("the store cannot be written: %s; trying again", error.orig)
                    await asyncio.sleep(REST_S)

    def settle(self, delivered: Delivered) -> bool:
        """Records an outcome, or parks its job once it has been refused too often. Returns whether
        the outcome can be acknowledged."""
        verdict = self._verdict(delivered)
        if isinstance(verdict, Dropped):
            self.dropped += 1
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

    def record(self, outcome: Outcome) -> Verdict:
        """Records an outcome if it is true and has not been recorded yet."""
        with self._store.reading() as session:
            row = session.get(tables.Job, outcome.job_id)
        if row is None:
            return Dropped(f"There is no job {outcome.job_id}.")
        if not hmac.compare_digest(row.token_hash, token_hash(outcome.result_token)):
            return Dropped("The result token is not that of the job.")
        if row.state != JobState.QUEUED:
            return AlreadySettled()
        if outcome.failure:
            return self.park(row.id, outcome.failure, outcome.attempt)
        try:
            matches = check(job_of(row), outcome)
        except WrongOutcome as wrong:
            return Refused(str(wrong))
        return self._write(outcome, matches)

    def park(self, job_id: str, reason: str, attempts: int = 0) -> Verdict:
        """Gives a job up for good, visibly, with the reason."""
        reason = visible(beginning(reason, REASON_LIMIT_BYTES))
        with self._store.writing() as session:
            row = _queued(session, job_id)
            if row is None:
                return AlreadySettled()
            row.state, row.reason = JobState.PARKED, reason
            _count_attempts(session, row, attempts)
        log.error("job %s is parked: %s", job_id, reason)
        return Parked()

    def _verdict(self, delivered: Delivered) -> Verdict:
        if not delivered.signed:
            return Dropped(delivered.problem)
        if delivered.outcome is None:
            return Refused(delivered.problem)
        try:
            return self.record(delivered.outcome)
        except (DiskFull, OperationalError):
            raise
        except Exception as error:  # one odd outcome must not block all others
            log.exception("the result of job %s cannot be recorded", delivered.job_id)
            return Refused(f"The arena could not record it: {error}")

    def _write(
        self, outcome: Outcome, matches: Sequence[CheckedMatch]
    ) -> Recorded | AlreadySettled:
        with self._store.writing() as session, session.no_autoflush:
            row = _queued(session, outcome.job_id)
            if row is None:
                return AlreadySettled()
            finished = [match_row(row, match.record, match.private_log) for match in matches]
            _insert(session, finished)
            _insert(session, [seat for match in finished for seat in match.seats])
            _insert(session, [record_row(match) for match in matches])
            _insert(session, [private_log_row(match) for match in matches])
            row.state, row.recorded_at = JobState.RECORDED, now()
            _count_attempts(session, row, outcome.attempt)
            _count_faults(session, finished)
            ladder = session.get(Ladder, row.competition)
            if ladder is not None:
                rate_job(session, ladder, row, finished)
                check_quotas(session, ladder, finished)
        return Recorded()


def _insert(session: Session, rows: Sequence[Base]) -> None:
    """Inserts rows of one table in one statement, which the session then does not track: it would
    take three times as long."""
    table = sa.inspect(type(rows[0])).local_table
    assert isinstance(table, sa.Table)
    names = [column.name for column in table.columns]
    values = [{name: getattr(row, name) for name in names} for row in rows]
    session.execute(sa.insert(table), values)


def _queued(session: Session, job_id: str) -> tables.Job | None:
    """Returns the row, locked, if the job is still to be settled."""
    row = session.get(tables.Job, job_id, with_for_update=True)
    return row if row is not None and row.state == JobState.QUEUED else None


def _count_attempts(session: Session, row: tables.Job, attempts: int) -> None:
    row.attempts = attempts
    versions = {entrant.version for entrant in job_of(row).entrants}
    session.execute(
        sa.update(Version)
        .where(Version.digest.in_(versions))
        .values(attempts=Version.attempts + attempts)
    )


def _count_faults(session: Session, matches: Sequence[Match]) -> None:
    for match in matches:
        for seat in match.seats:
            if seat.fault_kind is not None:
                session.get_one(Version, seat.version).faults += 1
