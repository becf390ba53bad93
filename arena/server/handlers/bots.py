"""Bots: list their versions, retire, readmit and delete them."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.errors import ArenaError, Kind, naming
from arena.server.auth import Caller
from arena.server.handlers.call import Call
from arena.server.handlers.named import check_named
from arena.server.messages import version_message
from arena.store.delete_bot import forget_bot
from arena.store.faults import readmit
from arena.store.queries import bot_named
from arena.store.remote_bots import is_person
from arena.store.schema import NOBODY, Bot, Job, JobState, Version, VersionState
from sevens.league.v1.version_pb2 import (
    DeleteBotRequest,
    DeleteBotResponse,
    ListVersionsRequest,
    ListVersionsResponse,
    ReadmitVersionRequest,
    ReadmitVersionResponse,
    RetireVersionRequest,
    RetireVersionResponse,
)


def list_versions(call: Call, request: ListVersionsRequest) -> ListVersionsResponse:
    """Returns versions by bot and number: of a bot or an owner, if given. People at tables are
    listed only by name. Raises ArenaError."""
    with call.store.reading() as session:
        check_named(session, bot=request.bot, owner=request.owner)
        found = _versions(session, request.bot, request.owner)
        return ListVersionsResponse(
            versions=[
                version_message(session, version)
                for version in found
                if request.bot or not is_person(version)
            ]
        )


def retire_version(call: Call, request: RetireVersionRequest) -> RetireVersionResponse:
    """Takes a version off all ladders. Raises ArenaError."""
    with naming("bot"), call.store.writing() as session:
        for version in _versions_to_change(session, call.caller, request.bot):
            if version.number == request.number:
                version.state = VersionState.RETIRED
                return RetireVersionResponse(version=version_message(session, version))
        raise ArenaError(
            Kind.NOT_FOUND, f"There is no version {request.number} of {request.bot}.", "number"
        )


def readmit_version(call: Call, request: ReadmitVersionRequest) -> ReadmitVersionResponse:
    """Lets a version play again that was suspended for its faults. Raises ArenaError."""
    with naming("bot"), call.store.writing() as session:
        version = readmit(session, request.ladder, request.bot, request.number)
        return ReadmitVersionResponse(version=version_message(session, version))


def delete_bot(call: Call, request: DeleteBotRequest) -> DeleteBotResponse:
    """Deletes a bot for good. Raises ArenaError, also while matches with it are queued; its
    versions are retired by then."""
    bot = request.bot
    with naming("bot"), call.store.writing() as session:
        versions = _versions_to_change(session, call.caller, bot)
        for version in versions:
            version.state = VersionState.RETIRED
    with call.store.reading() as session:
        _check_not_queued(session, bot, versions)
    forget_bot(call.store, call.folder, bot)
    return DeleteBotResponse(versions=len(versions))


def _versions(session: Session, bot: str, owner: str) -> list[Version]:
    query = sa.select(Version).join(Bot, Bot.name == Version.bot)
    if bot:
        query = query.where(Bot.name == bot)
    if owner:
        query = query.where(Bot.owner == owner)
    return list(session.scalars(query.order_by(Version.bot, Version.number)))


def _versions_to_change(session: Session, caller: Caller, bot: str) -> list[Version]:
    """Returns all versions of a bot that the caller may change. Raises ArenaError."""
    row = bot_named(session, bot)
    if row.owner == NOBODY:
        raise ArenaError(Kind.NOT_FOUND, f"The bot {bot} was deleted.", "bot")
    caller.check_may_change(f"The bot {bot}", row.owner)
    return _versions(session, bot, "")


def _check_not_queued(session: Session, bot: str, versions: list[Version]) -> None:
    queued = session.scalars(sa.select(Job.body).where(Job.state == JobState.QUEUED)).all()
    if any(version.digest in body for version in versions for body in queued):
        raise ArenaError(
            Kind.NOT_NOW,
            f"{bot} is retired, but some of its matches are still queued. Run the command again"
            " once they have finished.",
            "bot",
        )
