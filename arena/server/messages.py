"""Conversion of the store's rows into messages."""

from __future__ import annotations

from sqlalchemy.orm import Session

from arena.store.schema import Bot, Version
from sevens.league.v1 import version_pb2


def version_message(session: Session, version: Version) -> version_pb2.Version:
    return version_pb2.Version(
        bot=version.bot,
        owner=session.get_one(Bot, version.bot).owner,
        number=version.number,
        version=version.digest,
    )
