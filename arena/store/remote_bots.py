"""Remote bots: programs that dial in with a token of their own and play as their latest version."""

from __future__ import annotations

import secrets
from hashlib import sha256

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.errors import ArenaError, Kind
from arena.store.schema import Bot, Remote, Version, VersionState, now
from arena.store.tokens import check_not_banned
from arena.store.versions import add_version

PREFIX = "srt_"
SECRET_BYTES = 32
NAMES = sa.select(Remote.bot)  # prepared once, because every job needs it


def latest_version(session: Session, bot: str) -> Version | None:
    """Returns the version that a remote bot plays as, or None."""
    newest = sa.select(Version).where(Version.bot == bot).order_by(Version.number.desc()).limit(1)
    return session.scalar(newest)


def add_remote_version(session: Session, bot: str, owner: str) -> Version:
    """Adds a remote bot's next version and retires the earlier ones, since there is one program.
    Raises ArenaError."""
    before = session.scalars(sa.select(Version).where(Version.bot == bot)).all()
    for version in before:
        if version.state is VersionState.ACTIVE:
            version.state = VersionState.RETIRED
    number = max((version.number for version in before), default=0) + 1
    # There are no files to take the digest of.
    digest = sha256(f"remote:{bot}/{number}".encode()).hexdigest()
    return add_version(session, bot=bot, owner=owner, version=digest, manifest={"name": bot})


def renew_token(session: Session, bot: str) -> str:
    """Returns a new token for a bot, invalidating the old one. The text is shown only here.

    Its first token makes a bot a remote one.
    """
    text = PREFIX + secrets.token_urlsafe(SECRET_BYTES)
    remote = session.get(Remote, bot)
    if remote is None:
        session.add(Remote(bot=bot, token_hash=hash_of(text)))
    else:
        remote.token_hash = hash_of(text)
    session.flush()
    return text


def check_remote(session: Session, bot: str, owner: str) -> None:
    """Raises ArenaError unless the name can be a remote bot of that owner's, who is not banned."""
    check_not_banned(session, owner)
    row = session.get(Bot, bot)
    if row is None:
        return
    if row.owner != owner:
        raise ArenaError(
            Kind.TAKEN, f"The bot {bot} belongs to {row.owner}: choose another name.", "name"
        )
    latest = latest_version(session, bot)
    if latest is not None and is_person(latest):
        raise ArenaError(
            Kind.TAKEN,
            f"{bot} is the name under which you sit at tables: choose another name.",
            "name",
        )
    if session.get(Remote, bot) is None:
        raise ArenaError(
            Kind.TAKEN, f"{bot} is a bot whose files you submitted: choose another name.", "name"
        )


def check_not_remote(session: Session, bot: str) -> None:
    """Raises ArenaError if the name belongs to a remote bot."""
    if session.get(Remote, bot) is not None:
        raise ArenaError(
            Kind.TAKEN, f"{bot} is a remote bot: choose another name for one with files.", "name"
        )


def remote_with_token(session: Session, text: str) -> Remote | None:
    """Returns the remote bot with that token, or None.

    It looks up the hash of a long random text, so the time it takes reveals nothing.
    """
    return session.scalar(sa.select(Remote).where(Remote.token_hash == hash_of(text)))


def is_person(version: Version) -> bool:
    """Returns whether a person plays as this version."""
    return version.manifest.get("person") is True


def remote_names(session: Session) -> set[str]:
    """Returns the names of the remote bots."""
    return set(session.scalars(NAMES))


def set_connected(session: Session, bot: str, connected: bool) -> None:
    """Stores, for readers, whether a remote bot is connected."""
    remote = session.get_one(Remote, bot)
    remote.connected, remote.seen_at = connected, now()


def forget_connections(session: Session) -> None:
    """Marks all remote bots as disconnected, when the server starts and after its end."""
    session.execute(sa.update(Remote).values(connected=False))


def hash_of(text: str) -> str:
    """Returns the SHA-256 of a token, which is all that the store has of it."""
    return sha256(text.encode(errors="replace")).hexdigest()
