"""Rows of the store as messages."""

from __future__ import annotations

from datetime import datetime

import sqlalchemy as sa
from google.protobuf.timestamp_pb2 import Timestamp
from sqlalchemy.orm import Session

from arena.server.steps import Step
from arena.store import tables
from arena.store.tables import Bot, Entry, Role, VersionState
from sevens.league.v1 import submission_pb2, token_pb2, version_pb2

ROLES = {
    Role.ORGANISER: token_pb2.ROLE_ORGANISER,
    Role.OWNER: token_pb2.ROLE_OWNER,
    Role.READER: token_pb2.ROLE_READER,
}
STATES = {
    VersionState.ACTIVE: version_pb2.VERSION_STATE_ACTIVE,
    VersionState.SUSPENDED: version_pb2.VERSION_STATE_SUSPENDED,
    VersionState.RETIRED: version_pb2.VERSION_STATE_RETIRED,
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
    entered = sa.select(Entry.ladder).where(Entry.version == version.digest).order_by(Entry.ladder)
    return version_pb2.Version(
        bot=version.bot,
        owner=session.get_one(Bot, version.bot).owner,
        number=version.number,
        digest=version.digest,
        state=STATES[version.state],
        ladders=session.scalars(entered),
        created_at=_timestamp(version.created_at),
    )


def step_message(step: Step) -> submission_pb2.Step:
    return submission_pb2.Step(
        name=step.name,
        passed=step.passed,
        sentence=sendable(step.sentence),
        output=sendable(step.output),
    )


def sendable(text: str, limit_bytes: int | None = None) -> str:
    """The text, or its beginning, as it can be sent: odd names of files are no Unicode."""
    return text.encode(errors="backslashreplace")[:limit_bytes].decode(errors="ignore")


def _timestamp(moment: datetime) -> Timestamp:
    stamp = Timestamp()
    stamp.FromDatetime(moment)
    return stamp
