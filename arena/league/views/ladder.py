"""The page of a ladder: its table, and what is going on there."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.league.ladder import ladder_standings
from arena.league.views.competitions import match_totals
from arena.store import schema
from arena.store.queries import Placing, field_revision, ladder_named, queued_jobs, rated_jobs
from arena.store.schema import Job, JobState, Ladder, Rating, RatingChange, SeatResults

RECENT = 20
"""How many of a version's last rated jobs its trend is about."""
CONNECTIONS = sa.select(
    sa.func.count().filter(schema.Remote.connected), sa.func.max(schema.Remote.seen_at)
)
"""Changes whenever a remote bot comes or goes, which no revision counts."""


@dataclass(frozen=True)
class LadderRow:
    """A version in the table of a ladder.

    `fit`: mu and sigma by all jobs at once; None if there is none.
    `wins`: the times that one of its seats was first alone. `ties`: that it shared the first rank.
    `mean_rank`, `mean_score`: of its seats; None if it has not played.
    `recent`: its mu after its last rated jobs, at most RECENT, the oldest first.
    """

    place: int
    rating: float
    bot: str
    number: int
    version: str
    owner: str
    mu: float
    sigma: float
    fit: tuple[float, float] | None
    matches: int
    seats_taken: int
    wins: int
    ties: int
    mean_rank: float | None
    mean_score: float | None
    faults: int
    state: str
    recent: tuple[float, ...]

    @property
    def trend(self) -> float:
        """By how much its last rated jobs changed its mu."""
        return self.recent[-1] - self.recent[0] if self.recent else 0.0


@dataclass(frozen=True)
class LadderActivity:
    """What is going on on a ladder.

    `matches`: that have been recorded. `rated_jobs`: the number of the last rated job.
    `queued`: jobs that are waiting or being played. `parked`: jobs given up.
    """

    matches: int
    rated_jobs: int
    queued: int
    parked: int


def ladder_rows(
    session: Session, ladder: str, *, offset: int = 0, limit: int | None = None
) -> list[LadderRow]:
    """Returns the table of a ladder, best first, or a part of it. Raises ArenaError."""
    placings = ladder_standings(session, ladder)
    return rows_of(session, ladder, placings[offset:][:limit])


def rows_of(session: Session, ladder: str, placings: Sequence[Placing]) -> list[LadderRow]:
    """Returns the rows of some versions on a ladder, in the same order."""
    versions = [placing.entry.version for placing in placings]
    results = _results(session, ladder, versions)
    recent = recent_mu(session, ladder, versions)
    return [
        _row(placing, results.get(placing.entry.version), recent[placing.entry.version])
        for placing in placings
    ]


def ladder_activity(session: Session, ladder: str) -> LadderActivity:
    """Returns what is going on on a ladder."""
    # Not the recorded jobs: there may be a million to be counted.
    jobs = sa.select(sa.func.count()).where(Job.competition == ladder)
    return LadderActivity(
        matches=match_totals(session, [ladder]).get(ladder, 0),
        rated_jobs=rated_jobs(session, ladder),
        queued=queued_jobs(session, ladder),
        parked=session.scalars(jobs.where(Job.state == JobState.PARKED)).one(),
    )


def ladder_stamp(session: Session, ladder: str, activity: LadderActivity | None = None) -> str:
    """Returns a text that changes with everything that the page of a ladder shows. Raises
    ArenaError. `activity`: what is going on there, if the caller has asked already."""
    found: Ladder = ladder_named(session, ladder)
    activity = activity or ladder_activity(session, ladder)
    numbers = (
        activity.matches,
        activity.rated_jobs,
        activity.queued,
        activity.parked,
        field_revision(session),
        found.fitted_jobs or 0,
        *session.execute(CONNECTIONS).one(),
    )
    return f"{'.'.join(map(str, numbers))}.{found.state}"


def recent_mu(
    session: Session, ladder: str, versions: Collection[str], jobs: int = RECENT
) -> dict[str, tuple[float, ...]]:
    """Returns the mu of versions after each of their last rated jobs, the oldest first."""
    change = RatingChange.__table__.alias()
    first = (
        sa.select(change.c.sequence)
        .where(change.c.ladder == ladder, change.c.version == Rating.version)
        .order_by(change.c.sequence.desc())
        .limit(1)
        .offset(jobs - 1)
        .scalar_subquery()
    )
    rows = session.execute(
        sa.select(RatingChange.version, RatingChange.mu)
        .select_from(Rating)
        .outerjoin(  # which SQLite begins with the ratings
            RatingChange,
            (RatingChange.ladder == Rating.ladder)
            & (RatingChange.version == Rating.version)
            & (RatingChange.sequence >= sa.func.coalesce(first, 0)),
        )
        .where(Rating.ladder == ladder, Rating.version.in_(versions))
        .order_by(RatingChange.version, RatingChange.sequence)
    )
    found: defaultdict[str, list[float]] = defaultdict(list)
    for version, mu in rows:
        if version is not None:
            found[version].append(mu)
    return {version: tuple(found[version]) for version in versions}


def _results(session: Session, ladder: str, versions: Collection[str]) -> dict[str, sa.Row[Any]]:
    rows = session.execute(
        sa.select(
            SeatResults.version,
            *(
                sa.func.sum(getattr(SeatResults, name)).label(name)
                for name in ("matches", "wins", "ties", "ranks", "scores")
            ),
        )
        .where(SeatResults.competition == ladder, SeatResults.version.in_(versions))
        .group_by(SeatResults.version)
    )
    return {row.version: row for row in rows}


def _row(placing: Placing, results: sa.Row[Any] | None, recent: tuple[float, ...]) -> LadderRow:
    entry = placing.entry
    return LadderRow(
        place=placing.place,
        rating=placing.rating,
        bot=entry.bot,
        number=entry.number,
        version=entry.version,
        owner=entry.owner,
        mu=entry.mu,
        sigma=entry.sigma,
        fit=entry.fit,
        matches=entry.matches,
        seats_taken=results.matches if results else 0,
        wins=results.wins if results else 0,
        ties=results.ties if results else 0,
        mean_rank=results.ranks / results.matches if results else None,
        mean_score=results.scores / results.matches if results else None,
        faults=entry.faults,
        state=str(entry.state),
        recent=recent,
    )
