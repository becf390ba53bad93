"""Finished matches: single ones, and those of jobs."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.orm import Session, selectinload

from arena.errors import ArenaError, Kind
from arena.nearest import did_you_mean
from arena.store.schema import Competition, Match, MatchSeat, Version

JOB_DIGITS = 10
ALIKE, COMPARED = 3, 500  # first characters of ids, and ids that are compared with a mistyped one
LAST = "\U0010ffff"  # the last character: an index finds texts that begin alike by a range up to it
LONGEST_ID = 200  # of a match; SQLite takes no pattern of 50,000 characters


@dataclass(frozen=True)
class SeatFault:
    """A seat's fault: from its decision of that number on, the arena played the seat."""

    kind: str
    decision: int
    sentence: str


@dataclass(frozen=True)
class SeatRow:
    """A seat of a finished match.

    `number`: the number of the bot's version.
    `margin`: the points between it and the best seat of another team; negative if it is behind.
    `decisions`, `total_ms`, `slowest_ms`: of its bot's own decisions; None if they are not known.
    """

    seat: int
    bot: str
    version: str
    number: int
    team: int
    score: int
    rank: int
    faults: tuple[SeatFault, ...]
    margin: int = 0
    decisions: int | None = None
    total_ms: int | None = None
    slowest_ms: int | None = None


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


def matches_of_jobs(session: Session, jobs: Collection[str]) -> dict[str, list[MatchRow]]:
    """Returns the matches of jobs, by job and in order."""
    query = sa.select(Match).where(Match.job.in_(jobs)).order_by(Match.job, Match.number)
    found = session.scalars(query.options(selectinload(Match.seats))).all()
    rows: dict[str, list[MatchRow]] = {job: [] for job in jobs}
    for row in match_rows(session, found):
        rows[row.job].append(row)
    return rows


def match_counts(session: Session) -> dict[str, int]:
    """Returns the number of finished matches by competition, without those that have none."""
    counted = sa.select(Match.competition, sa.func.count()).group_by(Match.competition)
    return {row.competition: row[1] for row in session.execute(counted)}


def match_named(session: Session, match_id: str) -> MatchRow:
    """Returns the match with that id, or the only one whose id begins with it. Raises
    ArenaError."""
    [row] = match_rows(session, [find_named(session, match_id)])
    return row


def short_name(match_id: str) -> str:
    """Returns a prefix of a match's id that identifies it in any arena but a gigantic one."""
    job, dash, number = match_id.rpartition("-")
    return f"{job[:JOB_DIGITS]}{dash}{number}"


def find_named(session: Session, match_id: str) -> Match:
    """Returns the match with that id, or the only one whose id begins with it. Raises
    ArenaError."""
    if len(match_id) > LONGEST_ID:
        raise ArenaError(
            Kind.NOT_FOUND,
            f"No match begins with {match_id[:LONGEST_ID]!r}…; it is too long.",
            "match",
        )
    exact = session.get(Match, match_id)
    if exact is not None:
        return exact
    job, dash, number = match_id.rpartition("-")
    begins: sa.ColumnElement[bool] = Match.id.between(match_id, match_id + LAST)
    if job and number.isdecimal():  # as `short_name` gives it
        begins |= Match.id.between(job, job + LAST) & Match.id.endswith(f"{dash}{number}")
    found = session.scalars(sa.select(Match).where(begins).limit(2)).all()
    if not match_id or len(found) != 1:
        which = "More than one match begins" if found else "No match begins"
        question = did_you_mean(match_id, [] if found else _similar_names(session, match_id))
        raise ArenaError(
            Kind.NOT_FOUND,
            f"{which} with {match_id!r}. {question or '`arena matches` lists them.'}",
            "match",
        )
    return found[0]


def _similar_names(session: Session, match_id: str) -> list[str]:
    """Returns the names of some matches that begin alike."""
    first, last = match_id[:ALIKE], match_id[:ALIKE] + LAST
    ids = sa.select(Match.id).where(Match.id.between(first, last)).limit(COMPARED)
    return [short_name(found) for found in session.scalars(ids)]


def match_rows(session: Session, found: Sequence[Match]) -> tuple[MatchRow, ...]:
    """Returns matches with all that belongs to them, in the same order."""
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
        margin=seat.margin,
        decisions=sum(seat.decision_counts),
        total_ms=seat.total_ms,
        slowest_ms=seat.slowest_ms,
    )
