"""Places by points and tie-breaks: of a round robin, a Swiss, or a pool."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from arena.tournament.course import TournamentCourse
from arena.tournament.tie_breaks import Encounters, tie_break


@dataclass(frozen=True)
class Standing:
    """An entrant's place.

    `place`: from 1; equal ones share it.
    `tie_breaks`: the values of the tournament's tie-breaks, in their order, as far as they were
      needed to separate it from others.
    """

    place: int
    number: int
    points: float
    tie_breaks: tuple[float, ...] = ()


def by_points(course: TournamentCourse, secret: str) -> list[Standing]:
    """Returns the standings, the best first. Those whose results are annulled come last.

    `secret`: for the lot; empty as long as it is not revealed, when the lot decides nothing.
    """
    names = [name for name in course.terms.tie_breaks if name != "lot" or secret]
    return _placed(course, Encounters(course, secret), names)


def pool_tie_breaks(tie_breaks: Sequence[str]) -> tuple[str, ...]:
    """Returns the tie-breaks of a pool. No lot decides who goes on, since it is secret then: the
    sum of scores does, and after that the better seed."""
    return (*(name for name in tie_breaks if name not in ("score-sum", "lot")), "score-sum")


@dataclass(frozen=True)
class PoolTable:
    """The standings of a pool. `scores`: the sums of the entrants' scores. `rounds`: how many have
    been paired, at least 1."""

    standings: Sequence[Standing]
    scores: Mapping[int, float]
    rounds: int


def pool_tables(course: TournamentCourse) -> list[PoolTable]:
    """Returns the standings of each pool, in which no two share a place; none without pools."""
    if not course.pool_rounds:
        return []
    names = pool_tie_breaks(course.terms.tie_breaks)
    tables = []
    for pool in course.pools:
        encounters = Encounters(pool, "")
        places = enumerate(_placed(pool, encounters, names), 1)
        standings = [replace(one, place=place) for place, one in places]
        tables.append(PoolTable(standings, encounters.scores, max(1, len(pool.rounds))))
    return tables


def _placed(
    course: TournamentCourse, encounters: Encounters, names: Sequence[str]
) -> list[Standing]:
    placed: list[Standing] = []
    counting = encounters.points.keys() - course.annulled
    for points in sorted({encounters.points[one] for one in counting}, reverse=True):
        group = [one for one in counting if encounters.points[one] == points]
        for tied, values in _separated(encounters, group, names, ()):
            place = len(placed) + 1
            placed += [Standing(place, one, points, values) for one in sorted(tied)]
    last = len(placed) + 1
    return placed + [Standing(last, one, 0.0) for one in sorted(course.annulled)]


def _separated(
    encounters: Encounters, tied: Sequence[int], names: Sequence[str], values: tuple[float, ...]
) -> list[tuple[Sequence[int], tuple[float, ...]]]:
    """Returns those who are tied in groups that no tie-break separates, the best first, with the
    values that led there."""
    if len(tied) == 1 or not names:
        return [(tied, values)]
    by_value = tie_break(names[0], encounters, tied)
    found = []
    for value in sorted(set(by_value.values()), reverse=True):
        equal = [one for one in tied if by_value[one] == value]
        found += _separated(encounters, equal, names[1:], (*values, value))
    return found
