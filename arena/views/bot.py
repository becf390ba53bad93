"""Bots with their versions, and the places of those on ladders: for the pages of bots and of their
owners."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session, aliased

from arena.errors import ArenaError, Kind
from arena.store import schema
from arena.store.queries import bot_named, entry_state, stays_on_ladder
from arena.store.remote_bots import is_person
from arena.store.schema import NOBODY, Bot, Entry, Ladder, Rating, Version
from arena.store.tokens import ban_of, owner_named
from arena.views.decision_times import Histogram, decision_times
from arena.views.ladders.standing import SIGMAS, RatedEstimate
from arena.views.results import (
    OpponentResults,
    PlaceResults,
    results_by_opponent,
    results_by_seat,
    results_by_size,
)
from arena.views.view import Moment, View


class LadderPlace(RatedEstimate):
    """A version on a ladder. `place`: among the `of` versions that take part there; equal ratings
    share one; None if it has been withdrawn or retired."""

    ladder: str
    game: str
    state: str
    fit: RatedEstimate | None
    matches: int
    faults: int
    place: int | None
    of: int


class BotVersion(View):
    """A version of a bot. `faults`: the matches in which it was at fault, anywhere."""

    number: int
    version: str
    state: str
    created_at: Moment
    faults: int
    ladders: tuple[LadderPlace, ...]


class BotCard(View):
    """A bot with its versions, the latest first.

    `owner`: `(deleted)` if the bot has been deleted.
    `remote`: whether it is a program on its owner's machine. `connected`: whether that was there
      when it was last looked for; None unless it is remote.
    `person`: whether it is no bot but a person who plays at tables.
    """

    bot: str
    owner: str
    created_at: Moment
    remote: bool
    connected: bool | None
    person: bool
    versions: tuple[BotVersion, ...]

    def version(self, number: int = 0) -> BotVersion | None:
        """Returns the version of that number, the latest if it is 0; None if there is none."""
        found = (one for one in self.versions if number in (0, one.number))
        return next(found, None)


class OwnedBots(View):
    """The bots of an owner, by name. `banned`: the reason if the owner may not take part."""

    owner: str
    bots: tuple[BotCard, ...]
    banned: str | None = None


class BotResults(View):
    """The results of versions of a bot. `times`: None if no decision is known."""

    opponents: tuple[OpponentResults, ...]
    seats: tuple[PlaceResults, ...]
    sizes: tuple[PlaceResults, ...]
    times: Histogram | None


def bot_card(session: Session, bot: str) -> BotCard:
    """Returns a bot. Raises ArenaError, naming similar ones."""
    bot_named(session, bot)
    [card] = _cards(session, [bot])
    return card


def owned_bots(session: Session, owner: str) -> OwnedBots:
    """Returns the bots of an owner. Raises ArenaError, naming similar owners."""
    owner = owner_named(session, owner)
    if owner == NOBODY:
        return OwnedBots(owner=owner, bots=())
    bots = session.scalars(
        sa.select(Bot.name).where(
            Bot.owner == owner, Bot.name.not_in(sa.select(schema.Table.person))
        )
    ).all()
    ban = ban_of(session, owner)
    return OwnedBots(
        owner=owner, bots=tuple(_cards(session, bots)), banned=None if ban is None else ban.reason
    )


def bot_results(
    session: Session, bot: str, *, number: int = 0, competition: str = "", limit: int = 100
) -> BotResults:
    """Returns the results of a bot's version of that number, of all versions if it is 0: in a
    competition, or in all of them. `limit`: how many opponents. Raises ArenaError."""
    card = bot_card(session, bot)
    versions = [one.version for one in card.versions if number in (0, one.number)]
    if not versions:
        raise ArenaError(Kind.NOT_FOUND, f"{bot} has no version {number}.", "number")
    return BotResults(
        opponents=tuple(results_by_opponent(session, versions, competition, limit)),
        seats=tuple(results_by_seat(session, versions, competition)),
        sizes=tuple(results_by_size(session, versions, competition)),
        times=decision_times(session, versions, competition),
    )


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
    """Returns the places of the bots' versions on ladders, by version."""
    rated, entry, version = aliased(Rating), aliased(Entry), aliased(Version)
    own = Rating.mu - SIGMAS * Rating.sigma
    everybody = (
        sa.select(sa.func.count())
        .select_from(rated)
        .join(entry, (entry.ladder == rated.ladder) & (entry.version == rated.version))
        .join(version, version.digest == rated.version)
        .where(rated.ladder == Rating.ladder, stays_on_ladder(entry, version))
    )
    better = everybody.where(rated.mu - SIGMAS * rated.sigma > own)
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
            better.scalar_subquery().label("better"),
            everybody.scalar_subquery().label("everybody"),
            stays_on_ladder(Entry, Version).label("stays"),
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
    fitted = row.fit_mu is not None and row.fit_sigma is not None
    return LadderPlace(
        ladder=row.ladder,
        game=row.game,
        state=str(entry_state(row.state, row.version_state, connected=row.connected)),
        mu=row.mu,
        sigma=row.sigma,
        fit=RatedEstimate(mu=row.fit_mu, sigma=row.fit_sigma) if fitted else None,
        matches=row.matches,
        faults=row.faults,
        place=row.better + 1 if row.stays else None,
        of=row.everybody,
    )
