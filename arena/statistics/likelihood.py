"""The generalised likelihood ratio of two strengths of a difference."""

from __future__ import annotations

from math import hypot, log


def log_likelihood_ratio(groups: int, t: float, t0: float, t1: float) -> float:
    """Returns the log likelihood ratio of `t1` against `t0` after so many groups with this t.

    It is (n/2) log((1 + (t - t0)²)/(1 + (t - t1)²)), as in the normalised Elo of chess engine tests
    (M. Van den Bergh, 2020): the likelihoods of normal differences whose means are t0 and t1 times
    the observed deviation, each maximised over the true deviation. Left alone it falls
    again for |t| above 1, because it takes an estimate far from both strengths for a contradiction
    to both. More strength must not be less evidence, so t counts only up to where the ratio is
    largest. One group therefore adds at most asinh((t1 - t0)/2), and a test cannot stop at the
    first few, even if all their differences are equal.
    """
    middle = (t0 + t1) / 2
    reach = hypot(1, (t1 - t0) / 2)
    counted = min(max(t, middle - reach), middle + reach)
    return groups / 2 * log((1 + (counted - t0) ** 2) / (1 + (counted - t1) ** 2))
