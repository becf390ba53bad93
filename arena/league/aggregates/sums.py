"""Sums over finished matches: results by seat and by opponent, times of decisions.

The recorder counts job by job through this code, and a recount runs the same code over all of them,
so the two cannot differ.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any, TypeAlias

import sqlalchemy as sa

from arena.store.schema import MatchSeat

FinishedSeat: TypeAlias = MatchSeat | sa.Row[Any]
"""A row of `match_seats`, as an object or as it is selected."""


@dataclass
class SeatSum:
    """See `arena.store.schema.SeatResults`."""

    matches: int = 0
    wins: int = 0
    ties: int = 0
    ranks: int = 0
    scores: int = 0
    faults: int = 0
    total_ms: int = 0
    slowest_ms: int = 0


@dataclass
class MeetingSum:
    """See `arena.store.schema.MeetingResults`."""

    jobs: int = 0
    matches: int = 0
    wins: int = 0
    ties: int = 0
    squares: int = 0
    firsts: int = 0
    faults: int = 0


@dataclass
class _Side:
    """A version in a match, at one seat or several. `rank`: of its best seat."""

    rank: int
    teams: set[int]
    fault: bool


class Sums:
    """The sums over jobs of one competition.

    `seats`: by version and seat. `meetings`: by version and opponent.
    `times`: decisions by version and bucket.
    """

    def __init__(self) -> None:
        self.seats: defaultdict[tuple[str, int], SeatSum] = defaultdict(SeatSum)
        self.meetings: defaultdict[tuple[str, str], MeetingSum] = defaultdict(MeetingSum)
        self.times: Counter[tuple[str, int]] = Counter()

    def add(self, job: Iterable[Sequence[FinishedSeat]]) -> None:
        """Adds the matches of a job, each given by its seats."""
        ahead: Counter[tuple[str, str]] = Counter()
        for seats in job:
            self._add_seats(seats)
            self._add_meetings(seats, ahead)
        for pair, more_wins in ahead.items():
            self.meetings[pair].jobs += 1
            self.meetings[pair].squares += more_wins**2

    def _add_seats(self, seats: Sequence[FinishedSeat]) -> None:
        first = {seat.team for seat in seats if seat.rank == 1}
        for seat in seats:
            found = self.seats[seat.version, seat.seat]
            found.matches += 1
            found.wins += seat.rank == 1 and len(first) == 1
            found.ties += seat.rank == 1 and len(first) > 1
            found.ranks += seat.rank
            found.scores += seat.score
            found.faults += seat.fault_kind is not None
            found.total_ms += seat.total_ms
            found.slowest_ms = max(found.slowest_ms, seat.slowest_ms)
            for bucket, decisions in enumerate(seat.decision_counts):
                if decisions:
                    self.times[seat.version, bucket] += decisions

    def _add_meetings(self, seats: Sequence[FinishedSeat], ahead: Counter[tuple[str, str]]) -> None:
        """`ahead`: by pair, wins minus losses in the job so far; a pair that met is in it."""
        sides = _sides(seats)
        for one, other in permutations(sides, 2):
            own, theirs = sides[one], sides[other]
            if len(own.teams | theirs.teams) == 1:
                continue  # partners
            found = self.meetings[one, other]
            found.matches += 1
            found.wins += own.rank < theirs.rank
            found.ties += own.rank == theirs.rank
            found.firsts += own.rank == 1
            found.faults += own.fault
            ahead[one, other] += (own.rank < theirs.rank) - (own.rank > theirs.rank)


def _sides(seats: Sequence[FinishedSeat]) -> dict[str, _Side]:
    """Returns the side of each version in a match."""
    sides: dict[str, _Side] = {}
    for seat in seats:
        side = sides.setdefault(seat.version, _Side(seat.rank, set(), False))
        side.rank = min(side.rank, seat.rank)
        side.teams.add(seat.team)
        side.fault |= seat.fault_kind is not None
    return sides
