"""The estimate of the difference after a sequential test has stopped."""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt

from arena.statistics.brownian import inside_above, left_above, left_below
from arena.statistics.design import Design, StrictModel
from arena.statistics.sequential_test import SequentialTest, Verdict

OVERSHOOT = 0.5826
"""The mean distance by which a random walk passes a boundary, in its steps' standard deviations:
-ζ(1/2)/√(2π) (H. Chernoff, 1965; D. Siegmund, Sequential Analysis, 1985)."""


class Estimate(StrictModel):
    """A median-unbiased estimate.

    `t`: the strength; None if all differences are equal.
    `points`: the mean difference per seat and match.
    """

    t: float | None
    points: float


def estimated(test: SequentialTest) -> Estimate:
    """Returns the estimate after the test's verdict.

    A test stops when chance has helped, so the plain mean is too far from 0. Here the walk of the
    log likelihood ratio is taken for a Brownian motion between the boundaries, and its end for
    stronger the earlier it reached the upper boundary or the later the lower one. The estimate is
    the strength under which an end at least as strong has probability 0.5. How far it is from the
    motion's own mean is the correction to the observed mean, in standard deviations.
    """
    moments = test.moments
    shift = correction(test)
    wider = sqrt(1 + moments.t**2 / 2) if moments.deviation else 0.0  # t varies more than the mean
    return Estimate(
        t=moments.t + wider * shift if wider else None,
        points=moments.mean + moments.deviation * shift,
    )


def correction(test: SequentialTest) -> float:
    """Returns what to add to the observed t."""
    walk = Walk(test.terms)
    groups = test.moments.groups
    end = walk.end(test)
    observed = end / groups
    drift = increasing_root(
        lambda drift: walk.at_least(test.verdict, drift, groups, end) - 0.5,
        near=observed,
        step=1 / sqrt(groups),
    )
    return drift - observed


class Walk:
    """The log likelihood ratio as a Brownian motion.

    Near `t0` and `t1` it rises by (t1 - t0)(t - (t0 + t1)/2) per group. Divided by t1 - t0 it has
    unit variance per group, and the drift t - (t0 + t1)/2.
    """

    def __init__(self, terms: Design) -> None:
        self._scale = terms.t1 - terms.t0
        self._lower = terms.lower / self._scale - OVERSHOOT
        self._upper = terms.upper / self._scale + OVERSHOOT

    def end(self, test: SequentialTest) -> float:
        """Returns where the walk ended: at a boundary, unless the test is undecided."""
        if test.verdict is Verdict.BETTER:
            return self._upper
        if test.verdict is Verdict.NOT_BETTER:
            return self._lower
        return min(max(test.ratio / self._scale, self._lower), self._upper)

    def at_least(self, verdict: Verdict, drift: float, groups: int, end: float) -> float:
        """Returns the probability of an end that is at least as strong, under that drift."""
        if verdict is Verdict.NOT_BETTER:
            return 1 - left_below(drift, self._lower, self._upper, groups)
        above = left_above(drift, self._lower, self._upper, groups)
        if verdict is Verdict.BETTER:
            return above
        return above + inside_above(drift, self._lower, self._upper, groups, end)


def increasing_root(function: Callable[[float], float], near: float, step: float) -> float:
    """Returns where an increasing function is 0, by bisection, to a thousandth of `step`.

    The root is sought no farther than 16 steps from `near`.
    """
    low, high = near - 16 * step, near + 16 * step
    while high - low > step / 1000:
        middle = (low + high) / 2
        if function(middle) < 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2
