"""Adds what was counted to the store, in the transaction that records the matches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.orm import Session

from arena.league.numbers.sums import Sums
from arena.store.schema import (
    Comparison,
    DecisionTimes,
    Ladder,
    MeetingResults,
    SeatResults,
    Tournament,
    table_of,
)

COUNTED = frozenset(
    kind.__mapper__.polymorphic_identity for kind in (Ladder, Tournament, Comparison)
)
"""The kinds of competition of whose matches anything is counted."""
SEATS, MEETINGS, TIMES = map(table_of, (SeatResults, MeetingResults, DecisionTimes))
TABLES = (SEATS, MEETINGS, TIMES)


def _adding(table: sa.Table) -> Any:
    """Returns a statement that adds numbers to those in the store."""
    statement = insert(table)
    keys = table.primary_key.columns
    return statement.on_conflict_do_update(
        index_elements=keys,
        set_={
            column.name: _greater(column, statement.excluded[column.name])
            if column.name == "slowest_ms"
            else column + statement.excluded[column.name]
            for column in table.columns
            if column.name not in keys
        },
    )


def _greater(one: sa.ColumnElement[Any], other: sa.ColumnElement[Any]) -> sa.ColumnElement[Any]:
    return sa.case((one > other, one), else_=other)


ADD = {table: _adding(table) for table in TABLES}


def add(session: Session, competition: str, sums: Sums) -> None:
    """Adds the sums over some jobs of a competition to its numbers."""
    for table, rows in rows_of(competition, sums).items():
        if rows:
            session.connection().execute(ADD[table], rows)


def rows_of(competition: str, sums: Sums) -> dict[sa.Table, Sequence[dict[str, Any]]]:
    """Returns the rows with these sums, by table."""
    return {
        SEATS: [
            {"competition": competition, "version": version, "seat": seat, **asdict(found)}
            for (version, seat), found in sums.seats.items()
        ],
        MEETINGS: [
            {"competition": competition, "version": version, "opponent": other, **asdict(found)}
            for (version, other), found in sums.meetings.items()
        ],
        TIMES: [
            {"competition": competition, "version": one, "bucket": bucket, "decisions": decisions}
            for (one, bucket), decisions in sums.times.items()
        ],
    }
