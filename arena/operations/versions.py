"""Versions of bots: listed, retired, readmitted; and bots, deleted."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.errors import ArenaError, Kind, naming
from arena.operations.caller import CONTESTANTS, ORGANISERS, Caller
from arena.operations.named import check_named, spelt
from arena.operations.operation import Changing, Number, Reading, Text, changes, reads
from arena.store.delete_bot import forget_bot
from arena.store.faults import readmit
from arena.store.queries import bot_named
from arena.store.schema import NOBODY, Job, JobState, Version, VersionState
from arena.views.version import DeletedBot, OneVersion, Versions, find_versions, version_view


@reads("/versions")
def list_versions(asked: Reading, bot: Text = "", owner: Text = "") -> Versions:
    """Versions by bot and number: of a bot or an owner, if given. People who play at tables are
    listed only by name."""
    check_named(asked.session, bot=bot)
    owner = spelt(asked.session, owner)
    return Versions(versions=find_versions(asked.session, bot=bot, owner=owner))


@changes("POST", "/bots/{bot}/versions/{number}/retirement", CONTESTANTS)
def retire_version(call: Changing, bot: Text, number: Number) -> OneVersion:
    """Take a version off all ladders."""
    with naming("bot"), call.store.writing() as session:
        for version in _versions_to_change(session, call.caller, bot):
            if version.number == number:
                version.state = VersionState.RETIRED
                return OneVersion(version=version_view(session, version))
        raise ArenaError(Kind.NOT_FOUND, f"There is no version {number} of {bot}.", "number")


@changes("POST", "/bots/{bot}/versions/{number}/readmission", ORGANISERS)
def readmit_version(call: Changing, bot: Text, number: Number, ladder: Text) -> OneVersion:
    """Let a version play on a ladder again that was suspended for its faults."""
    with naming("bot"), call.store.writing() as session:
        version = readmit(session, ladder, bot, number)
        return OneVersion(version=version_view(session, version))


@changes("DELETE", "/bots/{bot}", CONTESTANTS)
def delete_bot(call: Changing, bot: Text) -> DeletedBot:
    """Delete a bot for good. While matches with it are queued it is only retired."""
    with naming("bot"), call.store.writing() as session:
        versions = _versions_to_change(session, call.caller, bot)
        for version in versions:
            version.state = VersionState.RETIRED
    with call.store.reading() as session:
        _check_not_queued(session, bot, versions)
    forget_bot(call.store, call.folder, bot)
    return DeletedBot(bot=bot, versions=len(versions))


def _versions_to_change(session: Session, caller: Caller, bot: str) -> list[Version]:
    """Returns all versions of a bot that the caller may change. Raises ArenaError."""
    row = bot_named(session, bot)
    if row.owner == NOBODY:
        raise ArenaError(Kind.NOT_FOUND, f"The bot {bot} was deleted.", "bot")
    caller.check_may_change(f"The bot {bot}", row.owner)
    return list(session.scalars(sa.select(Version).where(Version.bot == bot)))


def _check_not_queued(session: Session, bot: str, versions: list[Version]) -> None:
    queued = session.scalars(sa.select(Job.body).where(Job.state == JobState.QUEUED)).all()
    if any(version.digest in body for version in versions for body in queued):
        raise ArenaError(
            Kind.NOT_NOW,
            f"{bot} is retired, but some of its matches are still queued. Run the command again"
            " once they have finished.",
            "bot",
        )
