"""People who play at card tables: each is a remote bot whose program is the page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import count

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.store.remote_bots import hash_of, is_person, latest_version, renew_token
from arena.store.schema import Bot, CompetitionState, Job, JobState, Match, Table, Version
from arena.store.versions import add_version

GUESTS = "(guests)"
"""The owner of people who play without a login: not a valid name of an owner."""
NAME_LETTERS = 24


def running_tables(session: Session) -> Sequence[Table]:
    """Returns the tables whose match is not over."""
    return session.scalars(sa.select(Table).where(Table.state == CompetitionState.RUNNING)).all()


def seat_person(session: Session, owner: str) -> tuple[Version, str]:
    """Returns the version under which a person plays at a new table, and the key of the seat.

    `owner`: the person's name as an owner, or GUESTS. A name sits at one table at a time, because a
    second seat would end the connection of the first.
    """
    seated = {table.person for table in running_tables(session)}
    for name in _names(owner):
        bot = session.get(Bot, name)
        if name not in seated and (bot is None or _is_theirs(session, bot, owner)):
            return _version(session, name, owner), renew_token(session, name)
    raise AssertionError("there are infinitely many names")


def table_with_key(session: Session, key: str) -> Table | None:
    """Returns the table of the seat with that key, whether its match is over or not."""
    return session.scalar(sa.select(Table).where(Table.key_hash == hash_of(key)))


def match_of(session: Session, table: Table) -> str | None:
    """Returns the id of the table's match, once it is recorded."""
    return session.scalar(sa.select(Match.id).where(Match.competition == table.name))


def trouble_of(session: Session, table: Table) -> str:
    """Returns the reason if the table's match was given up, a sentence; empty otherwise."""
    reason = sa.select(Job.reason).where(Job.competition == table.name, Job.reason != "")
    return session.scalar(reason) or ""


def jobs_ahead(session: Session, table: Table) -> int | None:
    """Returns the number of jobs offered before the table's that are in play or waiting; None if it
    has no job yet."""
    offered_at = session.scalar(sa.select(Job.created_at).where(Job.competition == table.name))
    if offered_at is None:
        return None
    earlier = sa.select(sa.func.count()).where(
        Job.state == JobState.QUEUED, Job.created_at < offered_at, Job.competition != table.name
    )
    return session.scalar(earlier)


def people(session: Session) -> set[str]:
    """Returns the names under which people have played."""
    return set(session.scalars(sa.select(Table.person).distinct()))


def _names(owner: str) -> Iterator[str]:
    word = "guest" if owner == GUESTS else re.sub("[^a-z0-9]+", "-", owner.lower()).strip("-")
    stem = f"person-{word[:NAME_LETTERS].strip('-') or 'x'}"
    return (stem if number == 1 else f"{stem}-{number}" for number in count(1))


def _is_theirs(session: Session, bot: Bot, owner: str) -> bool:
    """Returns whether this owner has played under the bot's name; false for a bot on a ladder."""
    version = latest_version(session, bot.name)
    return bot.owner == owner and version is not None and is_person(version)


def _version(session: Session, name: str, owner: str) -> Version:
    known = latest_version(session, name)
    if known is not None:
        return known
    # There are no files to take the digest of.
    digest = sha256(f"person:{name}".encode()).hexdigest()
    return add_version(
        session, bot=name, owner=owner, version=digest, manifest={"name": name, "person": True}
    )
