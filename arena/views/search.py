"""Finds bots, owners, competitions, games and matches by a part of their names."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.store import schema
from arena.store.schema import NOBODY, Bot, Competition, Match, table_of
from arena.views.view import View
from sevens_games import load, slugs

COMPETITIONS = table_of(Competition)
LONGEST = 200
LEAST_OF_A_MATCH = 3
LAST = "\U0010ffff"
BOTS = sa.select(Bot.name, Bot.owner).where(Bot.name.not_in(sa.select(schema.Table.person)))


class FoundCompetition(View):
    """A competition. `kind`: ladder, tournament or comparison."""

    name: str
    kind: str
    game: str


class Found(View):
    """The results of a search: of each kind at most as many as were asked for, those that begin
    with the text first.

    `bots`: with their owners.
    `games`: slugs.
    `matches`: whole ids.
    """

    bots: tuple[tuple[str, str], ...] = ()
    owners: tuple[str, ...] = ()
    competitions: tuple[FoundCompetition, ...] = ()
    games: tuple[str, ...] = ()
    matches: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return any((self.bots, self.owners, self.competitions, self.games, self.matches))


def search(session: Session, text: str, limit: int = 8) -> Found:
    """Returns what has this text in its name, upper or lower case. Nothing has an empty one, or one
    of more than LONGEST characters."""
    text = text.strip()
    if not text or len(text) > LONGEST or "\0" in text:  # where SQLite thinks a text ends
        return Found()
    competitions = sa.select(COMPETITIONS.c.name, COMPETITIONS.c.kind, COMPETITIONS.c.game)
    return Found(
        bots=_named(session, BOTS, Bot.name, text, limit),
        owners=tuple(
            owner
            for (owner,) in _named(
                session,
                sa.select(Bot.owner).where(Bot.owner != NOBODY).group_by(Bot.owner),
                Bot.owner,
                text,
                limit,
            )
        ),
        competitions=tuple(
            FoundCompetition(name=name, kind=kind, game=game)
            for name, kind, game in _named(session, competitions, COMPETITIONS.c.name, text, limit)
        ),
        games=_games(text, limit),
        matches=_matches(session, text, limit),
    )


def _named(session: Session, query: Any, name: Any, text: str, limit: int) -> tuple[Any, ...]:
    """Returns the rows with the text in their names."""
    begins = name.istartswith(text, autoescape=True)
    rows = session.execute(
        query.where(name.icontains(text, autoescape=True))
        .order_by(begins.desc(), name)
        .limit(limit)
    )
    return tuple(tuple(row) for row in rows)


def _games(text: str, limit: int) -> tuple[str, ...]:
    wanted = text.casefold()
    found = [
        slug
        for slug in slugs()
        if wanted in slug
        or wanted in slug.replace("-", " ")
        or wanted in load(slug).title.casefold()
    ]
    return tuple(found[:limit])


def _matches(session: Session, text: str, limit: int) -> tuple[str, ...]:
    """Returns matches that begin with the text, or with the short name that it is."""
    if len(text) < LEAST_OF_A_MATCH:
        return ()
    job, _, number = text.rpartition("-")
    named: sa.ColumnElement[bool] = Match.id.between(text, text + LAST)
    if len(job) >= LEAST_OF_A_MATCH and number.isdecimal():
        named |= Match.id.between(job, job + LAST) & Match.id.endswith(
            f"-{number}", autoescape=True
        )
    return tuple(session.scalars(sa.select(Match.id).where(named).order_by(Match.id).limit(limit)))
