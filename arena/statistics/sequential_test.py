"""The test that decides a comparison, group by group."""

from __future__ import annotations

from enum import StrEnum

from arena.statistics.likelihood import log_likelihood_ratio
from arena.statistics.moments import Moments
from arena.statistics.skew_guard import SkewGuard
from arena.statistics.terms import Terms


class Verdict(StrEnum):
    """The answer to "is NEW better than OLD?"."""

    BETTER = "better"
    NOT_BETTER = "not better"
    UNDECIDED = "undecided"
    RUNNING = "running"


class SequentialTest:
    """A generalised sequential probability ratio test (GSPRT), truncated at `terms.most_groups`.

    `moments`: of the differences so far.
    `ratio`: the log likelihood ratio.
    `verdict`: final as soon as it is not `RUNNING`; no group may be added after that.
    """

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.moments = Moments()
        self.ratio = 0.0
        self.verdict = Verdict.RUNNING
        self._guard = SkewGuard(terms)
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
        elif self.ratio >= self._upper and self._guard.allows_better(moments):
            self.verdict = Verdict.BETTER
        elif moments.groups == self.terms.most_groups:
            self.verdict = Verdict.UNDECIDED
        return self.verdict
