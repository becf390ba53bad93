"""The counts behind a ladder's pairings, in the store.

They are written with the jobs that they count, in one transaction, so that nobody has to read all
jobs again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.league.ladder.field import Field
from arena.store.schema import LadderMeeting, LadderSeat, table_of
from arena.store.session import upsert_rows

SEATS, MEETINGS = table_of(LadderSeat), table_of(LadderMeeting)


def read_counts(session: Session, ladder: str, field: Field) -> int:
    """Adds a ladder's counts to an empty field. Returns the number of its jobs."""
    jobs = 0
    first_seats = {place[0] for place in field.places}
    seats = sa.select(SEATS.c.version, SEATS.c.seat, SEATS.c.jobs).where(SEATS.c.ladder == ladder)
    for version, seat, times in session.execute(seats):
        field.add_seat(version, seat, times)
        if seat in first_seats:
            field.add_played(version, times)
        if seat == 0:
            jobs += times
    columns = (MEETINGS.c.one, MEETINGS.c.other, MEETINGS.c.jobs, MEETINGS.c.partnered)
    for one, other, times, partnered in session.execute(
        sa.select(*columns).where(MEETINGS.c.ladder == ladder)
    ):
        field.add_meetings(one, other, times)
        if partnered:
            field.add_partnerships(one, other, partnered)
    return jobs


def write_counts(
    session: Session, ladder: str, field: Field, jobs: Iterable[Sequence[str]]
) -> None:
    """Writes the counts of a field that jobs have changed. `jobs`: the versions in each, in seat
    order."""
    sat = {place for versions in jobs for place in enumerate(versions)}
    met = {pair for versions in jobs for pair in combinations(sorted(set(versions)), 2)}
    upsert_rows(
        session,
        SEATS,
        [
            {"ladder": ladder, "version": one, "seat": seat, "jobs": field.seats_of(one)[seat]}
            for seat, one in sat
        ],
        _new,
    )
    upsert_rows(
        session,
        MEETINGS,
        [
            {
                "ladder": ladder,
                "one": one,
                "other": other,
                "jobs": field.meetings(one, other),
                "partnered": field.partnerships(one, other),
            }
            for one, other in met
        ],
        _new,
    )


def _new(_: sa.Column[Any], new: sa.ColumnElement[Any]) -> sa.ColumnElement[Any]:
    return new
