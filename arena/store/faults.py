"""Faults of bot versions, and suspensions from a ladder because of them."""

from __future__ import annotations

from bisect import insort
from datetime import datetime
from itertools import groupby
from operator import attrgetter

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.errors import ArenaError, Kind
from arena.store.queries import counts, ladder_named
from arena.store.schema import (
    Entry,
    EntryState,
    Job,
    Match,
    MatchSeat,
    Version,
    now,
)


def suspend(entry: Entry, match: str) -> None:
    """Suspends a version from a ladder for its fault in that match."""
    entry.state, entry.suspended_for = EntryState.SUSPENDED, match


def readmit(session: Session, ladder: str, bot: str, number: int) -> Version:
    """Lets a suspended version play on a ladder again; its faults so far no longer count. Raises
    ArenaError."""
    ladder_named(session, ladder)
    found = session.execute(
        sa.select(Entry, Version)
        .join(Version, Version.digest == Entry.version)
        .where(
            Entry.ladder == ladder,
            Entry.state == EntryState.SUSPENDED,
            Version.bot == bot,
            Version.number == number,
        )
    ).one_or_none()
    if found is None:
        raise ArenaError(
            Kind.NOT_FOUND,
            f"No version {number} of {bot} is suspended from the ladder {ladder}.",
            "bot",
        )
    entry, version = found
    entry.state, entry.suspended_for, entry.cleared_at = EntryState.ACTIVE, None, now()
    return version


def faulted(session: Session, entry: Entry, among: int) -> int:
    """Returns how many of an entry's last matches that count, at most `among`, ended in a fault."""
    seats = ladder_named(session, entry.ladder).seats
    own = sa.select(MatchSeat.match, MatchSeat.fault_kind).where(*_counting(entry))
    last = own.order_by(MatchSeat.finished_at.desc(), MatchSeat.match.desc())
    ended_in_fault: dict[str, bool] = {}
    for match, fault in session.execute(last.limit(among * seats)):  # it may have had all of them
        if match in ended_in_fault or len(ended_in_fault) < among:
            ended_in_fault[match] = ended_in_fault.get(match, False) or fault is not None
    return sum(ended_in_fault.values())


def excess(session: Session, entry: Entry, quota: int, among: int) -> str | None:
    """Returns the match at which an entry's faults first exceeded a quota, as its matches that
    count were recorded; None if they never did."""
    seats = (
        sa.select(MatchSeat.match, MatchSeat.finished_at, MatchSeat.fault_kind, Match.job)
        .join(Match, Match.id == MatchSeat.match)
        .join(Job, Job.id == Match.job)
        .where(*_counting(entry))
        .order_by(Job.recorded_at, Job.id, Match.number)
    )
    order: list[tuple[datetime, str]] = []
    faulted_in: set[str] = set()
    for _, rows in groupby(session.execute(seats), attrgetter("job")):
        new: dict[str, None] = {}
        for match, finished_at, fault, _ in rows:
            if match not in new:
                insort(order, (finished_at, match))
                new[match] = None
            if fault is not None:
                faulted_in.add(match)
        if sum(match in faulted_in for _, match in order[-among:]) > quota:
            exceeding = [match for match in new if match in faulted_in]
            if exceeding:
                return exceeding[0]
    return None


def _counting(entry: Entry) -> list[sa.ColumnElement[bool]]:
    """Conditions on the seats that an entry had in matches that count."""
    conditions = [
        MatchSeat.version == entry.version,
        MatchSeat.competition == entry.ladder,
        counts(MatchSeat.match),
    ]
    if entry.cleared_at is not None:
        conditions.append(MatchSeat.finished_at > entry.cleared_at)
    return conditions
