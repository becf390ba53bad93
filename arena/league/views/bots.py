"""Bots with their versions, and the places of those on ladders: for the pages of bots and of their
owners."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session, aliased

from arena.store import schema
from arena.store.queries import bot_named, check_owner, entry_state
from arena.store.remote_bots import is_person
from arena.store.schema import NOBODY, Bot, Entry, Ladder, Rating, Version

SIGMAS = 3
"""The rating is mu minus so many sigma; see `arena.ratings.Skill`."""


@dataclass(frozen=True)
class LadderPlace:
    """A version on a ladder. `place`: among `of` versions there; equal ratings share one."""

    ladder: str
    game: str
    state: str
    mu: float
    sigma: float
    fit: tuple[float, float] | None
    matches: int
    faults: int
    place: int
    of: int

    @property
    def rating(self) -> float:
        """The skill that it has almost certainly."""
        return self.mu - SIGMAS * self.sigma


@dataclass(frozen=True)
class BotVersion:
    """A version of a bot. `faults`: the matches in which it was at fault, anywhere."""

    number: int
    version: str
    state: str
    created_at: datetime
    faults: int
    ladders: tuple[LadderPlace, ...]


@dataclass(frozen=True)
class BotCard:
    """A bot with its versions, the latest first.

    `owner`: `(deleted)` if the bot has been deleted.
    `remote`: whether it is a program on its owner's machine. `connected`: whether that was there
      when it was last looked for; None unless it is remote.
    `person`: whether it is no bot but a person who plays at tables.
    """

    bot: str
    owner: str
    created_at: datetime
    remote: bool
    connected: bool | None
    person: bool
    versions: tuple[BotVersion, ...]

    def version(self, number: int = 0) -> BotVersion | None:
        """Returns the version of that number, the latest if it is 0; None if there is none."""
        found = (one for one in self.versions if number in (0, one.number))
        return next(found, None)


def bot_card(session: Session, bot: str) -> BotCard:
    """Returns a bot. Raises ArenaError, naming similar ones."""
    bot_named(session, bot)
    [card] = _cards(session, [bot])
    return card


def owner_cards(session: Session, owner: str) -> list[BotCard]:
    """Returns the bots of an owner, by name. Raises ArenaError, naming similar owners."""
    check_owner(session, owner)
    if owner == NOBODY:
        return []
    bots = session.scalars(
        sa.select(Bot.name).where(
            Bot.owner == owner, Bot.name.not_in(sa.select(schema.Table.person))
        )
    ).all()
    return _cards(session, bots)


def _cards(session: Session, bots: Collection[str]) -> list[BotCard]:
    rows = session.execute(
        sa.select(Bot, Version, schema.Remote.connected)
        .outerjoin(Version, Version.bot == Bot.name)
        .outerjoin(schema.Remote, schema.Remote.bot == Bot.name)
        .where(Bot.name.in_(bots))
        .order_by(Bot.name, Version.number.desc())
    ).all()
    versions: defaultdict[str, list[BotVersion]] = defaultdict(list)
    places = _places(session, bots)
    heads = {bot.name: (bot, connected) for bot, _, connected in rows}
    people = {bot.name for bot, version, _ in rows if version and is_person(version)}
    for bot, version, _ in rows:
        if version is not None:
            versions[bot.name].append(
                BotVersion(
                    number=version.number,
                    version=version.digest,
                    state=str(version.state),
                    created_at=version.created_at,
                    faults=version.faults,
                    ladders=tuple(places[version.digest]),
                )
            )
    return [
        BotCard(
            bot=name,
            owner=bot.owner,
            created_at=bot.created_at,
            remote=connected is not None,
            connected=connected,
            person=name in people,
            versions=tuple(versions[name]),
        )
        for name, (bot, connected) in heads.items()
    ]


def _places(session: Session, bots: Collection[str]) -> defaultdict[str, list[LadderPlace]]:
    """Returns where the versions of bots stand, by version."""
    other, rated = aliased(Rating), aliased(Rating)
    own = Rating.mu - SIGMAS * Rating.sigma
    better = (
        sa.select(sa.func.count())
        .where(rated.ladder == Rating.ladder, rated.mu - SIGMAS * rated.sigma > own)
        .scalar_subquery()
    )
    everybody = sa.select(sa.func.count()).where(other.ladder == Rating.ladder).scalar_subquery()
    rows = session.execute(
        sa.select(
            Version.digest,
            Version.state.label("version_state"),
            Entry.state,
            Ladder.__table__.c.name.label("ladder"),
            schema.Competition.__table__.c.game,
            Rating.mu,
            Rating.sigma,
            Rating.fit_mu,
            Rating.fit_sigma,
            Rating.matches,
            Rating.faults,
            schema.Remote.connected,
            better.label("better"),
            everybody.label("everybody"),
        )
        .select_from(Version)
        .join(Entry, Entry.version == Version.digest)
        .join(Rating, (Rating.ladder == Entry.ladder) & (Rating.version == Entry.version))
        .join(Ladder.__table__, Ladder.__table__.c.name == Entry.ladder)
        .join(
            schema.Competition.__table__,
            schema.Competition.__table__.c.name == Entry.ladder,
        )
        .outerjoin(schema.Remote, schema.Remote.bot == Version.bot)
        .where(Version.bot.in_(bots))
        .order_by(Version.digest, Entry.ladder)
    )
    found: defaultdict[str, list[LadderPlace]] = defaultdict(list)
    for row in rows:
        found[row.digest].append(_place(row))
    return found


def _place(row: sa.Row[Any]) -> LadderPlace:
    return LadderPlace(
        ladder=row.ladder,
        game=row.game,
        state=str(entry_state(row.state, row.version_state, connected=row.connected)),
        mu=row.mu,
        sigma=row.sigma,
        fit=None if row.fit_mu is None or row.fit_sigma is None else (row.fit_mu, row.fit_sigma),
        matches=row.matches,
        faults=row.faults,
        place=row.better + 1,
        of=row.everybody,
    )
