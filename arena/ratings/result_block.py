"""Results of one shape: what each of them says of the skills, in arrays with a row for each."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import sqrt
from statistics import NormalDist

import numpy as np

from arena.ratings.normal import (
    Evidence,
    Floats,
    Integers,
    Normal,
    diagonal_matrices,
    diagonals,
    summed,
)
from arena.ratings.rater import BETA
from arena.ratings.truncation import slopes


class ResultBlock:
    """Results in which teams of the same sizes came out in this order.

    `shape`: the sizes, from the first team to the last.
    `rows`: for each result the numbers of the players, team by team, and for each team but the
      last whether it tied with the next (1 or 0). No two rows are equal.
    `count`: how often each result occurred.

    A result bounds the differences between the performances of neighbours. Of each difference the
    bound is held as evidence, which says nothing at first.
    """

    def __init__(
        self, shape: Sequence[int], rows: Integers, count: Floats, draw_probability: float
    ) -> None:
        self._players, self._drawn = rows[:, : sum(shape)], rows[:, sum(shape) :] == 1
        self._count = count[:, None]
        self._design = _design(shape)
        self._noise = BETA**2 * self._design @ self._design.T
        of_one = NormalDist().inv_cdf((draw_probability + 1) / 2) * BETA
        margins = [of_one * sqrt(size + other) for size, other in pairwise(shape)]
        self._margin = np.broadcast_to(margins, self._drawn.shape)
        nothing = np.zeros(self._drawn.shape)
        self._bounds = Evidence(diagonal_matrices(nothing), nothing)

    def renew(self, skills: Normal) -> None:
        """Works out again what each result says, if all results together say `skills`."""
        differences = self._differences(skills).without(self._evidence_of_each())
        performances = Normal(differences.mean, differences.covariance + self._noise)
        bounded = performances.given(self._bounds)
        # Each difference, as all but its own bound let it be.
        variance = diagonals(bounded.covariance)
        free = 1 / (1 / variance - diagonals(self._bounds.precision))
        mean = free * (bounded.mean / variance - self._bounds.shift)
        first, second = slopes(mean, free, self._margin, self._drawn)
        left = 1 - free * second  # the share of the variance that the bound leaves
        self._bounds = Evidence(diagonal_matrices(second / left), (first + mean * second) / left)

    def evidence(self, versions: int) -> Evidence:
        """Returns what the results, each as often as it occurred, say of all skills."""
        precision, shift = self._evidence_of_each()
        of_players = self._design.T @ precision @ self._design * self._count[:, :, None]
        cells = self._players[:, :, None] * versions + self._players[:, None, :]
        return Evidence(
            summed(cells, of_players, versions**2).reshape(versions, versions),
            summed(self._players, shift @ self._design * self._count, versions),
        )

    def _differences(self, skills: Normal) -> Normal:
        """Returns the differences between the skills of neighbouring teams."""
        covariance = skills.covariance[self._players[:, :, None], self._players[:, None, :]]
        return Normal(
            skills.mean[self._players] @ self._design.T,
            self._design @ covariance @ self._design.T,
        )

    def _evidence_of_each(self) -> Evidence:
        """Returns what a single occurrence of each result says of those differences."""
        return self._bounds.seen_through(self._noise)


def _design(shape: Sequence[int]) -> Floats:
    """Returns the matrix that turns the players' skills into differences between neighbours; a
    larger team is not stronger, so the members of a smaller one count for more."""
    weights = np.repeat([max(shape) / size for size in shape], shape)
    team = np.repeat(np.arange(len(shape)), shape)
    first = np.arange(len(shape) - 1)[:, None]
    signs: Floats = (team == first) * 1.0 - (team == first + 1)
    return weights * signs
