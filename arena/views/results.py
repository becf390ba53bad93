"""The results of versions: against each opponent, at each seat, at each size of table."""

from __future__ import annotations

from collections.abc import Collection
from math import sqrt
from typing import Any

import sqlalchemy as sa
from pydantic import computed_field
from sqlalchemy.orm import Session, aliased

from arena.store.schema import Competition, MeetingResults, SeatResults, Version
from arena.views.view import View

WIN, TIE = 1.0, 0.5


class Meetings(View):
    """The results of one version, or of several, against another; see
    `arena.store.schema.MeetingResults`."""

    jobs: int
    matches: int
    wins: int
    ties: int
    squares: int
    firsts: int
    faults: int

    @computed_field  # type: ignore[prop-decorator]
    @property
    def losses(self) -> int:
        """The matches that it lost."""
        return self.matches - self.wins - self.ties

    @computed_field  # type: ignore[prop-decorator]
    @property
    def points(self) -> float:
        """A win counts 1, a tie ½."""
        return WIN * self.wins + TIE * self.ties

    @property
    def share(self) -> float:
        """The points per match, from 0 to 1."""
        return self.points / self.matches

    @property
    def evidence(self) -> float:
        """The strength of the evidence that one of the two is ahead: wins minus losses, divided by
        the root of their sum of squares over jobs, as if there had been one job more. A value
        beyond ±2 is hardly due to chance; if it is negative, the opponent is ahead."""
        if not self.squares:
            return 0.0
        return (self.wins - self.losses) / sqrt(self.squares * (1 + 1 / self.jobs))


class OpponentResults(View):
    """The results against a version of another bot. `number`: the opponent's version."""

    bot: str
    number: int
    version: str
    meetings: Meetings


class Pair(View):
    """The results of one version against another, by their digests."""

    version: str
    opponent: str
    results: Meetings


class Crosstable(View):
    """The results of versions against each other; pairs that have not met are missing."""

    pairs: tuple[Pair, ...]


class PlaceResults(View):
    """The results at a seat, or at all tables of a size.

    `place`: the seat, from 0; or the number of seats.
    `matches`: once for each seat that was taken in a match.
    `wins`: first alone. `ties`: shared the first rank.
    """

    place: int
    matches: int
    wins: int
    ties: int
    mean_rank: float
    mean_score: float
    faults: int


MEETING_NUMBERS = ("jobs", "matches", "wins", "ties", "squares", "firsts", "faults")
SUMS = tuple(
    sa.func.sum(getattr(MeetingResults, number)).label(number) for number in MEETING_NUMBERS
)


def crosstable(
    session: Session, competition: str, versions: Collection[str]
) -> dict[tuple[str, str], Meetings]:
    """Returns the results of each of these versions against each of the others in a competition,
    by their digests; pairs that have not met are missing."""
    rows = session.execute(
        sa.select(MeetingResults.version, MeetingResults.opponent, *_numbers()).where(
            MeetingResults.competition == competition,
            MeetingResults.version.in_(versions),
            MeetingResults.opponent.in_(versions),
        )
    )
    return {(row.version, row.opponent): Meetings.model_validate(row) for row in rows}


def results_by_opponent(
    session: Session, versions: Collection[str], competition: str = "", limit: int = 1000
) -> list[OpponentResults]:
    """Returns the results of versions of a bot against everybody in a competition, or in all of
    them; the most frequent opponent comes first."""
    opponent = aliased(Version)
    matches = sa.func.sum(MeetingResults.matches)
    rows = session.execute(
        sa.select(opponent.bot, opponent.number, opponent.digest, *SUMS)
        .join(opponent, opponent.digest == MeetingResults.opponent)
        .where(
            MeetingResults.competition.in_(competitions_named(competition)),
            MeetingResults.version.in_(versions),
        )
        .group_by(opponent.digest)
        .order_by(matches.desc(), opponent.bot, opponent.number.desc())
        .limit(limit)
    )
    return [
        OpponentResults(
            bot=row.bot,
            number=row.number,
            version=row.digest,
            meetings=Meetings.model_validate(row),
        )
        for row in rows
    ]


def results_by_seat(
    session: Session, versions: Collection[str], competition: str = ""
) -> list[PlaceResults]:
    """Returns the results of versions at each seat, in a competition or in all of them."""
    return _by_place(session, SeatResults.seat, versions, competition)


def results_by_size(
    session: Session, versions: Collection[str], competition: str = ""
) -> list[PlaceResults]:
    """Returns the results of versions at the tables of each size."""
    return _by_place(session, Competition.seats, versions, competition)


def _by_place(
    session: Session, place: Any, versions: Collection[str], competition: str
) -> list[PlaceResults]:
    matches = sa.func.sum(SeatResults.matches)
    rows = session.execute(
        sa.select(
            place.label("place"),
            matches.label("matches"),
            sa.func.sum(SeatResults.wins).label("wins"),
            sa.func.sum(SeatResults.ties).label("ties"),
            (sa.func.sum(SeatResults.ranks) * 1.0 / matches).label("mean_rank"),
            (sa.func.sum(SeatResults.scores) * 1.0 / matches).label("mean_score"),
            sa.func.sum(SeatResults.faults).label("faults"),
        )
        .join(Competition, Competition.name == SeatResults.competition)
        .where(
            SeatResults.competition.in_(competitions_named(competition)),
            SeatResults.version.in_(versions),
        )
        .group_by(place)
        .order_by(place)
    )
    return [PlaceResults.model_validate(row) for row in rows]


def competitions_named(name: str) -> Any:
    """Returns what an index of competitions can look up: the one, or all of them."""
    return [name] if name else sa.select(Competition.__table__.c.name)


def _numbers() -> list[Any]:
    return [getattr(MeetingResults, number) for number in MEETING_NUMBERS]
