"""A tournament, with everything that everybody may know of it: its public document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from functools import cached_property
from typing import Annotated, Final, Literal

from pydantic import Field, FiniteFloat

from arena.store.schema import CompetitionState, TournamentEventKind
from arena.tournament import (
    MOST_AT_A_TABLE,
    MOST_ENTRANTS,
    MOST_GROUPS,
    MOST_ROUNDS,
    Cost,
    Entrant,
    Knockout,
    Meeting,
    MeetingResult,
    Pairing,
    Standing,
    TournamentCourse,
    knockout_of,
    pool_tables,
    standings,
)
from arena.views.tournaments.event import (
    AgreedTerms,
    Count,
    Digest,
    Name,
    Number,
    PlannedEntrant,
    RoundNumber,
    TournamentEvent,
    TournamentPlan,
)
from arena.views.view import View

FORMAT: Final = 1
MOST_TABLES = MOST_ENTRANTS // 2
MOST_MATCHES = 24  # in a group
MOST_EVENTS = 100_000

AT_A_TABLE = Field(max_length=MOST_AT_A_TABLE)


class EnteredVersion(PlannedEntrant):
    """An entrant.

    `entered_round`: the first round that it can play.
    `withdrawn_round`: the first round that it does not play; None if it plays on.
    `reason`: of its withdrawal, a sentence; empty as long as it plays.
    """

    entered_round: RoundNumber
    withdrawn_round: RoundNumber | None
    reason: str

    @property
    def is_absent(self) -> bool:
        """True if its owner would have to check it in. The organiser's own need no check-in."""
        return self.owner is not None and not self.checked_in and self.withdrawn_round is None

    def entrant(self) -> Entrant:
        """Returns what pairings know of it."""
        return Entrant(self.number, self.bot, self.owner, self.entered_round, self.withdrawn_round)


class EnteredVersions(View):
    """Entrants of a tournament."""

    entrants: tuple[EnteredVersion, ...]


class GroupMatch(View):
    """A match of a group, and the digest of its record."""

    match: Name
    digest: Digest


class PlayedGroup(View):
    """A group of matches at a table that counts.

    `group`: its number at the table, from 1.
    `points`: rank points from 0 to 1, on average over seats and matches, in the order of the
      table's entrants.
    `faults`: the seats in which each was at fault, in all matches together.
    """

    group: Count
    job: Name
    points: Annotated[tuple[FiniteFloat, ...], AT_A_TABLE]
    faults: Annotated[tuple[Count, ...], AT_A_TABLE]
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
    """A place in the standings, or in those of a pool; equal ones share it.

    `number`: of the entrant.
    `faults`: the seats in which it was at fault, in all its matches.
    `tie_breaks`: the values of the tournament's tie-breaks, in their order, as far as they were
      needed.
    """

    place: Count
    number: Number
    bot: Name
    points: float
    tie_breaks: tuple[float, ...]
    faults: Count


class Tournament(AgreedTerms):
    """A tournament. Read from a public file, it has exactly these fields, of exactly these types.

    `format`: the version of this form.
    `problem`: why the arena stopped it, a sentence; empty if it did not.
    `plays`: the format that is played; `auto` until the field is known.
    `secret`: 64 hexadecimal digits; empty until it has ended.
    `plan_digest`: of its plan; empty until it has started.
    `chain`: the last digest of the chain of `events`, which begins with the plan's.
    `pools`: the standings of each pool; instead of lots, the sum of rank points breaks ties there.
      Empty without pools.
    `places`: the chances of the places if all tables were played again, by entrant and place; None
      if there are none.
    """

    format: Literal[1]
    state: CompetitionState
    problem: str
    plays: Name
    secret: Digest | Literal[""]
    plan_digest: Digest | Literal[""]
    events: Annotated[tuple[TournamentEvent, ...], Field(max_length=MOST_EVENTS)]
    chain: Digest | Literal[""]
    entrants: Annotated[tuple[EnteredVersion, ...], Field(max_length=MOST_ENTRANTS)]
    rounds: Annotated[tuple[PlayedRound, ...], Field(max_length=MOST_ROUNDS)]
    standings: Annotated[tuple[PlacedEntrant, ...], Field(max_length=MOST_ENTRANTS)]
    pools: Annotated[
        tuple[Annotated[tuple[PlacedEntrant, ...], Field(max_length=MOST_ENTRANTS)], ...],
        Field(max_length=MOST_ENTRANTS),
    ]
    places: dict[int, dict[int, float]] | None

    @property
    def is_elimination(self) -> bool:
        """True if losers leave."""
        return self.plays.endswith("elimination")

    @cached_property
    def brackets(self) -> dict[tuple[int, int], str]:
        """The pool or the part of an elimination that each table belongs to, by round and table;
        empty if it has one bracket only."""
        has_two = self.plays == "double-elimination" and self.terms.per_table == 2
        has_pools = self.is_elimination and self.terms.pool_size
        if not has_two and not self.terms.third_place and not has_pools:
            return {}
        return self.knockout.parts()

    def totals_at(self, table: PlayedTable) -> list[float]:
        """Returns the totals of a table's entrants that decide it so far: points, or board
        points."""
        if not self.terms.by_boards or not table.groups:
            return table.totals
        groups = tuple(group.points for group in table.groups)
        return [*MeetingResult(Meeting(1, 1, table.entrants), groups).boards.values()]

    @cached_property
    def losers(self) -> list[set[int]]:
        """In an elimination, those who lost in each round."""
        return self.knockout.losers

    @cached_property
    def knockout(self) -> Knockout:
        """Its elimination."""
        return knockout_of(self.course())

    def bracket(self) -> Tournament:
        """Returns its elimination alone, in which entrants are numbered by their seeds."""
        if not self.knockout.after:
            return self
        found, after = self.knockout, self.knockout.after
        seed = {number: at for at, number in enumerate(found.numbers, 1)}
        entrants = {one.number: one for one in self.entrants}
        return Tournament(
            **dict(self)
            | {
                "terms": found.course.terms,
                "entrants": tuple(
                    entrants[one].model_copy(update={"number": at}) for one, at in seed.items()
                ),
                "rounds": tuple(
                    played.model_copy(
                        update={
                            "round": played.round - after,
                            "byes": tuple(seed[one] for one in played.byes),
                            "tables": tuple(
                                table.model_copy(
                                    update={"entrants": tuple(seed[one] for one in table.entrants)}
                                )
                                for table in played.tables
                            ),
                        }
                    )
                    for played in self.rounds[after:]
                ),
                "pools": (),
            }
        )

    @property
    def bots(self) -> dict[int, str]:
        """The names of the bots, by the numbers of their entrants."""
        return {one.number: one.bot for one in self.entrants}

    @property
    def beacon_value(self) -> str:
        """The value of its beacon; empty as long as it is not drawn."""
        drawn = (one.sentence for one in self.events if one.kind is TournamentEventKind.DRAWN)
        return next(drawn, "")

    def plan(self) -> TournamentPlan:
        """Returns the plan with which it started: without those who have entered since."""
        late = self.numbers(TournamentEventKind.ENTERED)
        first_field = [one for one in self.entrants if one.number not in late]
        return planned(self, first_field, self.left_before)

    @property
    def left_before(self) -> set[int]:
        """The numbers of those who had left before the start."""
        left = self.numbers(TournamentEventKind.WITHDRAWN)
        return {one.number for one in self.entrants if one.reason and one.number not in left}

    def numbers(self, kind: TournamentEventKind) -> set[int]:
        """Returns the numbers of the entrants that events of a kind are about."""
        about = [event.entrant for event in self.events if event.kind is kind]
        return {entrant.number for entrant in about if entrant}

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
    """A tournament that has been recomputed from its public file.

    `problems`: a sentence for everything that contradicts its records, its plan or the rules.
    `asserted`: a sentence for everything that was not checked, or that nothing but `chain` binds.
    """

    tournament: str
    problems: tuple[str, ...]
    asserted: tuple[str, ...]
    chain: str


def planned(
    terms: AgreedTerms, entrants: Sequence[EnteredVersion], withdrawn: Collection[int]
) -> TournamentPlan:
    """Returns the plan of a tournament. Seeds by lot follow from it, so that it numbers the
    entrants by their versions. `withdrawn`: the numbers of those who have left."""
    agreed = {name: getattr(terms, name) for name in AgreedTerms.model_fields}
    reasons = {one.version: one.reason for one in entrants if one.number in withdrawn}
    if terms.terms.seed_by_lot:
        by_version = sorted(entrants, key=lambda one: one.version)
        entrants = [one.model_copy(update={"number": at}) for at, one in enumerate(by_version, 1)]
    return TournamentPlan(
        **agreed,
        entrants=tuple(entrants),
        withdrawn={one.number: reasons[one.version] for one in entrants if one.version in reasons},
    )


def placed(
    course: TournamentCourse, rounds: Sequence[PlayedRound], lots: str
) -> tuple[PlacedEntrant, ...]:
    """Returns the standings. `lots`: the text that lots follow from; empty until it is revealed."""
    return _with_faults(course, rounds, standings(course, lots))


def placed_in_pools(
    course: TournamentCourse, rounds: Sequence[PlayedRound]
) -> tuple[tuple[PlacedEntrant, ...], ...]:
    """Returns the standings of each pool."""
    in_pools = rounds[: course.pool_rounds]
    return tuple(_with_faults(course, in_pools, pool.standings) for pool in pool_tables(course))


def _with_faults(
    course: TournamentCourse, rounds: Sequence[PlayedRound], places: Sequence[Standing]
) -> tuple[PlacedEntrant, ...]:
    faults = Counter[int]()
    for table in (table for played in rounds for table in played.tables):
        for group in table.groups:
            faults.update(dict(zip(table.entrants, group.faults, strict=True)))
    return tuple(
        PlacedEntrant(
            place=one.place,
            number=one.number,
            bot=course.entrant[one.number].name,
            points=one.points,
            tie_breaks=one.tie_breaks,
            faults=faults[one.number],
        )
        for one in places
    )
