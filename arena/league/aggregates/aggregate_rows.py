"""The rows of sums in the store, updated in the transaction that records the matches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.league.aggregates.sums import Sums
from arena.store.schema import (
    Comparison,
    DecisionTimes,
    Ladder,
    MeetingResults,
    SeatResults,
    Tournament,
    table_of,
)
from arena.store.session import upsert_rows

COUNTED = frozenset(
    kind.__mapper__.polymorphic_identity for kind in (Ladder, Tournament, Comparison)
)
"""The kinds of competition whose matches are counted."""
SEATS, MEETINGS, TIMES = map(table_of, (SeatResults, MeetingResults, DecisionTimes))
TABLES = (SEATS, MEETINGS, TIMES)


def add(session: Session, competition: str, sums: Sums) -> None:
    """Adds the sums over some jobs of a competition to those in the store."""
    for table, rows in rows_of(competition, sums).items():
        upsert_rows(session, table, rows, _sum)


def _sum(column: sa.Column[Any], other: sa.ColumnElement[Any]) -> sa.ColumnElement[Any]:
    if column.name == "slowest_ms":
        return sa.case((column > other, column), else_=other)
    return column + other


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
