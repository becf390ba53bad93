"""Faults of bot versions, and suspensions from a ladder because of them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.errors import ArenaError, Kind
from arena.store.queries import ladder_named
from arena.store.schema import (
    TABLE,
    Bot,
    Competition,
    Entry,
    EntryState,
    Match,
    MatchSeat,
    Version,
    now,
)


@dataclass(frozen=True)
class FaultRow:
    """A fault.

    `decision`: the seat's own count, from 1; 0 means before the first.
    `number`: the number of the bot's version.
    `words`: the bot's own words, which only its owner and organisers may read.
    """

    match: str
    competition: str
    competition_kind: str
    finished_at: datetime
    seat: int
    bot: str
    number: int
    version: str
    owner: str
    kind: str
    decision: int
    sentence: str
    words: str


def find_faults(
    session: Session, *, owner: str = "", bot: str = "", competition: str = "", limit: int = 50
) -> list[FaultRow]:
    """Returns faults, latest first, of an owner, a bot and a competition where given; without those
    at card tables, which do not count."""
    given = ((Bot.owner, owner), (MatchSeat.bot, bot), (MatchSeat.competition, competition))
    wanted = [column == value for column, value in given if value]
    query = (
        _at_fault().where(*wanted).order_by(MatchSeat.finished_at.desc(), MatchSeat.match.desc())
    )
    return [_fault_row(*row) for row in session.execute(query.limit(limit)).all()]


@dataclass(frozen=True)
class FaultPage:
    """Some faults, latest first. `next`: the value of `after` for the next page; empty at the
    end."""

    faults: tuple[FaultRow, ...]
    next: str


def fault_page(
    session: Session, *, owner: str = "", bot: str = "", after: str = "", limit: int = 50
) -> FaultPage:
    """Returns faults, latest first, of an owner and a bot where given.

    `after`: the `next` of the previous page. Raises ArenaError.
    """
    wanted = [column == value for column, value in ((Bot.owner, owner), (Bot.name, bot)) if value]
    place = (MatchSeat.finished_at, MatchSeat.match, MatchSeat.seat)
    query = _at_fault().where(*wanted).order_by(*(column.desc() for column in place))
    if after:
        last = _seat_at(session, after)
        query = query.where(sa.tuple_(*place) < sa.tuple_(last.finished_at, last.match, last.seat))
    found = [_fault_row(*row) for row in session.execute(query.limit(limit + 1)).all()]
    page = tuple(found[:limit])
    return FaultPage(page, f"{page[-1].match}.{page[-1].seat}" if len(found) > limit else "")


def _seat_at(session: Session, place: str) -> MatchSeat:
    match, _, seat = place.rpartition(".")
    found = (
        session.get(MatchSeat, (match, int(seat))) if seat.isdecimal() and len(seat) < 4 else None
    )
    if found is None:
        raise ArenaError(
            Kind.NOT_FOUND,
            f"No page of faults begins after {place!r}; begin with the first page.",
            "after",
        )
    return found


def suspensions(session: Session, ladder: str) -> list[FaultRow]:
    """Returns, for each version suspended from a ladder, the fault that exceeded its quota."""
    query = _at_fault().join(
        Entry, (Entry.version == MatchSeat.version) & (Entry.suspended_for == Match.id)
    )
    rows = session.execute(query.where(Entry.ladder == ladder).order_by(Bot.name, Version.number))
    # A version may have been at fault at two seats of the match, as its own partner.
    return list({row.version: row for row in (_fault_row(*row) for row in rows)}.values())


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


def _at_fault() -> sa.Select[MatchSeat, Match, Version, Bot, str]:
    return (
        sa.select(MatchSeat, Match, Version, Bot, Competition.kind)
        .join(Match, Match.id == MatchSeat.match)
        .join(Competition, Competition.name == Match.competition)
        .join(Version, Version.digest == MatchSeat.version)
        .join(Bot, Bot.name == Version.bot)
        .where(MatchSeat.fault_kind.is_not(None), Competition.kind != TABLE)
    )


def _fault_row(
    seat: MatchSeat, match: Match, version: Version, bot: Bot, competition_kind: str
) -> FaultRow:
    return FaultRow(
        match=match.id,
        competition=match.competition,
        competition_kind=competition_kind,
        finished_at=match.finished_at,
        seat=seat.seat,
        bot=bot.name,
        number=version.number,
        version=version.digest,
        owner=bot.owner,
        kind=seat.fault_kind or "",
        decision=seat.fault_decision or 0,
        sentence=seat.fault_sentence or "",
        words=seat.fault_words or "",
    )
