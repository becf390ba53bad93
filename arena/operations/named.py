"""Names by which callers narrow a list: an unknown one is a mistake, not an empty list."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.errors import ArenaError, Kind, naming
from arena.nearest import no_such
from arena.store.queries import (
    bot_named,
    comparison_named,
    ladder_named,
    tournament_named,
)
from arena.store.schema import TABLE, Competition, Version, VersionState
from arena.store.tokens import owner_named
from arena.views.matches.match_filter import MatchFilter
from sevens_games import slugs


def _check_game(session: Session, slug: str) -> None:
    """Raises ArenaError."""
    if slug not in slugs():
        raise ArenaError(Kind.NOT_FOUND, no_such("game", slug, slugs()), "game")


def _check_competition(session: Session, name: str) -> None:
    """Raises ArenaError."""
    if session.get(Competition, name) is None:
        known = session.scalars(sa.select(Competition.name).where(Competition.kind != TABLE)).all()
        raise ArenaError(Kind.NOT_FOUND, no_such("competition", name, known), "competition")


CHECKS: Mapping[str, Callable[[Session, str], object]] = {
    "competition": _check_competition,
    "ladder": ladder_named,
    "tournament": tournament_named,
    "comparison": comparison_named,
    "game": _check_game,
    "bot": bot_named,
    "against": bot_named,
}


def check_named(session: Session, **names: str) -> None:
    """Raises ArenaError, which names the field, for the first name that nothing has. Empty names
    stand for none given."""
    for field, name in names.items():
        if name:
            with naming(field):
                CHECKS[field](session, name)


def spelt(session: Session, owner: str) -> str:
    """Returns the name of an owner as it is stored; empty if none is given. Raises ArenaError."""
    return owner and owner_named(session, owner)


def check_filter(session: Session, wanted: MatchFilter) -> None:
    """Raises ArenaError, which names the field, for the first name of a filter that nothing has."""
    names = {"game": wanted.game, "bot": wanted.bot, "against": wanted.against}
    check_named(session, **{wanted.kind or "competition": wanted.competition}, **names)


def playing_version(session: Session, bot: str, number: int, field: str) -> Version:
    """Returns the version of a bot with that number, or the latest, if it plays. Raises
    ArenaError, which names the field."""
    active = (Version.bot == bot) & (Version.state == VersionState.ACTIVE)
    query = sa.select(Version).where(active).order_by(Version.number.desc())
    if number:
        query = query.where(Version.number == number)
    version = session.scalars(query.limit(1)).first()
    if version is None:
        which = f"version {number}" if number else "version"
        raise ArenaError(
            Kind.NOT_FOUND,
            f"{bot} has no {which} that plays; `arena bot list {bot}` lists those it has.",
            field,
        )
    return version
