"""The result of a group of matches at a table."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import fmean

from arena.protocol import rank_points
from arena.views.matches.match import Match

DIGITS = 9
"""Sums of thirds must be equal where they should be."""


@dataclass(frozen=True)
class GroupResult:
    """The result of a group.

    `points`: by entrant, its rank points from 0 to 1 on average over its seats in all matches.
    `matches`: the ids of the matches and the digests of their records.
    `faults`: by entrant, the seats in which it was at fault, in all matches together.
    `failed`: the entrants that were at fault in every match.
    """

    points: Mapping[int, float]
    matches: tuple[tuple[str, str], ...]
    faults: Mapping[int, int]
    failed: frozenset[int]


def group_result(matches: Iterable[Match], number_of: Mapping[str, int]) -> GroupResult:
    """Returns the result of a group. `number_of`: the entrants' numbers, by version."""
    points: defaultdict[int, list[float]] = defaultdict(list)
    faults = Counter[int]()
    faulted: defaultdict[int, list[bool]] = defaultdict(list)
    played = list(matches)
    for match in played:
        by_seat = rank_points(
            [seat.rank for seat in match.seats], [seat.team for seat in match.seats]
        )
        at_fault = {seat.version for seat in match.seats if seat.faults}
        for seat, gained in zip(match.seats, by_seat, strict=True):
            points[number_of[seat.version]].append(gained)
            faults[number_of[seat.version]] += bool(seat.faults)
        for version in {seat.version for seat in match.seats}:
            faulted[number_of[version]].append(version in at_fault)
    return GroupResult(
        points={entrant: round(fmean(gained), DIGITS) for entrant, gained in points.items()},
        matches=tuple((match.match, match.digest) for match in played),
        faults=faults,
        failed=frozenset(entrant for entrant, times in faulted.items() if all(times)),
    )
