"""Faults of bot versions."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.errors import ArenaError, Kind
from arena.store.queries import counts
from arena.store.schema import TABLE, Bot, Competition, Entry, Match, MatchSeat, Version
from arena.views.matches.match import PlayedFor
from arena.views.view import Moment, View


class Fault(PlayedFor):
    """A fault.

    `version`: the digest of the bot's version; `number`: its number.
    `decision`: the seat's own count, from 1; 0 means before the first.
    `words`: the bot's own words, which only its owner and organisers may read.
    """

    match: str
    finished_at: Moment
    seat: int
    bot: str
    number: int
    version: str
    owner: str
    kind: str
    decision: int
    sentence: str
    words: str


class Faults(View):
    """Some faults, latest first. `next`: the value of `after` for the next page; None at the
    end."""

    faults: tuple[Fault, ...]
    next: str | None


def find_faults(
    session: Session,
    *,
    owner: str = "",
    bot: str = "",
    competition: str = "",
    after: str = "",
    limit: int = 50,
) -> Faults:
    """Returns faults, latest first, of an owner, a bot and a competition where given; without those
    at card tables and in void matches, which do not count.

    `after`: the `next` of the previous page. Raises ArenaError.
    """
    given = ((Bot.owner, owner), (MatchSeat.bot, bot), (MatchSeat.competition, competition))
    wanted = [column == value for column, value in given if value]
    place = (MatchSeat.finished_at, MatchSeat.match, MatchSeat.seat)
    query = _at_fault().where(*wanted).order_by(*(column.desc() for column in place))
    if after:
        last = _seat_at(session, after)
        query = query.where(sa.tuple_(*place) < sa.tuple_(last.finished_at, last.match, last.seat))
    found = [_fault_row(*row) for row in session.execute(query.limit(limit + 1)).all()]
    page = tuple(found[:limit])
    return Faults(
        faults=page, next=f"{page[-1].match}.{page[-1].seat}" if len(found) > limit else None
    )


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


def suspensions(session: Session, ladder: str) -> list[Fault]:
    """Returns, for each version suspended from a ladder, the fault that exceeded its quota."""
    query = _at_fault().join(
        Entry, (Entry.version == MatchSeat.version) & (Entry.suspended_for == Match.id)
    )
    rows = session.execute(query.where(Entry.ladder == ladder).order_by(Bot.name, Version.number))
    # A version may have been at fault at two seats of the match, as its own partner.
    return list({row.version: row for row in (_fault_row(*row) for row in rows)}.values())


def _at_fault() -> sa.Select[MatchSeat, Match, Version, Bot, str]:
    return (
        sa.select(MatchSeat, Match, Version, Bot, Competition.kind)
        .join(Match, Match.id == MatchSeat.match)
        .join(Competition, Competition.name == Match.competition)
        .join(Version, Version.digest == MatchSeat.version)
        .join(Bot, Bot.name == Version.bot)
        .where(MatchSeat.fault_kind.is_not(None), Competition.kind != TABLE, counts(Match.id))
    )


def _fault_row(
    seat: MatchSeat, match: Match, version: Version, bot: Bot, competition_kind: str
) -> Fault:
    return Fault(
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
