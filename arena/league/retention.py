"""Drops records and private logs of old matches. Results stay, and with them all that follows from
them: ratings, standings, counts, and the digests of the records."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import timedelta

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.errors import ArenaError, Kind
from arena.store.schema import Match, PrivateLog, Record, now
from arena.store.session import Store

AT_ONCE = 200  # rows per transaction, so that others can write in between
LIMIT = re.compile(r"([1-9][0-9]{0,8})(d?)")


@dataclass(frozen=True)
class Limit:
    """The matches of which something is kept: at most so old, and so many of the latest. None: no
    limit."""

    days: int | None = None
    matches: int | None = None


@dataclass(frozen=True)
class Retention:
    """The parts of old matches that are kept."""

    records: Limit = Limit()
    logs: Limit = Limit()


@dataclass(frozen=True)
class Pruned:
    """The numbers of records and private logs that were dropped."""

    records: int
    logs: int


def limit_of(text: str, field: str) -> Limit:
    """Reads a limit such as `90d`, `100000` or `90d,100000`; an empty text is none. Raises
    ArenaError."""
    days, matches = None, None
    for part in filter(None, text.split(",")):
        found = LIMIT.fullmatch(part.strip())
        if found is None:
            raise ArenaError(
                Kind.WRONG_INPUT,
                f"{text!r} is no limit; it is a number of days with d, a number of matches, or"
                " both: 90d,100000.",
                field,
            )
        if found[2]:
            days = int(found[1])
        else:
            matches = int(found[1])
    return Limit(days, matches)


def prune(store: Store, retention: Retention) -> Pruned:
    """Drops what is not to be kept."""
    return Pruned(
        _pruned(store, Record, retention.records), _pruned(store, PrivateLog, retention.logs)
    )


def beyond(session: Session, table: type[Record | PrivateLog], limit: Limit) -> int:
    """Returns how many rows of a table are beyond a limit."""
    old = _beyond(session, limit)
    if old is None:
        return 0
    count = sa.select(sa.func.count()).select_from(table).join(Match, Match.id == table.match)
    return session.scalar(count.where(old)) or 0


def _pruned(store: Store, table: type[Record | PrivateLog], limit: Limit) -> int:
    """Drops rows of a table; returns how many there were."""
    total = 0
    while True:
        with store.writing() as session:
            old = _beyond(session, limit)
            if old is None:
                return total
            some = (
                sa.select(table.match)
                .join(Match, Match.id == table.match)
                .where(old)
                .limit(AT_ONCE)
                .scalar_subquery()
            )
            dropped = session.execute(sa.delete(table).where(table.match.in_(some)))
            count = int(dropped.rowcount)  # type: ignore[attr-defined]
        total += count
        if count < AT_ONCE:
            return total


def _beyond(session: Session, limit: Limit) -> sa.ColumnElement[bool] | None:
    """Returns the condition that a match is beyond a limit; None if none is."""
    conditions: list[sa.ColumnElement[bool]] = []
    if limit.days is not None:
        conditions.append(Match.finished_at < now() - timedelta(days=limit.days))
    if limit.matches is not None:
        latest = sa.select(Match.finished_at, Match.id).order_by(
            Match.finished_at.desc(), Match.id.desc()
        )
        first = session.execute(latest.offset(limit.matches).limit(1)).one_or_none()
        if first is not None:
            at, match = first
            conditions.append(
                (Match.finished_at < at) | ((Match.finished_at == at) & (Match.id <= match))
            )
    return sa.or_(*conditions) if conditions else None
