"""Owners look after their bots: list, retire, delete."""

from __future__ import annotations

import grpc
import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.server.callers import Caller
from arena.server.refusal import Refusal
from arena.store.folder import DataFolder
from arena.store.reading import NotFound
from arena.store.store import Store
from arena.store.tables import Bot, Job, JobState, Version, VersionState
from arena.store.versions import drop_files


def listed(session: Session, bot: str, owner: str) -> list[Version]:
    """Versions by bot and number: of one bot and one owner, if given."""
    query = sa.select(Version).join(Bot, Bot.name == Version.bot)
    if bot:
        query = query.where(Bot.name == bot)
    if owner:
        query = query.where(Bot.owner == owner)
    return list(session.scalars(query.order_by(Version.bot, Version.number)))


def retire(session: Session, caller: Caller, bot: str, number: int) -> Version:
    """Retires a version. One that is suspended stays so. Raises NotFound and Refusal."""
    for version in _versions(session, caller, bot):
        if version.number == number:
            _retire(version)
            return version
    raise NotFound(f"There is no version {number} of {bot}.")


def delete(store: Store, data: DataFolder, caller: Caller, bot: str) -> int:
    """Retires all versions of a bot and deletes their files; returns how many had any. Raises
    NotFound, and Refusal while matches of it are to be played."""
    with store.writing() as session:
        for version in _versions(session, caller, bot):
            _retire(version)
    with store.writing() as session:
        versions = _versions(session, caller, bot)
        _check_not_queued(session, bot, versions)
        kept = [version for version in versions if data.version(version.digest).exists()]
        for version in kept:
            version.size = 0
            drop_files(data, version.digest)
    return len(kept)


def _versions(session: Session, caller: Caller, bot: str) -> list[Version]:
    row = session.get(Bot, bot)
    if row is None:
        raise NotFound(f"There is no bot {bot!r}.")
    caller.check_may_change(f"The bot {bot}", row.owner)
    return listed(session, bot, "")


def _retire(version: Version) -> None:
    if version.state is VersionState.ACTIVE:
        version.state = VersionState.RETIRED


def _check_not_queued(session: Session, bot: str, versions: list[Version]) -> None:
    queued = session.scalars(sa.select(Job.body).where(Job.state == JobState.QUEUED)).all()
    if any(version.digest in body for version in versions for body in queued):
        raise Refusal(
            grpc.StatusCode.FAILED_PRECONDITION,
            f"{bot} is retired, but matches with it are still to be played: say it again when they"
            " are over.",
            "bot",
        )
