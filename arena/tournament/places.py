"""The chances of every place if a tournament were played again, in simulation.

Each entrant has a strength, and a table's groups show the differences between the strengths of its
entrants with noise of one size for the whole tournament, estimated from what the groups of one
table differ by. Strengths are drawn given all results and the field: the field's own spread is
estimated too, so that a lead which the noise explains is mostly taken back (empirical Bayes, as for
Stein's batters). Then all tables are played again. The pairings stay as they were.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import sqrt
from random import Random
from statistics import fmean

import numpy as np
import numpy.typing as npt

from arena.tournament.course import TournamentCourse
from arena.tournament.meeting import MeetingResult

DRAWS = 2_000
SPREADS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0, 1.4, 2.0, 3.0, 5.0)
"""Of the field's strengths, in units of the noise of a group: those that are weighed."""
Array = npt.NDArray[np.float64]


def place_probabilities(course: TournamentCourse, seed: str) -> dict[int, dict[int, float]] | None:
    """Returns for each entrant the chances of its places, by place; ties are broken by lot.

    None in an elimination, where a single result would change who meets whom, and if no table has
    finished two groups, without which the noise is unknown. `seed`: chooses the draws.
    """
    noise = _noise(course)
    if noise is None or course.terms.is_elimination:
        return None
    rng = np.random.Generator(np.random.PCG64(list(seed.encode())))
    lots = Random(seed)
    tables = [_Table.of(course, result) for result in course.results() if result.groups]
    strengths = _strengths(tables, len(course.entrants), noise, rng)
    points = np.zeros((DRAWS, len(course.entrants))) + _fixed_points(course)
    for table in tables:
        margins = _boards if course.terms.by_boards else _sums
        _play_again(table, margins(table, strengths, noise, rng), points)
    counts: dict[int, Counter[int]] = {one.number: Counter() for one in course.entrants}
    for drawn in points.tolist():
        order = sorted(range(len(drawn)), key=lambda at: (-drawn[at], lots.random()))
        for place, at in enumerate(order, 1):
            counts[course.entrants[at].number][place] += 1
    return {
        one: {place: times / DRAWS for place, times in sorted(counted.items())}
        for one, counted in counts.items()
    }


@dataclass(frozen=True)
class _Table:
    """A table that was played.

    `at`: the places of its entrants in the field. `groups`: how many it played.
    `means`: their scores in a group, on average, less the average of the table.
    `left`, `annulled`: by place at the table, whether the entrant forfeited, and whether its
      results are annulled.
    """

    at: list[int]
    groups: int
    means: Array
    left: list[bool]
    annulled: list[bool]

    @classmethod
    def of(cls, course: TournamentCourse, result: MeetingResult) -> _Table:
        place = {one.number: at for at, one in enumerate(course.entrants)}
        entrants = result.meeting.entrants
        means = np.array([fmean(scores) for scores in zip(*result.groups, strict=True)])
        return cls(
            at=[place[one] for one in entrants],
            groups=len(result.groups),
            means=means - means.mean(),
            left=[one in result.forfeited for one in entrants],
            annulled=[one in result.annulled for one in entrants],
        )

    @property
    def centring(self) -> Array:
        """Takes the average of the table from each entrant's value."""
        size = len(self.at)
        return np.eye(size) - 1 / size


def _noise(course: TournamentCourse) -> float | None:
    """Returns the standard deviation of an entrant's own noise in a group. A score less its table's
    average has only the share 1 - 1/size of that variance; the margin of two has twice of it."""
    squares, degrees = 0.0, 0.0
    for result in course.results():
        size = len(result.meeting.entrants)
        centred = [[score - fmean(group) for score in group] for group in result.groups]
        for scores in zip(*centred, strict=True):
            mean = fmean(scores)
            squares += sum((score - mean) ** 2 for score in scores)
            degrees += (len(scores) - 1) * (1 - 1 / size)
    return sqrt(squares / degrees) if degrees else None


def _strengths(
    tables: Sequence[_Table], count: int, noise: float, rng: np.random.Generator
) -> Array:
    """Returns DRAWS rows with the strengths of all entrants, drawn given the results."""
    if not noise:
        noise = 1e-9  # every group of every table was the same
    seen, pull = np.zeros((count, count)), np.zeros(count)
    for table in tables:
        weight = table.groups / noise**2
        seen[np.ix_(table.at, table.at)] += weight * table.centring
        pull[table.at] += weight * table.means
    draws = np.zeros((DRAWS, count))
    fields = [_Field.of(seen, pull, spread * noise) for spread in SPREADS]
    evidence = np.array([field.evidence for field in fields])
    weights = np.exp(evidence - evidence.max())
    chosen = rng.choice(len(fields), size=DRAWS, p=weights / weights.sum())
    normal = rng.standard_normal((count, DRAWS))
    for number, field in enumerate(fields):
        drawn = chosen == number
        draws[drawn] = field.drawn(normal[:, drawn]).T
    return draws


@dataclass(frozen=True)
class _Field:
    """The strengths of a field of one spread, given the results.

    `evidence`: the logarithm of the results' density, up to a constant.
    `means`: the expected strengths. `factor`: the Cholesky factor of their precision; None without
      a spread, where all are 0.
    """

    evidence: float
    means: Array
    factor: Array | None

    @classmethod
    def of(cls, seen: Array, pull: Array, spread: float) -> _Field:
        count = len(pull)
        if not spread:
            return cls(0.0, np.zeros(count), None)
        factor = np.asarray(np.linalg.cholesky(seen + np.eye(count) / spread**2), np.float64)
        halfway = np.linalg.solve(factor, pull)
        volume = float(np.log(factor.diagonal() * spread).sum())
        return cls(
            evidence=float(halfway @ halfway) / 2 - volume,
            means=np.linalg.solve(factor.T, halfway),
            factor=factor,
        )

    def drawn(self, normal: Array) -> Array:
        """Returns strengths, by entrant and draw, from independent normal numbers."""
        if self.factor is None:
            return np.zeros_like(normal)
        return np.asarray(self.means[:, None] + np.linalg.solve(self.factor.T, normal))


def _sums(table: _Table, strengths: Array, noise: float, rng: np.random.Generator) -> Array:
    """Returns the average scores at a table that is played again, by draw and place at it."""
    normal = rng.standard_normal((DRAWS, len(table.at)))
    return np.asarray(strengths[:, table.at] + normal * (noise / sqrt(table.groups)))


def _boards(table: _Table, strengths: Array, noise: float, rng: np.random.Generator) -> Array:
    """Returns the board points at a table that is played again, by draw and place at it."""
    boards = np.zeros((DRAWS, len(table.at)))
    for _ in range(table.groups):
        scores = strengths[:, table.at] + rng.standard_normal(boards.shape) * noise
        boards += 2 * (scores[:, :, None] > scores[:, None, :]).sum(axis=2)
    return boards


def _play_again(table: _Table, totals: Array, points: Array) -> None:
    """Adds the points of a table that is played again. Those who left lose as they did.

    `totals`: what decides it, by draw and place at the table.
    """
    size = len(table.at)
    for one, other in combinations(range(size), 2):
        if table.annulled[one] or table.annulled[other] or (table.left[one] and table.left[other]):
            continue
        wins = np.asarray(1 + np.sign(totals[:, one] - totals[:, other])) / 2
        if table.left[one] or table.left[other]:
            wins[:] = table.left[other]
        points[:, table.at[one]] += wins
        points[:, table.at[other]] += 1 - wins


def _fixed_points(course: TournamentCourse) -> Array:
    """Returns the points that were not played for: byes and forfeits."""
    fixed = {one: tally.half_points / 2 for one, tally in course.tallies().items()}
    fixed |= dict.fromkeys(course.annulled, -1.0)  # they come last
    for result in course.results():
        if result.groups:
            for one, gained in result.points.items():
                fixed[one] -= gained
    return np.array([fixed[one.number] for one in course.entrants])
