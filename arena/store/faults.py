"""Faults of bot versions, and suspensions from a ladder because of them."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.errors import ArenaError, Kind
from arena.store.queries import ladder_named
from arena.store.schema import (
    Entry,
    EntryState,
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
    own = sa.select(MatchSeat.match, MatchSeat.fault_kind).where(
        MatchSeat.version == entry.version, MatchSeat.competition == entry.ladder
    )
    if entry.cleared_at is not None:
        own = own.where(MatchSeat.finished_at > entry.cleared_at)
    last = own.order_by(MatchSeat.finished_at.desc(), MatchSeat.match.desc())
    ended_in_fault: dict[str, bool] = {}
    for match, fault in session.execute(last.limit(among * seats)):  # it may have had all of them
        if match in ended_in_fault or len(ended_in_fault) < among:
            ended_in_fault[match] = ended_in_fault.get(match, False) or fault is not None
    return sum(ended_in_fault.values())
