"""Bot versions: submissions, as rows and as files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from stat import S_ISLNK
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.bots.source import (
    IMAGE_ARCHIVE,
    ContentError,
    Entry,
    Image,
    copy_files,
    digest,
    list_content,
    temporary_folder,
    try_to_remove,
    walk,
)
from arena.disk import flush
from arena.errors import ArenaError, Kind
from arena.store.data_folder import DataFolder
from arena.store.schema import NOBODY, Bot, Remote, Table, Version, now
from arena.store.tokens import check_not_banned

COPYING = "copying-"
DAY = timedelta(days=1)


@dataclass(frozen=True)
class Usage:
    """The figures that count towards an owner's quotas.

    `bots`: how many they have.
    `versions_today`: versions accepted in the last 24 hours.
    `size`: bytes of all versions of all bots.
    """

    bots: int
    versions_today: int
    size: int


def usage_of(session: Session, owner: str) -> Usage:
    """Returns what counts towards the quotas of an owner."""
    people = sa.select(Table.person)  # people at card tables have no bots
    own = sa.select(Bot.name).where(Bot.owner == owner, Bot.name.not_in(people))
    bots = session.scalars(own).all()
    mine = sa.select(sa.func.count(), sa.func.sum(Version.size)).where(Version.bot.in_(bots))
    today, _ = session.execute(mine.where(Version.created_at > now() - DAY)).one()
    _, size = session.execute(mine).one()
    return Usage(len(bots), today, int(size or 0))


def known_version(session: Session, *, bot: str, owner: str, version: str) -> Version | None:
    """Returns the version with that digest, if it exists. Raises ArenaError if it, or the bot's
    name, belongs to another owner, or the owner is banned."""
    check_not_banned(session, owner)
    row = session.get(Bot, bot)
    if row is not None and row.owner != owner:
        raise ArenaError(Kind.TAKEN, _taken(row), "name")
    known = session.get(Version, version)
    if known is not None and known.bot != bot:
        raise ArenaError(
            Kind.TAKEN,
            f"These files are version {known.number} of the bot {known.bot}: "
            f"change something before you submit them as {bot}.",
            "name",
        )
    return known


def add_version(
    session: Session,
    *,
    bot: str,
    owner: str,
    version: str,
    manifest: dict[str, Any],
    size: int = 0,
) -> Version:
    """Returns the version with that digest: the existing one, or the bot's next.

    Raises ArenaError.
    """
    known = known_version(session, bot=bot, owner=owner, version=version)
    if known is not None:
        return known
    if session.get(Bot, bot) is None:
        session.add(Bot(name=bot, owner=owner))
        session.flush()
    last = session.scalar(sa.select(sa.func.max(Version.number)).where(Version.bot == bot))
    new = Version(digest=version, bot=bot, number=(last or 0) + 1, manifest=manifest, size=size)
    session.add(new)
    session.flush()
    return new


def versions_with_files(session: Session) -> dict[str, str]:
    """Returns the names of all versions that have files in the data folder, by their digests:
    those of bots that are neither deleted nor remote."""
    stored = (
        sa.select(Version.digest, Version.bot, Version.number)
        .join(Bot, Bot.name == Version.bot)
        .where(Bot.owner != NOBODY, Version.bot.not_in(sa.select(Remote.bot)))
    )
    return {row.digest: f"{row.bot} version {row.number}" for row in session.execute(stored)}


def keep_files(data: DataFolder, version: str, entries: Sequence[Entry]) -> Path:
    """Copies a version's files into the data folder for good; returns their folder.

    They are there as a whole or not at all, whenever the process ends. Raises ContentError if they
    no longer match the digest.
    """
    place = data.version(version)
    if place.exists():
        return place
    data.versions.mkdir(parents=True, exist_ok=True)
    with temporary_folder(data.path, COPYING) as scratch:
        copy = scratch / "copy"
        copy_files(entries, copy, mode=0o444)
        if digest(list_content(copy)) != version:
            raise ContentError("The bot's files changed while they were read: submit it again.")
        _flush_all(copy)
        _move(copy, place)
    return place


def keep_image(data: DataFolder, image: Image) -> Path:
    """Stores a version that is an image in the data folder, with its archive if it was submitted as
    one; returns its folder. The image itself is kept by the engine."""
    place = data.image(image.version)
    data.versions.mkdir(parents=True, exist_ok=True)
    with temporary_folder(data.path, COPYING) as scratch:
        copy = scratch / "copy"
        copy.mkdir()
        image.keep_in(copy)
        _flush_all(copy)
        if image.archive is not None and place.exists():  # it may have been named by its tag
            (copy / IMAGE_ARCHIVE).replace(place / IMAGE_ARCHIVE)
            flush(place)
        else:
            _move(copy, place)
    return place


def keep_built(data: DataFolder, version: str, folder: Path) -> None:
    """Moves the result of a version's build next to the version's files; `folder` must be in the
    data folder."""
    _flush_all(folder)
    _move(folder, data.built(version))


def drop_files(data: DataFolder, version: str) -> None:
    """Deletes a version's files and the result of its build."""
    for place in data.places(version):
        try_to_remove(place)


def _taken(bot: Bot) -> str:
    whose = "was deleted" if bot.owner == NOBODY else f"belongs to {bot.owner}"
    return f"The bot {bot.name} {whose}: choose another name."


def _flush_all(folder: Path) -> None:
    """Flushes everything to disk: the files must survive a power cut like the row that
    names them."""
    files = [folder / found.name for found in walk(folder) if not S_ISLNK(found.status.st_mode)]
    folders = {folder / above for file in files for above in file.relative_to(folder).parents}
    for path in (*files, *folders):
        flush(path)


def _move(copy: Path, place: Path) -> None:
    try:
        copy.rename(place)
    except OSError:  # another submission of the same files came first
        if not place.exists():
            raise
    flush(place.parent)
