"""The course of a tournament: its rounds and results so far, and the points that follow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, combinations

from arena.tournament.meeting import Meeting, MeetingResult, Pairing
from arena.tournament.pairing import Contender
from arena.tournament.rounds import format_to_play, pools_of, rounds_to_play, scheduled_tables
from arena.tournament.tournament_terms import Entrant, TournamentTerms

TablePlace = tuple[int, int]
"""A round and a table of it, both counted from 1."""
Scores = Sequence[tuple[float, ...]]
"""For each finished group of a table, the scores of its entrants."""


@dataclass
class EntrantTally:
    """The points, byes, floats and opponents of an entrant before a round.

    `half_points`: 2 for each opponent beaten at a table, 1 for a tie, and those of byes.
    `byes`: byes, and tables that all others left before anything was played.
    `floats`: rounds at a table whose entrants had unequal points.
    `met`: how often each opponent was at the same table.
    """

    half_points: int = 0
    byes: int = 0
    floats: int = 0
    met: Counter[int] = field(default_factory=Counter)


@dataclass(frozen=True)
class TournamentCourse:
    """A tournament so far.

    `entrants`: by number. `rounds`: in order.
    `scores`: of each table, its finished groups in order.
    """

    terms: TournamentTerms
    entrants: Sequence[Entrant]
    rounds: Sequence[Pairing]
    scores: Mapping[TablePlace, Scores]

    @cached_property
    def entrant(self) -> dict[int, Entrant]:
        """The entrants, by number."""
        return {entrant.number: entrant for entrant in self.entrants}

    @cached_property
    def first_field(self) -> list[int]:
        """The numbers of those who were there from the first round."""
        return [one.number for one in self.entrants if one.entered_round == 1]

    def scores_at(self, meeting: Meeting) -> Scores:
        """Returns the finished groups of a table."""
        return self.scores.get((meeting.round, meeting.table), ())

    def left(self, meeting: Meeting) -> frozenset[int]:
        """Returns the entrants who left before their table was over; they forfeit."""
        return frozenset(
            one for one in meeting.entrants if not self.entrant[one].plays_in(meeting.round)
        )

    def result_of(self, meeting: Meeting) -> MeetingResult | None:
        """Returns the result of a table so far; None if there is none yet."""
        scores, left = self.scores_at(meeting), self.left(meeting)
        if not scores and not left:
            return None
        annulled = self.annulled & set(meeting.entrants)
        return MeetingResult(meeting, tuple(scores), left, annulled, self.terms.by_boards)

    @cached_property
    def annulled(self) -> frozenset[int]:
        """Those who left a round robin before they had played half of their tables: their results
        count for nobody, or those who met them would have an advantage or a disadvantage over the
        others (FIDE, General Regulations for Competitions: a player who has completed less than
        half of the games)."""
        if self.terms.pool_size:
            return frozenset().union(*(pool.annulled for pool in self.pools))
        left = [one.number for one in self.entrants if one.withdrawn_round is not None]
        if not left or format_to_play(self.terms, len(self.first_field)) != "round-robin":
            return frozenset()
        seats = Counter(one for tables in self._schedule for table in tables for one in table)
        played = Counter(
            one
            for meeting in self.meetings()
            for one in set(meeting.entrants) - self.left(meeting)
            if len(self.scores_at(meeting)) >= self.terms.groups
        )
        return frozenset(one for one in left if 2 * played[one] < seats[one])

    def bye_points(self, one: int, pairing: Pairing) -> float:
        """Returns the points of an entrant with a bye. If its table lost one whose results are
        annulled, they are those of an average table of the others: with two at a table, none."""
        if one in self.annulled:
            return 0.0
        if not self.annulled:
            return self.terms.bye
        for table in chain(*self._schedule[pairing.round - 1 : pairing.round]):
            if one in table and self.annulled & set(table):
                return (len(set(table) - self.annulled) - 1) / 2
        return self.terms.bye

    @cached_property
    def pool_rounds(self) -> int:
        """The number of rounds that are played in pools, before an elimination."""
        return len(self._schedule) if self.terms.pool_size else 0

    @cached_property
    def pools(self) -> list[TournamentCourse]:
        """The round robin of each pool so far."""
        terms = replace(self.terms, format="round-robin", pool_size=0, third_place=False)
        pools = pools_of(self.terms, self.first_field)
        pool_of = {one: at for at, pool in enumerate(pools) for one in pool}
        rounds: list[list[Pairing]] = [[] for _ in pools]
        for pairing in self.rounds[: self.pool_rounds]:
            meetings: list[list[Meeting]] = [[] for _ in pools]
            byes: list[list[int]] = [[] for _ in pools]
            for meeting in pairing.meetings:
                at, *others = {pool_of.get(one) for one in meeting.entrants}
                if at is not None and not others:  # else the file is not true
                    meetings[at].append(meeting)
            for one in pool_of.keys() & {*pairing.byes}:
                byes[pool_of[one]].append(one)
            for at, pool in enumerate(pools):
                if pairing.round <= rounds_to_play(terms, len(pool)):
                    there = Pairing(pairing.round, tuple(meetings[at]), tuple(byes[at]))
                    rounds[at].append(there)
        return [
            replace(self, terms=terms, entrants=[self.entrant[one] for one in pool], rounds=played)
            for pool, played in zip(pools, rounds, strict=True)
        ]

    @cached_property
    def _schedule(self) -> list[list[tuple[int, ...]]]:
        return scheduled_tables(self.terms, self.first_field)

    def meetings(self) -> Iterator[Meeting]:
        """Yields all meetings, round by round."""
        for pairing in self.rounds:
            yield from pairing.meetings

    def results(self) -> Iterator[MeetingResult]:
        """Yields the results so far, round by round."""
        for meeting in self.meetings():
            result = self.result_of(meeting)
            if result is not None:
                yield result

    def tallies(self, before: int | None = None) -> dict[int, EntrantTally]:
        """Returns the tally of each entrant before a round; None: until now."""
        tallies = {entrant.number: EntrantTally() for entrant in self.entrants}
        for pairing in self.rounds:
            if before is not None and pairing.round >= before:
                break
            self._count(pairing, tallies)
        return tallies

    def contenders(self, round_number: int) -> list[Contender]:
        """Returns the entrants to pair in a round."""
        tallies = self.tallies(round_number)
        return [
            Contender(
                number=one.number,
                half_points=tallies[one.number].half_points,
                owner=one.owner,
                byes=tallies[one.number].byes,
                floats=tallies[one.number].floats,
                met=tallies[one.number].met,
            )
            for one in self.entrants
            if one.plays_in(round_number)
        ]

    def _count(self, pairing: Pairing, tallies: Mapping[int, EntrantTally]) -> None:
        """Adds a round. Floats depend on the points before it, so they come first."""
        for meeting in pairing.meetings:
            if len({tallies[one].half_points for one in meeting.entrants}) > 1:
                for one in meeting.entrants:
                    tallies[one].floats += 1
        for one in pairing.byes:
            tallies[one].byes += 1
            tallies[one].half_points += round(2 * self.bye_points(one, pairing))
        for meeting in pairing.meetings:
            for one, other in combinations(meeting.entrants, 2):
                tallies[one].met[other] += 1
                tallies[other].met[one] += 1
            result = self.result_of(meeting)
            if result is None:
                continue
            for one, points in result.points.items():
                tallies[one].half_points += round(2 * points)
            alone = set(meeting.entrants) - result.forfeited
            if len(alone) == 1 and not result.groups:
                tallies[alone.pop()].byes += 1
