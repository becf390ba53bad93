"""Finished matches: single ones, and those of jobs."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import sqlalchemy as sa
from pydantic import computed_field
from sqlalchemy.orm import Session, selectinload

from arena.store import schema
from arena.store.match_names import match_with
from arena.store.queries import counts, void_reasons
from arena.store.schema import Competition, MatchSeat, Version
from arena.views.view import Moment, View


class SeatFault(View):
    """A seat's fault: from its decision of that number on, the arena played the seat."""

    kind: str
    decision: int
    sentence: str


class Seat(View):
    """A seat of a finished match.

    `version`: the digest of the bot's version; `number`: its number.
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


class PlayedFor(View):
    """A part of a competition, which is also named under its kind.

    `competition_kind`: ladder, tournament, comparison or table.
    """

    competition: str
    competition_kind: str

    @computed_field  # type: ignore[prop-decorator]
    @property
    def ladder(self) -> str | None:
        return self._if_it_is("ladder")

    @computed_field  # type: ignore[prop-decorator]
    @property
    def tournament(self) -> str | None:
        return self._if_it_is("tournament")

    @computed_field  # type: ignore[prop-decorator]
    @property
    def comparison(self) -> str | None:
        return self._if_it_is("comparison")

    def _if_it_is(self, kind: str) -> str | None:
        return self.competition if self.competition_kind == kind else None


class Match(PlayedFor):
    """A finished match.

    `number`: its place among the matches of the job, from 1. `attempt`: at playing the job.
    `digest`: of its record.
    `void`: why an organiser declared that it counts for nothing; None if it counts.
    """

    match: str
    job: str
    number: int
    attempt: int
    game: str
    rules_version: int
    seats: tuple[Seat, ...]
    reason: str
    rated: bool
    digest: str
    started_at: Moment
    finished_at: Moment
    void: str | None = None


def matches_of_jobs(session: Session, jobs: Collection[str]) -> dict[str, list[Match]]:
    """Returns the matches of jobs, by job and in order."""
    query = (
        sa.select(schema.Match)
        .where(schema.Match.job.in_(jobs))
        .order_by(schema.Match.job, schema.Match.number)
    )
    found = session.scalars(query.options(selectinload(schema.Match.seats))).all()
    rows: dict[str, list[Match]] = {job: [] for job in jobs}
    for row in match_rows(session, found):
        rows[row.job].append(row)
    return rows


def match_counts(session: Session) -> dict[str, int]:
    """Returns the number of finished matches by competition, without those that have none."""
    counted = (
        sa.select(schema.Match.competition, sa.func.count())
        .where(counts(schema.Match.id))
        .group_by(schema.Match.competition)
    )
    return {row.competition: row[1] for row in session.execute(counted)}


def match_named(session: Session, match_id: str) -> Match:
    """Returns the match with that id, or the only one whose id begins with it. Raises
    ArenaError."""
    [row] = match_rows(session, [match_with(session, match_id)])
    return row


def match_rows(session: Session, found: Sequence[schema.Match]) -> tuple[Match, ...]:
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
    void = void_reasons(session, [match.id for match in found])
    return tuple(
        _match_row(match, kinds[match.competition], numbers, void.get(match.id)) for match in found
    )


def _match_row(match: schema.Match, kind: str, numbers: dict[str, int], void: str | None) -> Match:
    return Match(
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
        void=void,
    )


def _seat_row(seat: MatchSeat, number: int) -> Seat:
    fault = seat.fault_kind and SeatFault(
        kind=seat.fault_kind,
        decision=seat.fault_decision or 0,
        sentence=seat.fault_sentence or "",
    )
    return Seat(
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
