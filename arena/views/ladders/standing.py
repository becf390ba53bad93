"""The table of a ladder."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection
from enum import StrEnum
from typing import Any, NamedTuple

import sqlalchemy as sa
from pydantic import computed_field
from sqlalchemy.orm import Session

from arena.store.queries import entry_state, ladder_named, stays_on_ladder
from arena.store.schema import Bot, Entry, Rating, RatingChange, Remote, SeatResults, Version
from arena.views.view import View

SIGMAS = 3
"""The rating is mu minus so many sigma; see `arena.ratings.Skill`."""


class Estimate(View):
    """An estimate of a version's skill: its mean and its standard deviation."""

    mu: float
    sigma: float


class RatedEstimate(Estimate):
    """The same with its rating."""

    @computed_field  # type: ignore[prop-decorator]
    @property
    def rating(self) -> float:
        """The skill that the version almost certainly has."""
        return self.mu - SIGMAS * self.sigma


RECENT = 20
"""The number of a version's last rated jobs that its trend is about."""


class Standing(RatedEstimate):
    """A version's place on a ladder, and what it achieved there.

    `place`: among those that take part, from 1; equal ratings share one. None: the version has been
      withdrawn or retired.
    `number`: the version's number; `version`: its digest.
    `versions_of_bot`: the number of its bot's versions on the ladder.
    `fit`: by all jobs up to the ladder's `fitted_jobs` at once; None if it had none by then.
    `matches`: that count; `faults`: those of them in which it was at fault.
    `state`: active, suspended, withdrawn, retired, or offline: a remote bot that is not connected.
    `wins`: the times that one of its seats was first alone. `ties`: that it shared the first rank.
    `mean_rank`, `mean_score`: of its seats; None if it has not played.
    `recent`: its mu after its last rated jobs, at most RECENT, the oldest first.
    """

    place: int | None
    bot: str
    number: int
    version: str
    versions_of_bot: int
    owner: str
    fit: RatedEstimate | None
    matches: int
    faults: int
    state: str
    seats_taken: int
    wins: int
    ties: int
    mean_rank: float | None
    mean_score: float | None
    recent: tuple[float, ...]

    @computed_field  # type: ignore[prop-decorator]
    @property
    def trend(self) -> float:
        """By how much its last rated jobs changed its mu."""
        return self.recent[-1] - self.recent[0] if self.recent else 0.0


class Column(StrEnum):
    """A column by which the table is sorted."""

    RATING = "rating"
    BOT = "bot"
    OWNER = "owner"
    MATCHES = "matches"
    WON = "won"
    FAULTS = "faults"


class FoundStandings(NamedTuple):
    """A part of a table. `total`: the rows of the whole."""

    total: int
    rows: tuple[Standing, ...]


def standings(
    session: Session, ladder: str, *, offset: int = 0, limit: int | None = None
) -> tuple[Standing, ...]:
    """Returns the table of a ladder, or a part of it: best first, and at the end those that have
    left. Raises ArenaError."""
    return find_standings(session, ladder, offset=offset, limit=limit).rows


def find_standings(
    session: Session,
    ladder: str,
    *,
    find: str = "",
    by: Column = Column.RATING,
    offset: int = 0,
    limit: int | None = None,
) -> FoundStandings:
    """Returns a part of the table of a ladder, with the places of the whole. Raises ArenaError.

    `find`: a part of the names of the bots or of their owners; empty: all.
    `by`: the column that is sorted, the most first, but names by the alphabet.
    """
    ladder_named(session, ladder)
    rated = [(row.mu - SIGMAS * row.sigma, row) for row in session.execute(_entries(ladder))]
    rated.sort(key=lambda one: (not one[1].stays, -one[0], one[1].bot, one[1].number))
    places: dict[float, int] = {}
    for place, (rating, row) in enumerate(rated, 1):
        if row.stays:
            places.setdefault(rating, place)
    versions = Counter(row.bot for _, row in rated)
    wanted = find.casefold()
    found = [one for one in rated if wanted in f"{one[1].bot}\n{one[1].owner}".casefold()]
    if by is not Column.RATING:
        played = _results(session, ladder, [row.digest for _, row in found])
        found.sort(key=lambda one: _key(by, one[1], played.get(one[1].digest)))
    part = found[offset:][:limit]
    digests = [row.digest for _, row in part]
    results, recent = _results(session, ladder, digests), recent_mu(session, ladder, digests)
    rows = tuple(
        _standing(
            row,
            results.get(row.digest),
            place=places[rating] if row.stays else None,
            versions_of_bot=versions[row.bot],
            recent=recent[row.digest],
        )
        for rating, row in part
    )
    return FoundStandings(len(found), rows)


def _key(by: Column, row: sa.Row[Any], results: sa.Row[Any] | None) -> Any:
    match by:
        case Column.BOT | Column.OWNER:
            return str(getattr(row, by)).casefold()
        case Column.WON:
            return -(results.wins + results.ties / 2) / results.matches if results else 0
        case _:
            return -getattr(row, by)


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


def _entries(ladder: str) -> sa.Select[*tuple[Any, ...]]:
    return (
        sa.select(
            Version.bot,
            Version.number,
            Version.digest,
            Version.state.label("version_state"),
            Bot.owner,
            Rating.mu,
            Rating.sigma,
            Rating.matches,
            Rating.faults,
            Rating.fit_mu,
            Rating.fit_sigma,
            Entry.state,
            stays_on_ladder(Entry, Version).label("stays"),
            Remote.connected,
        )
        .select_from(Entry)
        .join(Version, Version.digest == Entry.version)
        .join(Bot, Bot.name == Version.bot)
        .outerjoin(Remote, Remote.bot == Bot.name)
        .join(Rating, (Rating.ladder == Entry.ladder) & (Rating.version == Entry.version))
        .where(Entry.ladder == ladder)
    )


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


def _standing(row: sa.Row[Any], results: sa.Row[Any] | None, **found: Any) -> Standing:
    """`found`: what else is known of the version."""
    fitted = row.fit_mu is not None and row.fit_sigma is not None
    return Standing(
        **found,
        bot=row.bot,
        number=row.number,
        version=row.digest,
        owner=row.owner,
        mu=row.mu,
        sigma=row.sigma,
        fit=RatedEstimate(mu=row.fit_mu, sigma=row.fit_sigma) if fitted else None,
        matches=row.matches,
        faults=row.faults,
        state=str(entry_state(row.state, row.version_state, connected=row.connected)),
        seats_taken=results.matches if results else 0,
        wins=results.wins if results else 0,
        ties=results.ties if results else 0,
        mean_rank=results.ranks / results.matches if results else None,
        mean_score=results.scores / results.matches if results else None,
    )
