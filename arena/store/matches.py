"""Finished matches: lists, single ones, records, private logs."""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session, aliased, selectinload

from arena.nearest import did_you_mean
from arena.store.compression import unpacked
from arena.store.queries import NotFound
from arena.store.tables import Competition, Match, MatchSeat, PrivateLog, Record, Version

JOB_DIGITS = 10
ALIKE, COMPARED = 3, 500  # first characters of ids, and ids that are compared with a mistyped one
LONGEST_ID = 200  # of a match; SQLite takes no pattern of 50,000 characters


@dataclass(frozen=True)
class SeatFault:
    """A seat's fault: from its decision of that number on, the arena played the seat."""

    kind: str
    decision: int
    sentence: str


@dataclass(frozen=True)
class SeatRow:
    """A seat of a finished match. `number`: the number of the bot's version."""

    seat: int
    bot: str
    version: str
    number: int
    team: int
    score: int
    rank: int
    faults: tuple[SeatFault, ...]


@dataclass(frozen=True)
class MatchRow:
    """A finished match."""

    match: str
    job: str
    number: int
    attempt: int
    competition: str
    competition_kind: str
    game: str
    rules_version: int
    seats: tuple[SeatRow, ...]
    reason: str
    rated: bool
    digest: str
    started_at: datetime
    finished_at: datetime


class Result(StrEnum):
    """A bot's result in a match. A tie is neither."""

    WON = "won"
    LOST = "lost"


@dataclass(frozen=True)
class MatchFilter:
    """The matches wanted; what is empty or None does not matter.

    `competition`: the name of a ladder, say.
    `against`: a bot that sat on another side than `bot`.
    `result`: of `bot`, compared with `against` if that is given, else with everybody.
    `faulted`: only those in which `bot`, or any bot, was at fault.
    """

    competition: str = ""
    bot: str = ""
    against: str = ""
    result: Result | None = None
    faulted: bool = False


@dataclass(frozen=True)
class MatchPage:
    """Some matches, latest first. `next`: the value of `after` for the next page; None at
    the end."""

    matches: tuple[MatchRow, ...]
    next: str | None


def find_matches(
    session: Session,
    wanted: MatchFilter = MatchFilter(),
    *,
    after: str | None = None,
    limit: int = 50,
) -> MatchPage:
    """Returns finished matches, latest first.

    `after`: the `next` of the previous page. Raises NotFound.
    """
    query = (
        sa.select(Match)
        .where(*_conditions(wanted))
        .order_by(Match.finished_at.desc(), Match.id.desc())
        .options(selectinload(Match.seats))
        .limit(limit + 1)
    )
    if after is not None:
        last = _match(session, after)
        query = query.where(
            sa.tuple_(Match.finished_at, Match.id) < sa.tuple_(last.finished_at, last.id)
        )
    found = session.scalars(query).all()
    page = found[:limit]
    return MatchPage(_match_rows(session, page), page[-1].id if len(found) > limit else None)


def _conditions(wanted: MatchFilter) -> list[sa.ColumnElement[bool]]:
    conditions = []
    if wanted.competition:
        conditions.append(Match.competition == wanted.competition)
    if wanted.bot or wanted.faulted:
        conditions.append(_has_seat(wanted))
    return conditions


def _has_seat(wanted: MatchFilter) -> sa.ColumnElement[bool]:
    """A seat of the bot with all that is wanted of it."""
    seat = aliased(MatchSeat)
    conditions: list[sa.ColumnElement[bool]] = []
    if wanted.bot:
        conditions.append(seat.bot == wanted.bot)
    if wanted.faulted:
        conditions.append(seat.fault_kind.is_not(None))
    if wanted.against:
        conditions.append(_has_opponent(seat, wanted.against))
    match wanted.result:
        case Result.LOST:
            conditions.append(_has_opponent(seat, wanted.against, operator.lt))
        case Result.WON:
            # Against one bot, everybody else may be above both.
            conditions.append(_has_opponent(seat, wanted.against))
            conditions.append(~_has_opponent(seat, wanted.against, operator.le))
    # A list of the bot's matches, which its index gives, rather than a look into every match.
    return Match.id.in_(sa.select(seat.match).where(*conditions))


def _has_opponent(
    seat: type[MatchSeat], bot: str, compare: Callable[[Any, Any], Any] | None = None
) -> sa.ColumnElement[bool]:
    """A seat on another side, of that bot if one is named, whose rank compares so with the
    seat's."""
    other = aliased(MatchSeat)
    conditions = [other.match == seat.match, other.team != seat.team]
    if bot:
        conditions.append(other.bot == bot)
    if compare is not None:
        conditions.append(compare(other.rank, seat.rank))
    return sa.exists().where(*conditions)


def matches_of_jobs(session: Session, jobs: Collection[str]) -> dict[str, list[MatchRow]]:
    """Returns the matches of jobs, by job and in order."""
    query = sa.select(Match).where(Match.job.in_(jobs)).order_by(Match.job, Match.number)
    found = session.scalars(query.options(selectinload(Match.seats))).all()
    rows: dict[str, list[MatchRow]] = {job: [] for job in jobs}
    for row in _match_rows(session, found):
        rows[row.job].append(row)
    return rows


def match_counts(session: Session) -> dict[str, int]:
    """Returns the number of finished matches by competition, without those that have none."""
    counted = sa.select(Match.competition, sa.func.count()).group_by(Match.competition)
    return {row.competition: row[1] for row in session.execute(counted)}


def match_named(session: Session, match_id: str) -> MatchRow:
    """Returns the match with that id, or the only one whose id begins with it. Raises NotFound."""
    [row] = _match_rows(session, [_match(session, match_id)])
    return row


def record_text(session: Session, match_id: str) -> str:
    """Returns a match's record. Raises NotFound, also if it has been pruned, and DamagedText."""
    match = _match(session, match_id)
    record = session.get(Record, match.id)
    if record is None:
        raise NotFound(f"The record of match {match.id} has been pruned; its digest is kept.")
    return unpacked(record.body)


def private_log_text(session: Session, match_id: str) -> str:
    """Returns the private log of a match. Raises NotFound, also if it has been pruned, and
    DamagedText."""
    match = _match(session, match_id)
    log = session.get(PrivateLog, match.id)
    if log is None:
        raise NotFound(f"The private log of match {match.id} has been pruned.")
    return unpacked(log.body)


def short_name(match_id: str) -> str:
    """Returns a prefix of a match's id that identifies it in any arena but a gigantic one."""
    job, dash, number = match_id.rpartition("-")
    return f"{job[:JOB_DIGITS]}{dash}{number}"


def _match(session: Session, match_id: str) -> Match:
    if len(match_id) > LONGEST_ID:
        raise NotFound(f"No match begins with {match_id[:LONGEST_ID]!r}…; it is too long.")
    job, dash, number = match_id.rpartition("-")
    begins = Match.id.startswith(match_id, autoescape=True)
    if job and number.isdecimal():  # as `short_name` gives it
        begins |= Match.id.startswith(job, autoescape=True) & Match.id.endswith(f"{dash}{number}")
    found = session.scalars(sa.select(Match).where(begins).limit(2)).all()
    exact = [match for match in found if match.id == match_id]
    if exact:
        return exact[0]
    if not match_id or len(found) != 1:
        which = "More than one match begins" if found else "No match begins"
        question = did_you_mean(match_id, [] if found else _similar_names(session, match_id))
        raise NotFound(f"{which} with {match_id!r}. {question or '`arena matches` lists them.'}")
    return found[0]


def _similar_names(session: Session, match_id: str) -> list[str]:
    """Returns the names of some matches that begin alike."""
    first, last = match_id[:ALIKE], match_id[:ALIKE] + "\U0010ffff"
    ids = sa.select(Match.id).where(Match.id.between(first, last)).limit(COMPARED)
    return [short_name(found) for found in session.scalars(ids)]


def _match_rows(session: Session, found: Sequence[Match]) -> tuple[MatchRow, ...]:
    digests = {seat.version for match in found for seat in match.seats}
    numbers = dict(
        session.execute(
            sa.select(Version.digest, Version.number).where(Version.digest.in_(digests))
        ).all()
    )
    names = {match.competition for match in found}
    kinds = dict(
        session.execute(
            sa.select(Competition.name, Competition.kind).where(Competition.name.in_(names))
        ).all()
    )
    return tuple(_match_row(match, kinds[match.competition], numbers) for match in found)


def _match_row(match: Match, kind: str, numbers: dict[str, int]) -> MatchRow:
    return MatchRow(
        match=match.id,
        job=match.job,
        number=match.number,
        attempt=match.attempt,
        competition=match.competition,
        competition_kind=kind,
        game=match.game,
        rules_version=match.rules_version,
        seats=tuple(_seat_row(seat, numbers[seat.version]) for seat in match.seats),
        reason=match.reason,
        rated=match.rated,
        digest=match.digest,
        started_at=match.started_at,
        finished_at=match.finished_at,
    )


def _seat_row(seat: MatchSeat, number: int) -> SeatRow:
    fault = seat.fault_kind and SeatFault(
        seat.fault_kind, seat.fault_decision or 0, seat.fault_sentence or ""
    )
    return SeatRow(
        seat=seat.seat,
        bot=seat.bot,
        version=seat.version,
        number=number,
        team=seat.team,
        score=seat.score,
        rank=seat.rank,
        faults=(fault,) if fault else (),
    )
