"""Rows of the store as messages."""

from __future__ import annotations

from datetime import datetime

import sqlalchemy as sa
from google.protobuf.timestamp_pb2 import Timestamp
from sqlalchemy.orm import Session

from arena.records import private
from arena.server.refusal import sendable
from arena.server.steps import Step
from arena.store import tables
from arena.store.faults import FaultRow
from arena.store.tables import Bot, Entry, EntryState, Role, VersionState
from sevens.league.v1 import match_pb2, submission_pb2, token_pb2, version_pb2

ROLES = {
    Role.ORGANISER: token_pb2.ROLE_ORGANISER,
    Role.OWNER: token_pb2.ROLE_OWNER,
    Role.READER: token_pb2.ROLE_READER,
    Role.WORKER: token_pb2.ROLE_WORKER,
}
STATES = {
    VersionState.ACTIVE: version_pb2.VERSION_STATE_ACTIVE,
    VersionState.RETIRED: version_pb2.VERSION_STATE_RETIRED,
}
ENTRY_STATES = {
    EntryState.ACTIVE: version_pb2.ENTRY_STATE_ACTIVE,
    EntryState.SUSPENDED: version_pb2.ENTRY_STATE_SUSPENDED,
    EntryState.WITHDRAWN: version_pb2.ENTRY_STATE_WITHDRAWN,
}


def token_message(token: tables.Token) -> token_pb2.Token:
    return token_pb2.Token(
        id=token.id,
        owner=token.owner,
        role=ROLES[token.role],
        created_at=_timestamp(token.created_at),
        revoked_at=token.revoked_at and _timestamp(token.revoked_at),
    )


def version_message(session: Session, version: tables.Version) -> version_pb2.Version:
    entered = sa.select(Entry).where(Entry.version == version.digest).order_by(Entry.ladder)
    return version_pb2.Version(
        bot=version.bot,
        owner=session.get_one(Bot, version.bot).owner,
        number=version.number,
        digest=version.digest,
        state=STATES[version.state],
        entries=[
            version_pb2.Entry(ladder=entry.ladder, state=ENTRY_STATES[entry.state])
            for entry in session.scalars(entered)
        ],
        created_at=_timestamp(version.created_at),
    )


def fault_message(fault: FaultRow) -> match_pb2.Fault:
    return match_pb2.Fault(
        match=fault.match,
        ladder=fault.ladder,
        finished_at=_timestamp(fault.finished_at),
        seat=fault.seat,
        bot=fault.bot,
        number=fault.number,
        version=fault.version,
        kind=fault.kind,
        decision=fault.decision,
        sentence=sendable(fault.sentence),
    )


def seat_log_message(seat: int, log: private.SeatLog) -> match_pb2.SeatLog:
    return match_pb2.SeatLog(
        seat=seat,
        notes=[match_pb2.Note(decision=n.decision, text=sendable(n.text)) for n in log.notes],
        stderr=sendable(log.stderr),
        stale_answers=log.stale_answers,
        start_ms=log.start_ms,
    )


def step_message(step: Step) -> submission_pb2.Step:
    return submission_pb2.Step(
        name=step.name,
        passed=step.passed,
        sentence=sendable(step.sentence),
        output=sendable(step.output),
    )


def _timestamp(moment: datetime) -> Timestamp:
    stamp = Timestamp()
    stamp.FromDatetime(moment)
    return stamp
