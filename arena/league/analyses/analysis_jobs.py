"""The rows of analyses, and their jobs."""

from __future__ import annotations

import hmac
import logging
import secrets
from collections.abc import Collection, Iterable
from datetime import timedelta
from uuid import uuid4

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.errors import ArenaError, Kind
from arena.foreign_text import REASON_LIMIT_BYTES, beginning, visible
from arena.league.job_rows import token_hash
from arena.queue import Clock, Job, Outcome
from arena.records import read_compressed
from arena.store import schema
from arena.store.schema import IS_OPEN_ANALYSIS, Match, Record, now
from arena.store.session import Store
from arena.store.texts import packed
from arena.views.matches.analysis import Analysis
from sevens.record.v1.match_record_pb2 import MatchRecord

log = logging.getLogger(__name__)

MOST_OPEN = 3
MOST_A_DAY = 30


def ask_for(session: Session, match: str, owner: str, *, bounded: bool) -> None:
    """Requests an analysis of a match, unless there is one that has not failed. `bounded`: whether
    the owner may have only so many. Raises ArenaError."""
    row = session.get(schema.Analysis, match)
    if row is not None and not row.reason:
        return
    if bounded:
        _check_bounds(session, owner)
    if row is not None:
        session.delete(row)
        session.flush()
    session.add(schema.Analysis(match=match, job=uuid4().hex, owner=owner))


def new_jobs(session: Session) -> list[Job]:
    """Returns the jobs of analyses that were never on the queue, and gives each a token."""
    return [_job(session, row) for row in _open_rows(session) if not row.token_hash]


def lost_jobs(session: Session, on_their_way: Collection[str]) -> list[Job]:
    """Returns the jobs that were on the queue and no longer are, each with a new token."""
    rows = [row for row in _open_rows(session) if row.token_hash and row.job not in on_their_way]
    return [_job(session, row) for row in rows]


def note_running(session: Session, jobs: Collection[str]) -> None:
    """Notes that workers have taken these jobs."""
    if jobs:
        is_theirs = schema.Analysis.job.in_(jobs)
        session.execute(sa.update(schema.Analysis).where(is_theirs).values(running=True))


def settle(store: Store, outcome: Outcome) -> str:
    """Stores the outcome of an analysis once. Returns a sentence if it belongs to none, else an
    empty text."""
    with store.writing() as session:
        row = _row_of(session, outcome.job_id)
        if row is None:
            return f"There is no job {outcome.job_id}."
        if not hmac.compare_digest(row.token_hash, token_hash(outcome.result_token)):
            return "The result token is not that of the job."
        if row.body is not None or row.reason:
            return ""
        if outcome.failure:
            _fail(row, outcome.failure)
        else:
            row.body = packed(_checked(session, row, outcome.analysis))
    return ""


def fail(session: Session, job: str, reason: str) -> None:
    """Gives an analysis up. Does nothing if no open one has this job."""
    row = _row_of(session, job)
    if row is not None and row.body is None and not row.reason:
        _fail(row, reason)


def _fail(row: schema.Analysis, reason: str) -> None:
    row.reason = visible(beginning(reason, REASON_LIMIT_BYTES))
    log.error("the analysis of match %s failed: %s", row.match, row.reason)


def _checked(session: Session, row: schema.Analysis, text: str) -> str:
    """Returns the JSON of an analysis, if it is one of that match. Raises ValueError."""
    analysis = Analysis.model_validate_json(text)
    record = read_compressed(session.get_one(Record, row.match).body).record
    if analysis.match != row.match or not _has_choices(record, analysis):
        raise ValueError(f"It is not an analysis of match {row.match}.")
    return analysis.model_dump_json()


def _has_choices(record: MatchRecord, analysis: Analysis) -> bool:
    """Returns whether all choices that were weighed are those of the record."""
    choices = {place: (one.seat, one.action) for place, one in enumerate(record.choices, 1)}
    return all(choices.get(one.decision) == (one.seat, one.action) for one in analysis.decisions)


def _check_bounds(session: Session, owner: str) -> None:
    own = sa.select(sa.func.count()).where(schema.Analysis.owner == owner)
    if (session.scalar(own.where(IS_OPEN_ANALYSIS)) or 0) >= MOST_OPEN:
        raise ArenaError(
            Kind.TOO_MANY,
            f"{MOST_OPEN} analyses that you asked for are not done yet. Ask again when one is.",
            "match",
        )
    day_ago = now() - timedelta(days=1)
    if (session.scalar(own.where(schema.Analysis.created_at > day_ago)) or 0) >= MOST_A_DAY:
        raise ArenaError(
            Kind.TOO_MANY,
            f"You have asked for {MOST_A_DAY} analyses within a day. Ask again tomorrow, or analyse"
            " the match on your own machine with `arena analyse`.",
            "match",
        )


def _open_rows(session: Session) -> Iterable[schema.Analysis]:
    rows = sa.select(schema.Analysis).where(IS_OPEN_ANALYSIS).order_by(schema.Analysis.created_at)
    return session.scalars(rows).all()


def _row_of(session: Session, job: str) -> schema.Analysis | None:
    return session.scalar(sa.select(schema.Analysis).where(schema.Analysis.job == job))


def _job(session: Session, row: schema.Analysis) -> Job:
    match = session.get_one(Match, row.match)
    token = secrets.token_hex()
    row.token_hash, row.running = token_hash(token), False
    return Job(
        job_id=row.job,
        competition=match.competition,
        game=match.game,
        rules_version=match.rules_version,
        options={},
        clock=Clock(),
        entrants=(),
        seatings=(),
        record=session.get_one(Record, row.match).body,
        result_token=token,
    )
