"""The elimination of a tournament, which may come after pools.

The elimination pairs and ranks by seeds and counts its rounds from 1, so that it is a course of its
own; its pairings and places are translated. Without pools it is the whole tournament.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import zip_longest

from arena.tournament.by_points import PoolTable, pool_tables
from arena.tournament.course import TablePlace, TournamentCourse
from arena.tournament.elimination.draw import kept_apart
from arena.tournament.elimination.elimination import losers_of, pair_elimination, parts_of
from arena.tournament.meeting import Meeting, Pairing


@dataclass(frozen=True)
class Qualified:
    """An entrant that goes on from a pool. `merit`: by which those of equal places in their pools
    are seeded, the smaller the better: minus the points and minus the scores in a round."""

    number: int
    pool: int
    merit: tuple[float, float, int]


@dataclass(frozen=True)
class Knockout:
    """An elimination.

    `course`: its own, in which entrants are numbered by their seeds.
    `numbers`: of the entrants in the tournament, by seed.
    `after`: the number of rounds before it.
    """

    tournament: TournamentCourse
    course: TournamentCourse
    numbers: Sequence[int]
    after: int

    def pair(self, number: int) -> Pairing | None:
        """Returns a round of the tournament; None if it is decided."""
        pairing = pair_elimination(self.course, number - self.after)
        if pairing is None or not self.after:
            return pairing
        return renumbered(pairing, dict(enumerate(self.numbers, 1)), self.after)

    @cached_property
    def losers(self) -> list[set[int]]:
        """Those who lost in each round of the tournament; in pools nobody does."""
        before: list[set[int]] = [set() for _ in range(self.after)]
        return before + [
            {self.numbers[seed - 1] for seed in losers_of(self.course, pairing)}
            for pairing in self.course.rounds
        ]

    def parts(self) -> dict[TablePlace, str]:
        """Returns the part of the tournament that each table belongs to."""
        pools = {
            (meeting.round, meeting.table): f"pool {number}"
            for number, pool in enumerate(self.tournament.pools if self.after else (), 1)
            for meeting in pool.meetings()
        }
        return pools | {
            (number + self.after, table): part
            for (number, table), part in parts_of(self.course).items()
        }


def knockout_of(course: TournamentCourse) -> Knockout:
    """Returns the elimination of a course, whose pools are over if it has any."""
    return knockout_after(course, pool_tables(course))


def knockout_after(course: TournamentCourse, pools: Sequence[PoolTable]) -> Knockout:
    """Returns the elimination after pools with these standings."""
    after = course.pool_rounds
    if not after:
        return Knockout(course, course, [one.number for one in course.entrants], 0)
    numbers = _seeds(course, pools)
    later = {one for pairing in course.rounds[after:] for one in _present(pairing)}
    numbers += sorted(later - {*numbers})  # only in files that are not true
    seed = {number: at for at, number in enumerate(numbers, 1)}
    rounds = [renumbered(pairing, seed, -after) for pairing in course.rounds[after:]]
    entrants = [
        replace(
            course.entrant[one],
            number=at,
            withdrawn_round=None if left is None else max(1, left - after),
        )
        for one, at in seed.items()
        for left in (course.entrant[one].withdrawn_round,)
    ]
    scores = {(number - after, table): got for (number, table), got in course.scores.items()}
    terms = replace(course.terms, pool_size=0)
    return Knockout(course, TournamentCourse(terms, entrants, rounds, scores), numbers, after)


def renumbered(pairing: Pairing, number: Mapping[int, int], later: int) -> Pairing:
    """Returns a pairing with other numbers of entrants, so many rounds later."""
    return replace(
        pairing,
        round=pairing.round + later,
        meetings=tuple(
            Meeting(one.round + later, one.table, tuple(number[each] for each in one.entrants))
            for one in pairing.meetings
        ),
        byes=tuple(sorted(number[one] for one in pairing.byes)),
    )


def _seeds(course: TournamentCourse, pools: Sequence[PoolTable]) -> list[int]:
    """Returns the entrants that go on, in the order of their seeds: the winners of the pools, then
    the second ones, and so on."""
    tiers = _tiers(course, pools)
    going_on = [one for tier in tiers for one in tier]
    return [
        going_on[at].number
        for at in kept_apart(tuple(tuple(one.pool for one in tier) for tier in tiers))
    ]


def _present(pairing: Pairing) -> set[int]:
    return {*pairing.byes, *(one for each in pairing.meetings for one in each.entrants)}


def _tiers(course: TournamentCourse, pools: Sequence[PoolTable]) -> list[list[Qualified]]:
    """Returns those who go on: the winners of the pools, the second ones, and so on, each the best
    first. The next in a pool goes on in the place of one that has left."""
    staying = {one.number for one in course.entrants if one.plays_in(course.pool_rounds + 1)}
    for pairing in course.rounds[course.pool_rounds : course.pool_rounds + 1]:
        staying = _present(pairing)
    qualified = [
        [
            Qualified(
                one.number,
                at,
                (-one.points / pool.rounds, -pool.scores[one.number] / pool.rounds, one.number),
            )
            for one in [one for one in pool.standings if one.number in staying][
                : course.terms.advance
            ]
        ]
        for at, pool in enumerate(pools)
    ]
    return [
        sorted((one for one in tier if one), key=lambda one: one.merit)
        for tier in zip_longest(*qualified)
    ]
