"""Owners look after their bots: list, retire, delete."""

from __future__ import annotations

import grpc
import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.server.auth import Caller
from arena.server.errors import Refusal
from arena.store.data_folder import DataFolder
from arena.store.delete_bot import forget_bot
from arena.store.queries import NotFound
from arena.store.session import Store
from arena.store.tables import NOBODY, Bot, Job, JobState, Version, VersionState


def listed(session: Session, bot: str, owner: str) -> list[Version]:
    """Versions by bot and number: of one bot and one owner, if given."""
    query = sa.select(Version).join(Bot, Bot.name == Version.bot)
    if bot:
        query = query.where(Bot.name == bot)
    if owner:
        query = query.where(Bot.owner == owner)
    return list(session.scalars(query.order_by(Version.bot, Version.number)))


def retire(session: Session, caller: Caller, bot: str, number: int) -> Version:
    """Retires a version. Raises NotFound and Refusal."""
    for version in _versions(session, caller, bot):
        if version.number == number:
            version.state = VersionState.RETIRED
            return version
    raise NotFound(f"There is no version {number} of {bot}.")


def delete(store: Store, data: DataFolder, caller: Caller, bot: str) -> int:
    """Deletes a bot for good; returns how many versions it had. Raises NotFound, and Refusal while
    matches of it are to be played: it is retired by then."""
    with store.writing() as session:
        versions = _versions(session, caller, bot)
        for version in versions:
            version.state = VersionState.RETIRED
    with store.reading() as session:
        _check_not_queued(session, bot, versions)
    forget_bot(store, data, bot)
    return len(versions)


def _versions(session: Session, caller: Caller, bot: str) -> list[Version]:
    row = session.get(Bot, bot)
    if row is None:
        raise NotFound(f"There is no bot {bot!r}.")
    if row.owner == NOBODY:
        raise NotFound(f"The bot {bot} was deleted.")
    caller.check_may_change(f"The bot {bot}", row.owner)
    return listed(session, bot, "")


def _check_not_queued(session: Session, bot: str, versions: list[Version]) -> None:
    queued = session.scalars(sa.select(Job.body).where(Job.state == JobState.QUEUED)).all()
    if any(version.digest in body for version in versions for body in queued):
        raise Refusal(
            grpc.StatusCode.FAILED_PRECONDITION,
            f"{bot} is retired, but matches with it are still to be played: say it again when they"
            " are over.",
            "bot",
        )
