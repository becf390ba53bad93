"""Versions of bots, and the ladders that they are on."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.store import schema
from arena.store.remote_bots import is_person
from arena.store.schema import Bot, EntryState, VersionState
from arena.views.view import Moment, View


class Entry(View):
    """A version's entry on a ladder."""

    ladder: str
    state: EntryState


class Version(View):
    """A version of a bot. `version`: its digest; `number`: its number."""

    bot: str
    owner: str
    number: int
    version: str
    state: VersionState
    ladders: tuple[Entry, ...]
    created_at: Moment


class Versions(View):
    """Versions by bot and number."""

    versions: tuple[Version, ...]


class OneVersion(View):
    """A version that has been changed."""

    version: Version


class DeletedBot(View):
    """A bot that has been deleted, and how many versions it had."""

    bot: str
    versions: int


def find_versions(session: Session, *, bot: str = "", owner: str = "") -> tuple[Version, ...]:
    """Returns versions by bot and number: of a bot or an owner, if given. People who play at tables
    are found only by name."""
    query = sa.select(schema.Version).join(Bot, Bot.name == schema.Version.bot)
    if bot:
        query = query.where(Bot.name == bot)
    if owner:
        query = query.where(Bot.owner == owner)
    found = session.scalars(query.order_by(schema.Version.bot, schema.Version.number))
    return tuple(
        version_view(session, version) for version in found if bot or not is_person(version)
    )


def version_view(session: Session, version: schema.Version) -> Version:
    """Returns the public description of a version."""
    entered = sa.select(schema.Entry).where(schema.Entry.version == version.digest)
    return Version(
        bot=version.bot,
        owner=session.get_one(Bot, version.bot).owner,
        number=version.number,
        version=version.digest,
        state=version.state,
        ladders=tuple(
            Entry.model_validate(entry)
            for entry in session.scalars(entered.order_by(schema.Entry.ladder))
        ),
        created_at=version.created_at,
    )
