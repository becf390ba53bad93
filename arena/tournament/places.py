"""The probability of every place, from simulated repetitions of the meetings.

The margin between two entrants at a table is drawn from a normal distribution around the one that
was observed. Its spread is that between groups of the same table, pooled over the tournament, so
that tables of few groups borrow from the others. The pairings stay as they were.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from math import sqrt
from random import Random
from statistics import fmean

from arena.tournament.course import TournamentCourse
from arena.tournament.meeting import MeetingResult

DRAWS = 2_000


def place_probabilities(course: TournamentCourse, seed: str) -> dict[int, dict[int, float]] | None:
    """Returns for each entrant the probability of its places, by place; ties are broken by lot.

    None in an elimination, where a single result would change who meets whom, and if no table has
    finished two groups, without which the spread is unknown. `seed`: chooses the draws.
    """
    spread = _spread(course)
    if spread is None or course.terms.is_elimination:
        return None
    rng = Random(seed)
    fixed = _fixed_points(course)
    results = [result for result in course.results() if result.groups]
    counts: dict[int, Counter[int]] = {one: Counter() for one in fixed}
    for _ in range(DRAWS):
        points = dict(fixed)
        for result in results:
            for one, gained in _drawn(result, spread, rng).items():
                points[one] += gained
        order = sorted(points, key=lambda one: (-points[one], rng.random()))
        for place, one in enumerate(order, 1):
            counts[one][place] += 1
    return {
        one: {place: times / DRAWS for place, times in sorted(counted.items())}
        for one, counted in counts.items()
    }


def _spread(course: TournamentCourse) -> float | None:
    """Returns the standard deviation of an entrant's score in a group around its mean at the
    table."""
    squares, degrees = 0.0, 0
    for result in course.results():
        for scores in zip(*result.groups, strict=True):
            mean = fmean(scores)
            squares += sum((score - mean) ** 2 for score in scores)
            degrees += len(scores) - 1
    return sqrt(squares / degrees) if degrees else None


def _fixed_points(course: TournamentCourse) -> dict[int, float]:
    """Returns the points that were not played for: byes and forfeits."""
    points = {one: tally.half_points / 2 for one, tally in course.tallies().items()}
    for result in course.results():
        if result.groups:
            for one, gained in result.points.items():
                points[one] -= gained
    return points


def _drawn(result: MeetingResult, spread: float, rng: Random) -> Mapping[int, float]:
    """Returns the points of a table played again. Those who left lose as they did."""
    groups = len(result.groups)
    sums = {
        one: score + rng.gauss(0, spread * sqrt(groups)) for one, score in result.score_sums.items()
    }
    points = dict.fromkeys(sums, 0.0)
    for one, other, gained in result.pairwise():
        gone = one in result.forfeited or other in result.forfeited
        points[one] += gained if gone else float(sums[one] > sums[other])
    return points
