"""Recomputes the sums of a competition from the rows of its matches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.errors import ArenaError, Kind
from arena.league.aggregates.aggregate_rows import COUNTED, rows_of
from arena.league.aggregates.sums import Sums
from arena.nearest import no_such
from arena.store.queries import counts
from arena.store.schema import Competition, Match, MatchSeat, table_of
from arena.store.session import Store

COMPETITIONS = table_of(Competition)
MATCHES, MATCH_SEATS = table_of(Match), table_of(MatchSeat)
ROWS_AT_ONCE = 5000


@dataclass(frozen=True)
class Recount:
    """The result of a recount.

    `matches`: the number of matches counted.
    `changed`: the versions whose sums in the store were wrong; there should be none.
    """

    matches: int
    changed: frozenset[str]


def recount(store: Store, competition: str) -> Recount:
    """Counts a competition's matches again from their rows alone, and replaces the sums."""
    with store.writing() as session:
        return count_again(session, competition)


def count_again(session: Session, competition: str) -> Recount:
    """Does the same in a transaction that has begun."""
    kind = session.scalars(sa.select(Competition.kind).where(Competition.name == competition)).one()
    sums, matches = Sums(), 0
    if kind in COUNTED:
        for job in _jobs(session, competition):
            sums.add(job)
            matches += len(job)
    return Recount(matches, _replace(session, competition, sums))


def competition_names(session: Session, name: str = "") -> list[str]:
    """Returns the names of all competitions, or of the one that is named. Raises ArenaError."""
    names = list(session.scalars(sa.select(COMPETITIONS.c.name).order_by(COMPETITIONS.c.name)))
    if name and name not in names:
        raise ArenaError(Kind.NOT_FOUND, no_such("competition", name, names), "competition")
    return [name] if name else names


def _jobs(session: Session, competition: str) -> Iterator[Sequence[Sequence[sa.Row[Any]]]]:
    """Yields every job of a competition that is not void as the seats of its matches."""
    seats = (
        sa.select(MATCHES.c.job, *MATCH_SEATS.c)
        .join(MATCH_SEATS, MATCH_SEATS.c.match == MATCHES.c.id)
        .where(MATCHES.c.competition == competition, counts(MATCHES.c.id))
        .order_by(MATCHES.c.job, MATCHES.c.number, MATCH_SEATS.c.seat)
        .execution_options(yield_per=ROWS_AT_ONCE)
    )
    for _, rows in groupby(session.execute(seats), attrgetter("job")):
        yield [list(match) for _, match in groupby(rows, attrgetter("match"))]


def _replace(session: Session, competition: str, sums: Sums) -> frozenset[str]:
    """Replaces the sums in the store; returns the versions whose sums differed."""
    connection = session.connection()
    changed: set[str] = set()
    for table, rows in rows_of(competition, sums).items():
        own = table.c.competition == competition
        right = {tuple(row[column.name] for column in table.columns) for row in rows}
        found = {tuple(row) for row in connection.execute(sa.select(table).where(own))}
        changed |= {row[1] for row in right ^ found}
        if right != found:
            connection.execute(sa.delete(table).where(own))
            if rows:
                connection.execute(sa.insert(table), rows)
    return frozenset(changed)
