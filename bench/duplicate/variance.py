"""The variance that a way of playing leaves, at equal numbers of matches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Table = NDArray[np.float64]
"""The results of groups: a row a group, a column a seating."""

RESAMPLES = 2_000


@dataclass(frozen=True)
class Share:
    """The share of the variance that is left, with its 95 % interval."""

    left: float
    low: float
    high: float


def single_variance(groups: Table) -> float:
    """Returns the variance of a single match whose deal is used once, in the mean of the seatings.

    A match of a group, looked at alone, is such a match.
    """
    return float(groups.var(axis=0, ddof=1).mean())


def group_variance(groups: Table) -> float:
    """Returns the variance of a group's mean, times the matches of a group.

    So it compares with `single_variance`: with a group of independent matches both are equal.
    """
    return float(groups.mean(axis=1).var(ddof=1) * groups.shape[1])


def share_left(
    groups: Table,
    measure: Callable[[Table], float],
    against: Callable[[Table], float] = single_variance,
    seed: int = 0,
) -> Share | None:
    """Returns `measure` as a share of `against`; None if `against` is 0, where luck never differs.

    The interval is the percentile bootstrap over groups (Efron 1979): groups are independent, and
    the matches of a group are not. Resamples without any variance are left out.
    """
    if against(groups) == 0:
        return None
    random = np.random.default_rng(seed)
    size = len(groups)
    shares = []
    for _ in range(RESAMPLES):
        resample = groups[random.integers(size, size=size)]
        if below := against(resample):
            shares.append(measure(resample) / below)
    low, high = np.quantile(shares, (0.025, 0.975))
    return Share(measure(groups) / against(groups), float(low), float(high))


def mean_with_error(groups: Table) -> tuple[float, float]:
    """Returns the mean difference, and its standard error over the groups."""
    means = groups.mean(axis=1)
    return float(means.mean()), float(means.std(ddof=1) / len(means) ** 0.5)
