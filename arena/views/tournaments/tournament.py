"""A tournament, with everything that everybody may know of it: its public document."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import Field, FiniteFloat

from arena.store.schema import CompetitionState, Format, Partners
from arena.tournament import (
    MOST_AT_A_TABLE,
    MOST_ENTRANTS,
    MOST_GROUPS,
    MOST_ROUNDS,
    Cost,
    Entrant,
    Meeting,
    Pairing,
    TournamentCourse,
    TournamentTerms,
    standings,
)
from arena.views.view import View

FORMAT: Final = 1
MOST_TABLES = MOST_ENTRANTS // 2
MOST_MATCHES = 24  # in a group

Digest = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
Name = Annotated[str, Field(max_length=200)]
Count = Annotated[int, Field(ge=0, le=1_000_000)]
Milliseconds = Annotated[int, Field(ge=0)]
Number = Annotated[int, Field(ge=1, le=MOST_ENTRANTS)]
"""The number of an entrant, from 1, in the order of the seeds."""
RoundNumber = Annotated[int, Field(ge=1, le=MOST_ROUNDS)]
AT_A_TABLE = Field(max_length=MOST_AT_A_TABLE)


class EnteredVersion(View):
    """An entrant.

    `version`, `version_number`: the digest of the bot's version, and its number.
    `owner`: bots of one owner never meet; None for the organiser's.
    `entered_round`: the first round that it can play.
    `withdrawn_round`: the first round that it does not play; None if it plays on.
    `reason`: of its withdrawal, a sentence; empty as long as it plays.
    """

    number: Number
    bot: Name
    version: Digest
    version_number: Count
    owner: Name | None
    entered_round: RoundNumber
    withdrawn_round: RoundNumber | None
    reason: str

    def entrant(self) -> Entrant:
        """Returns what pairings know of it."""
        return Entrant(self.number, self.bot, self.owner, self.entered_round, self.withdrawn_round)


class GroupMatch(View):
    """A match of a group, and the digest of its record."""

    match: Name
    digest: Digest


class PlayedGroup(View):
    """A group of matches at a table that counts.

    `group`: its number at the table, from 1.
    `points`: rank points from 0 to 1, on average over seats and matches, in the order of the
      table's entrants.
    """

    group: Count
    job: Name
    points: Annotated[tuple[FiniteFloat, ...], AT_A_TABLE]
    matches: Annotated[tuple[GroupMatch, ...], Field(max_length=MOST_MATCHES)]


class PlayedTable(View):
    """A table of a round, with its number, its entrants by number, and the groups that count."""

    table: Count
    entrants: Annotated[tuple[Number, ...], AT_A_TABLE]
    groups: Annotated[tuple[PlayedGroup, ...], Field(max_length=MOST_GROUPS)]

    @property
    def totals(self) -> list[float]:
        """The points of each entrant, over all groups."""
        groups = [group.points for group in self.groups]
        return [round(sum(points), 3) for points in zip(*groups, strict=True)]


class PlayedRound(View):
    """A round that has been paired.

    `method`: how its pairing was found, in words.
    `costs`: of this pairing, the most important first; empty where the format itself determines
      who meets.
    `byes`: the entrants without a table, by number.
    """

    round: RoundNumber
    method: Name
    costs: tuple[Cost, ...]
    byes: Annotated[tuple[Number, ...], Field(max_length=MOST_ENTRANTS)]
    tables: Annotated[tuple[PlayedTable, ...], Field(max_length=MOST_TABLES)]

    @property
    def reason(self) -> str:
        """The reason for its pairing, in a sentence."""
        if not self.costs:
            return f"paired by: {self.method}"
        why = " ".join(cost.sentence for cost in self.costs if cost.value)
        return f"This pairing costs least ({self.method}): {why or 'nothing at all.'}"

    def pairing(self) -> Pairing:
        """Returns the pairing."""
        return Pairing(
            round=self.round,
            meetings=tuple(
                Meeting(self.round, table.table, table.entrants) for table in self.tables
            ),
            byes=self.byes,
            costs=self.costs,
            method=self.method,
        )


class PlacedEntrant(View):
    """A place in the standings; equal ones share it.

    `number`: of the entrant.
    `tie_breaks`: the values of the tournament's tie-breaks, in their order, as far as they were
      needed.
    """

    place: Count
    number: Number
    bot: Name
    points: float
    tie_breaks: tuple[float, ...]


class Tournament(View):
    """A tournament. Read from a public file, it has exactly these fields, of exactly these types.

    `format`: the version of this form. `tournament`: its name.
    `problem`: why the arena stopped it, a sentence; empty if it did not.
    `deals`: whether a group plays each deal once or in every seating.
    `common_deals`: all tables of a round play the same deals.
    `bank_ms`, `increment_ms`: the time of a seat in a match, in milliseconds.
    `plays`: the format that is played; `auto` until the field is known.
    `commitment`: the SHA-256 of the secret from which deals and lots follow.
    `secret`: 64 hexadecimal digits; empty until it has ended.
    `places`: the probabilities of the places, by entrant and place; None if there are none.
    """

    format: Literal[1]
    tournament: Name
    state: CompetitionState
    problem: str
    game: Name
    rules_version: Count
    options: Annotated[dict[Name, Name], Field(max_length=100)]
    seats: Count
    deals: Format
    partners: Partners
    common_deals: bool
    bank_ms: Milliseconds
    increment_ms: Milliseconds
    terms: TournamentTerms
    plays: Name
    commitment: Digest
    secret: Digest | Literal[""]
    entrants: Annotated[tuple[EnteredVersion, ...], Field(max_length=MOST_ENTRANTS)]
    rounds: Annotated[tuple[PlayedRound, ...], Field(max_length=MOST_ROUNDS)]
    standings: Annotated[tuple[PlacedEntrant, ...], Field(max_length=MOST_ENTRANTS)]
    places: dict[int, dict[int, float]] | None

    @property
    def is_elimination(self) -> bool:
        """True if losers leave."""
        return self.plays.endswith("elimination")

    @property
    def bots(self) -> dict[int, str]:
        """The names of the bots, by the numbers of their entrants."""
        return {one.number: one.bot for one in self.entrants}

    def course(self) -> TournamentCourse:
        """Returns the course that it states."""
        return TournamentCourse(
            terms=self.terms,
            entrants=[one.entrant() for one in self.entrants],
            rounds=[one.pairing() for one in self.rounds],
            scores={
                (one.round, table.table): tuple(group.points for group in table.groups)
                for one in self.rounds
                for table in one.tables
            },
        )


class CheckedTournament(View):
    """A tournament that has been recomputed from its public file, with a sentence for everything
    that does not follow from its records and the rules."""

    tournament: str
    problems: tuple[str, ...]


def placed(course: TournamentCourse, secret: str) -> tuple[PlacedEntrant, ...]:
    """Returns the standings. `secret`: empty as long as it is not revealed."""
    return tuple(
        PlacedEntrant(
            place=one.place,
            number=one.number,
            bot=course.entrant[one.number].name,
            points=one.points,
            tie_breaks=one.tie_breaks,
        )
        for one in standings(course, secret)
    )
