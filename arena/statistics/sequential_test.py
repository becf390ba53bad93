"""The test that decides a comparison, group by group."""

from __future__ import annotations

from enum import StrEnum
from math import hypot, log

from arena.statistics.betting_guard import BettingGuard
from arena.statistics.design import Design
from arena.statistics.moments import Moments


class Verdict(StrEnum):
    """The answer to "is NEW better than OLD?"."""

    BETTER = "better"
    NOT_BETTER = "not better"
    UNDECIDED = "undecided"
    RUNNING = "running"


class SequentialTest:
    """A generalised sequential probability ratio test (GSPRT), truncated at `terms.most_groups`.
    "Better" also needs the consent of a `BettingGuard`.

    `moments`: of the differences so far.
    `ratio`: the log likelihood ratio.
    `verdict`: final as soon as it is not `RUNNING`; no group may be added after that.
    """

    def __init__(self, terms: Design) -> None:
        self.terms = terms
        self.moments = Moments()
        self.ratio = 0.0
        self.verdict = Verdict.RUNNING
        self._guard = BettingGuard(terms)
        self._lower, self._upper = terms.lower, terms.upper
        self._t0, self._t1 = terms.t0, terms.t1

    def add(self, difference: float) -> Verdict:
        """Counts the next group in start order, and returns the verdict after it."""
        if self.verdict is not Verdict.RUNNING:
            raise ValueError(f"The test has ended with the verdict {self.verdict!r}.")
        moments = self.moments
        moments.add(difference)
        self._guard.add(difference, moments)
        self.ratio = log_likelihood_ratio(moments.groups, moments.t, self._t0, self._t1)
        if self.ratio <= self._lower:
            self.verdict = Verdict.NOT_BETTER
        elif self.ratio >= self._upper and self._guard.allows_better:
            self.verdict = Verdict.BETTER
        elif moments.groups == self.terms.most_groups:
            self.verdict = Verdict.UNDECIDED
        return self.verdict


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
