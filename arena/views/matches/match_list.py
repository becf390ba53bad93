"""Lists of finished matches, page by page, and their number."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session, aliased, selectinload

from arena.store import schema
from arena.store.match_names import match_with
from arena.store.queries import counts, is_void
from arena.store.schema import Competition, MatchSeat, Version
from arena.views.matches.match import Match, match_rows
from arena.views.matches.match_filter import EVERY_MATCH, MatchFilter, Order, Result
from arena.views.view import View

COUNTED = 10_000
FEW = 2_000

Seat = type[MatchSeat]
Condition = sa.ColumnElement[bool]


class MatchPage(View):
    """Some matches in order. `next`: the value of `after` for the next page; None at the end."""

    matches: tuple[Match, ...]
    next: str | None


class Matches(MatchPage):
    """The same with their number.

    `count`: of all pages; exact unless `counted_to_the_end` is false: then there are more.
    """

    count: int
    counted_to_the_end: bool


@dataclass(frozen=True)
class Counted:
    """A number of matches; if there are `more`, counting ended there."""

    number: int
    more: bool = False

    def __str__(self) -> str:
        return f"{self.number:,}{'+' if self.more else ''}"


def find_matches(
    session: Session,
    wanted: MatchFilter = EVERY_MATCH,
    *,
    after: str | None = None,
    limit: int = 50,
) -> MatchPage:
    """Returns finished matches in the order wanted.

    `after`: the `next` of the previous page. Raises ArenaError.
    """
    source = _source(session, wanted)
    keys = sa.select(*source.order, source.match).where(*source.conditions).limit(limit + 1)
    keys = keys.order_by(*(source.direction(column) for column in (*source.order, source.match)))
    if source.repeats:
        keys = keys.distinct()
    if after is not None:
        keys = keys.where(_beyond(session, source, wanted, match_with(session, after)))
    ids = [row[-1] for row in session.execute(keys)]
    page = ids[:limit]
    return MatchPage(
        matches=matches_with(session, page), next=page[-1] if len(ids) > limit else None
    )


def matches_with(session: Session, ids: Sequence[str]) -> tuple[Match, ...]:
    """Returns the matches with these ids, in this order."""
    place = {match: place for place, match in enumerate(ids)}
    found = session.scalars(
        sa.select(schema.Match)
        .where(schema.Match.id.in_(ids))
        .options(selectinload(schema.Match.seats))
    ).all()
    return match_rows(session, sorted(found, key=lambda match: place[match.id]))


def count_matches(session: Session, wanted: MatchFilter = EVERY_MATCH) -> Counted:
    """Returns the number of matches that `find_matches` lists, exactly up to COUNTED."""
    source = _source(session, wanted)
    found = sa.select(*source.order, source.match).where(*source.conditions)
    if source.repeats:
        found = found.distinct()
    number = session.scalar(
        sa.select(sa.func.count()).select_from(found.limit(COUNTED + 1).subquery())
    )
    return Counted(min(number or 0, COUNTED), (number or 0) > COUNTED)


def jobs_of(session: Session, wanted: MatchFilter) -> set[str]:
    """Returns the jobs of the matches that a filter chooses: of ladders only, unless it names a
    competition."""
    source = _source(session, wanted)
    ids = sa.select(source.match).where(*source.conditions)
    jobs = sa.select(schema.Match.job).where(schema.Match.id.in_(ids))
    if not wanted.competition:
        jobs = jobs.where(schema.Match.competition.in_(sa.select(schema.Ladder.name)))
    return set(session.scalars(jobs.distinct()))


@dataclass(frozen=True)
class _Source:
    """The rows to search: the seats of a bot, the seats at fault, or all matches; an index has each
    of them in order.

    `repeats`: a match may be found several times.
    """

    match: sa.ColumnElement[Any]
    order: tuple[sa.ColumnElement[Any], ...]
    direction: Callable[[Any], Any]
    conditions: Sequence[Condition]
    repeats: bool


def _source(session: Session, wanted: MatchFilter) -> _Source:
    if not wanted.bot and not wanted.faulted:
        return _Source(
            match=_column(schema.Match.id),
            order=(_column(schema.Match.finished_at),),
            direction=sa.desc,
            conditions=[
                *_of_match(wanted, schema.Match),
                _in_force(wanted, schema.Match.id),
                *([schema.Match.game == wanted.game] if wanted.game else []),
                *_slow_matches(session, wanted),
            ],
            repeats=False,
        )
    seat = aliased(MatchSeat)
    by_margin = wanted.order is not Order.LATEST
    return _Source(
        match=_column(seat.match),
        order=(_column(seat.margin if by_margin else seat.finished_at),),
        direction=sa.asc if wanted.order is Order.WORST else sa.desc,
        conditions=[
            *_of_match(wanted, seat),
            *_of_seat(wanted, seat),
            _in_force(wanted, seat.match),
        ],
        repeats=True,
    )


def _in_force(wanted: MatchFilter, match: Any) -> Condition:
    return is_void(match) if wanted.void else counts(match)


def _column(attribute: Any) -> sa.ColumnElement[Any]:
    column: sa.ColumnElement[Any] = attribute
    return column


def _of_match(wanted: MatchFilter, row: type[schema.Match] | Seat) -> list[Condition]:
    """Conditions on columns that a match and its seats have in common."""
    conditions: list[Condition] = []
    if wanted.competition:
        conditions.append(row.competition == wanted.competition)
    if wanted.seats:
        conditions.append(
            row.competition.in_(
                sa.select(Competition.name).where(Competition.seats == wanted.seats)
            )
        )
    if wanted.since is not None:
        conditions.append(row.finished_at >= wanted.since)
    if wanted.until is not None:
        conditions.append(row.finished_at < wanted.until)
    return conditions


def _of_seat(wanted: MatchFilter, seat: Seat) -> list[Condition]:
    """Conditions on a seat of the bot, or of any bot at fault."""
    conditions: list[Condition] = []
    if wanted.game:
        conditions.append(
            seat.competition.in_(sa.select(Competition.name).where(Competition.game == wanted.game))
        )
    if wanted.bot:
        conditions.append(seat.bot == wanted.bot)
    if wanted.number:
        conditions.append(seat.version == _version(wanted.bot, wanted.number))
    if wanted.seat is not None:
        conditions.append(seat.seat == wanted.seat)
    if wanted.faulted or wanted.fault:
        conditions.append(seat.fault_kind.is_not(None))
    if wanted.fault:
        conditions.append(seat.fault_kind == wanted.fault)
    if wanted.slowest_ms:
        conditions.append(seat.slowest_ms >= wanted.slowest_ms)
    return [*conditions, *_of_result(wanted, seat)]


def _of_result(wanted: MatchFilter, seat: Seat) -> list[Condition]:
    conditions = [_has_opponent(wanted, seat)] if wanted.against else []
    match wanted.result:
        case Result.LOST:
            conditions.append(_has_opponent(wanted, seat, operator.lt))
        case Result.WON:
            # Against one bot, everybody else may be above both.
            conditions.append(_has_opponent(wanted, seat))
            conditions.append(~_has_opponent(wanted, seat, operator.le))
    return conditions


def _has_opponent(
    wanted: MatchFilter, seat: Seat, compare: Callable[[Any, Any], Any] | None = None
) -> Condition:
    """A seat on another side, of the opponent if one is named, whose rank compares so with the
    seat's."""
    other = aliased(MatchSeat)
    conditions = [other.match == seat.match, other.team != seat.team]
    if wanted.against:
        conditions.append(other.bot == wanted.against)
    if wanted.against_number:
        conditions.append(other.version == _version(wanted.against, wanted.against_number))
    if compare is not None:
        conditions.append(compare(other.rank, seat.rank))
    return sa.exists().where(*conditions)


def _version(bot: str, number: int) -> sa.ScalarSelect[Any]:
    return (
        sa.select(Version.digest)
        .where(Version.bot == bot, Version.number == number)
        .scalar_subquery()
    )


def _slow_matches(session: Session, wanted: MatchFilter) -> list[Condition]:
    """Conditions on matches in which any seat took so long. A few such matches are looked up; among
    many, the list soon fills its page."""
    if not wanted.slowest_ms:
        return []
    seat = aliased(MatchSeat)
    slow = sa.select(seat.match).where(seat.slowest_ms >= wanted.slowest_ms)
    number = session.scalar(sa.select(sa.func.count()).select_from(slow.limit(FEW).subquery()))
    if (number or 0) < FEW:
        return [schema.Match.id.in_(slow)]
    return [sa.exists().where(seat.match == schema.Match.id, seat.slowest_ms >= wanted.slowest_ms)]


def _beyond(
    session: Session, source: _Source, wanted: MatchFilter, last: schema.Match
) -> Condition:
    """Returns the condition on matches that come after that one in the order."""
    value: Any = last.finished_at
    if wanted.order is not Order.LATEST:
        value = session.scalar(
            sa.select(sa.func.min(MatchSeat.margin)).where(
                MatchSeat.match == last.id, MatchSeat.bot == wanted.bot
            )
        )
    compare = operator.gt if wanted.order is Order.WORST else operator.lt
    beyond: Condition = compare(sa.tuple_(*source.order, source.match), sa.tuple_(value, last.id))
    return beyond
