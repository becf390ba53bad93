"""Expectation propagation (Minka, 2001) over the skills of all versions at once.

Each result bounds differences between performances. Every bound is replaced by a normal factor
that leaves the same mean and variance, given all other factors; this is repeated until nothing
changes. All covariances between skills are kept. For a single result this is what the `Rater`
computes. docs/decisions/0025 compares it with the usual alternatives.

The standard deviation has a part that all versions share: only the prior says where the ladder as
a whole is. That part shrinks with the number of versions, not with the number of results.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from arena.ratings.normal import Floats, Normal, diagonals, inverse, summed
from arena.ratings.rater import MU, SIGMA, Skill
from arena.ratings.result_block import ResultBlock

CLOSE = 1e-8
"""It has converged when no mean and no standard deviation changes by more."""
MOST_SWEEPS = 500
"""Some thirty suffice, however far the results are from what the skills would suggest."""


def propagated(
    counted: Mapping[Sequence[int], Sequence[tuple[Sequence[int], int]]],
    versions: int,
    draw_probability: float,
) -> list[Skill]:
    """Returns the skills of so many versions, by their numbers.

    `counted`: by the sizes of the teams, the rows that a `ResultBlock` takes, and how often each
    occurred.
    """
    blocks = [_block(shape, rows, draw_probability) for shape, rows in counted.items()]
    skills = _joined((), versions)
    for _ in range(MOST_SWEEPS):
        for block in blocks:
            block.renew(skills)
        before, skills = skills, _joined(blocks, versions)
        if np.allclose(_figures(skills), _figures(before), rtol=0, atol=CLOSE):
            break
    return [Skill(mu, sigma) for mu, sigma in _figures(skills).tolist()]


def _block(
    shape: Sequence[int], rows: Sequence[tuple[Sequence[int], int]], draw_probability: float
) -> ResultBlock:
    """Counts equal rows and sorts them, because sums of floats depend on the order."""
    distinct, which = np.unique(np.array([row for row, _ in rows]), axis=0, return_inverse=True)
    counts = summed(which, np.array([float(count) for _, count in rows]), len(distinct))
    return ResultBlock(shape, distinct, counts, draw_probability)


def _joined(blocks: Iterable[ResultBlock], versions: int) -> Normal:
    """Returns the skills by the prior and by what all results say."""
    precision, shift = np.eye(versions) / SIGMA**2, np.full(versions, MU / SIGMA**2)
    for block in blocks:
        evidence = block.evidence(versions)
        precision += evidence.precision
        shift += evidence.shift
    covariance = inverse(precision)
    return Normal(covariance @ shift, covariance)


def _figures(skills: Normal) -> Floats:
    """Returns a row for each version: its mean and its standard deviation."""
    return np.stack((skills.mean, np.sqrt(diagonals(skills.covariance))), axis=1)
