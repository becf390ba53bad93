"""Counts again what is kept for those who look at a competition's matches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.league.numbers.keep import COUNTED, rows_of
from arena.league.numbers.sums import Sums
from arena.nearest import no_such
from arena.records import BadRecord, Thinking, read, verify_record
from arena.store import (
    Competition,
    DamagedText,
    Match,
    MatchSeat,
    NotFound,
    Store,
    record_text,
    table_of,
)

COMPETITIONS = table_of(Competition)
MATCHES, MATCH_SEATS = table_of(Match), table_of(MatchSeat)
AT_ONCE = 100  # records per transaction, so that others can write in between
ROWS_AT_ONCE = 5000
SET_TIMES = (
    sa.update(MATCH_SEATS)
    .where(MATCH_SEATS.c.match == sa.bindparam("of_match"))
    .where(MATCH_SEATS.c.seat == sa.bindparam("of_seat"))
    .values({name: sa.bindparam(name) for name in ("decision_counts", "total_ms", "slowest_ms")})
)


@dataclass(frozen=True)
class Recount:
    """What a recount has found.

    `matches`: the number of matches counted.
    `changed`: the versions whose numbers in the store were others; none should be.
    `replayed`: the matches whose times had not been counted, and were read from the records.
    `unknown`: the matches whose times stay unknown: their records have been pruned, or cannot be
      replayed.
    """

    matches: int
    changed: frozenset[str]
    replayed: int
    unknown: int


def recount(store: Store, competition: str) -> Recount:
    """Counts a competition's matches again, from their rows alone, whatever numbers were there.

    Times of decisions that nobody has counted yet are first read from the records. Those of pruned
    records stay as they were counted when the match was recorded.
    """
    replayed, unknown = _count_times(store, competition)
    with store.writing() as session:
        kind = session.scalars(
            sa.select(Competition.kind).where(Competition.name == competition)
        ).one()
        sums, matches = Sums(), 0
        if kind in COUNTED:
            for job in _jobs(session, competition):
                sums.add(job)
                matches += len(job)
        changed = _replace(session, competition, sums)
    return Recount(matches, changed, replayed, unknown)


def competition_names(session: Session, name: str = "") -> list[str]:
    """Returns the names of all competitions, or of the one that is named. Raises NotFound."""
    names = list(session.scalars(sa.select(COMPETITIONS.c.name).order_by(COMPETITIONS.c.name)))
    if name and name not in names:
        raise NotFound(no_such("competition", name, names))
    return [name] if name else names


def has_unknown_times(session: Session) -> bool:
    """Returns whether there are matches whose times nobody has counted yet."""
    untimed = sa.select(MATCH_SEATS.c.match).where(MATCH_SEATS.c.decision_counts.is_(None))
    return session.execute(untimed.limit(1)).first() is not None


def _jobs(session: Session, competition: str) -> Iterator[Sequence[Sequence[sa.Row[Any]]]]:
    """Yields every job of a competition as the seats of its matches."""
    seats = (
        sa.select(MATCHES.c.job, *MATCH_SEATS.c)
        .join(MATCH_SEATS, MATCH_SEATS.c.match == MATCHES.c.id)
        .where(MATCHES.c.competition == competition)
        .order_by(MATCHES.c.job, MATCHES.c.number, MATCH_SEATS.c.seat)
        .execution_options(yield_per=ROWS_AT_ONCE)
    )
    for _, rows in groupby(session.execute(seats), attrgetter("job")):
        yield [list(match) for _, match in groupby(rows, attrgetter("match"))]


def _replace(session: Session, competition: str, sums: Sums) -> frozenset[str]:
    """Puts the sums in the place of what is in the store; returns the versions that had others."""
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


def _count_times(store: Store, competition: str) -> tuple[int, int]:
    """Reads the times that are unknown from the records. Returns the number of matches for which
    that was possible, and of those for which it was not."""
    replayed = unknown = 0
    last: str | None = ""
    while last is not None:
        with store.writing() as session:
            matches = session.scalars(_untimed(competition, last)).all()
            for match in matches:
                times = _thinking(session, match)
                if times is None:
                    unknown += 1
                    continue
                session.connection().execute(SET_TIMES, _times_rows(match, times))
                replayed += 1
        last = matches[-1] if matches else None
    return replayed, unknown


def _untimed(competition: str, after: str) -> sa.Select[Any]:
    return (
        sa.select(MATCH_SEATS.c.match)
        .distinct()
        .where(MATCH_SEATS.c.competition == competition, MATCH_SEATS.c.match > after)
        .where(MATCH_SEATS.c.decision_counts.is_(None))
        .order_by(MATCH_SEATS.c.match)
        .limit(AT_ONCE)
    )


def _thinking(session: Session, match: str) -> tuple[Thinking, ...] | None:
    """Returns the times of the seats by the record; None if there is none that can be replayed."""
    try:
        verdict = verify_record(read(record_text(session, match)))
    except (NotFound, DamagedText, BadRecord):
        return None
    return verdict.thinking if verdict.ok else None


def _times_rows(match: str, times: Sequence[Thinking]) -> list[dict[str, Any]]:
    return [
        {
            "of_match": match,
            "of_seat": seat,
            "decision_counts": list(one.counts),
            "total_ms": one.total_ms,
            "slowest_ms": one.slowest_ms,
        }
        for seat, one in enumerate(times)
    ]
