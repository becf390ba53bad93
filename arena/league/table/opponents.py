"""The bots at a table: those that a person names, or that the arena draws."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.bots.source import plays
from arena.errors import ArenaError, Kind
from arena.nearest import no_such
from arena.store.remote_bots import remote_names
from arena.store.schema import Entry, EntryState, Ladder, Version, VersionState


def chosen_opponents(
    session: Session, game: str, named: Sequence[str], wanted: int, rng: Random
) -> list[Version]:
    """Returns so many bots that play on a ladder. Raises ArenaError.

    `named`: "NAME" or "NAME@VERSION"; where it is empty, or ends, one is drawn: from the ladders of
    the game, or of others if it has none.
    """
    if len(named) > wanted:
        raise ArenaError(
            Kind.WRONG_INPUT,
            f"The table has {wanted} other seats, and {len(named)} bots are named.",
            "opponents",
        )
    there = playing_bots(session, game)[game]
    names = [*named, *[""] * (wanted - len(named))]
    drawn = iter(_drawn(session, game, there, sum(not name for name in names), rng))
    return [_named(game, there, name) if name else next(drawn) for name in names]


def playing_bots(session: Session, *games: str) -> dict[str, list[Version]]:
    """Returns by game the bots on ladders that play it, by name, the newest version first. Programs
    elsewhere are not among them: they come and go."""
    query = (
        sa.select(Version)
        .join(Entry, Entry.version == Version.digest)
        .where(Entry.state == EntryState.ACTIVE, Version.state == VersionState.ACTIVE)
        .order_by(Version.bot, Version.number.desc())
        .distinct()
    )
    remote = remote_names(session)
    local = [version for version in session.scalars(query) if version.bot not in remote]
    return {game: [one for one in local if plays(one.games, game)] for game in games}


def _named(game: str, there: Sequence[Version], name: str) -> Version:
    bot, _, number = name.partition("@")
    for version in there:
        if version.bot == bot and number in ("", str(version.number)):
            return version
    known = sorted({version.bot for version in there})
    raise ArenaError(
        Kind.WRONG_INPUT, no_such("bot", name, known, f"that plays {game} on a ladder"), "opponents"
    )


def _drawn(
    session: Session, game: str, there: Sequence[Version], wanted: int, rng: Random
) -> list[Version]:
    if not wanted:
        return []
    entered = sa.select(Entry.version).join(Ladder, Ladder.name == Entry.ladder)
    at_home = set(
        session.scalars(entered.where(Ladder.game == game, Entry.state == EntryState.ACTIVE))
    )
    among = [version for version in there if version.digest in at_home] or list(there)
    if not among:
        raise ArenaError(
            Kind.WRONG_INPUT,
            f"No bot on a ladder of this arena plays {game}: choose another game.",
            "game",
        )
    first = rng.sample(among, min(wanted, len(among)))
    return first + rng.choices(among, k=wanted - len(first))
