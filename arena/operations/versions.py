"""Versions of bots: added, listed, retired, readmitted; and bots, deleted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import sqlalchemy as sa
from pydantic import Field
from sqlalchemy.orm import Session

from arena.bots.source import About, Manifest
from arena.errors import ArenaError, Kind, naming
from arena.operations.caller import CONTESTANTS, ORGANISERS, Caller
from arena.operations.named import check_named, spelt
from arena.operations.operation import Changing, Number, Reading, Text, changes, reads
from arena.store.delete_bot import forget_bot
from arena.store.faults import readmit
from arena.store.queries import bot_named
from arena.store.schema import NOBODY, Job, JobState, Version, VersionState
from arena.store.versions import add_version
from arena.tournament import MOST_ENTRANTS
from arena.views.version import DeletedBot, OneVersion, Versions, find_versions, version_view
from arena.views.view import View


@reads("/versions")
def list_versions(asked: Reading, bot: Text = "", owner: Text = "") -> Versions:
    """Versions by bot and number: of a bot or an owner, if given. People who play at tables are
    listed only by name."""
    check_named(asked.session, bot=bot)
    owner = spelt(asked.session, owner)
    return Versions(versions=find_versions(asked.session, bot=bot, owner=owner))


class StoredVersion(View):
    """A version whose files are in the data folder. `version`: its digest; `manifest`: its
    bot.toml, or what is known of its image."""

    bot: Text
    owner: Text
    version: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    manifest: Manifest | About


StoredVersions = Annotated[tuple[StoredVersion, ...], Field(max_length=MOST_ENTRANTS)]


@changes("POST", "/versions", ORGANISERS)
def add_versions(call: Changing, versions: StoredVersions) -> Versions:
    """Add versions, or none of them, whose files a command of this machine has put into the data
    folder. The answer is in their order."""
    for one in versions:
        if not (
            call.folder.version(one.version).exists() or call.folder.image(one.version).exists()
        ):
            raise ArenaError(
                Kind.NOT_FOUND,
                f"The files of {one.bot} are not in the data folder: submit it instead.",
                "versions",
            )
    with naming("bot"), call.store.writing() as session:
        added = [
            add_version(
                session,
                bot=one.bot,
                owner=one.owner,
                version=one.version,
                manifest=one.manifest.model_dump(mode="json"),
            )
            for one in versions
        ]
        return Versions(versions=tuple(version_view(session, version) for version in added))


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
        check_not_queued(session, bot, versions)
    forget_bot(call.store, call.folder, bot)
    return DeletedBot(bot=bot, versions=len(versions))


def _versions_to_change(session: Session, caller: Caller, bot: str) -> list[Version]:
    """Returns all versions of a bot that the caller may change. Raises ArenaError."""
    row = bot_named(session, bot)
    if row.owner == NOBODY:
        raise ArenaError(Kind.NOT_FOUND, f"The bot {bot} was deleted.", "bot")
    caller.check_may_change(f"The bot {bot}", row.owner)
    return list(session.scalars(sa.select(Version).where(Version.bot == bot)))


def check_not_queued(session: Session, bot: str, versions: Sequence[Version]) -> None:
    """Raises ArenaError if matches with these versions of a bot are still to be played."""
    queued = session.scalars(sa.select(Job.body).where(Job.state == JobState.QUEUED)).all()
    if any(version.digest in body for version in versions for body in queued):
        raise ArenaError(
            Kind.NOT_NOW,
            f"{bot} is retired, but some of its matches are still queued. Run the command again"
            " once they have finished.",
            "bot",
        )
