"""What protects "better" from rare large losses.

The likelihood ratio takes the mean for normally distributed, which it is not yet if many small
gains stand against rare large losses: before the first loss, every group speaks for NEW.
"""

from __future__ import annotations

from math import log

from arena.statistics.moments import Moments
from arena.statistics.terms import Terms

SKEWED = 1.0
"""From this absolute skewness of the differences on, the error rates are called approximate."""
STAKES = (0.9, *(2.0**-power for power in range(1, 9)))


class SkewGuard:
    """Says whether the differences, as far as counted, may be called better.

    `wealth` is the mean fortune of gamblers who begin with 1, and in each group stake the share λ
    of what they have on NEW, for each λ of `STAKES`: a group multiplies it by 1 + λ(D - d)/w. D is
    the difference, w the largest possible one, d the difference at `t0`. If the mean of D is d or
    less, wealth ever reaches 1/alpha with a probability of at most alpha, whatever the distribution
    (I. Waudby-Smith and A. Ramdas, 2024). This is exact for t0 = 0 and a known w. Without one, w is
    the largest absolute difference so far.
    """

    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self._fortunes = [1.0] * len(STAKES)

    @property
    def wealth(self) -> float:
        """The mean fortune."""
        return sum(self._fortunes) / len(STAKES)

    def add(self, difference: float, moments: Moments) -> None:
        """Counts a group. `moments`: including it."""
        terms = self._terms
        widest = moments.largest if terms.widest is None else terms.widest
        if widest:
            gain = (difference - terms.t0 * moments.deviation) / widest
            self._fortunes = [
                fortune * max(1 + stake * gain, 0.0)
                for fortune, stake in zip(self._fortunes, STAKES, strict=True)
            ]

    def allows_better(self, moments: Moments) -> bool:
        """Returns True if the verdict survives losses not yet seen, and those that were seen."""
        if not self._survives_hidden_losses(moments):
            return False
        return moments.skewness > -SKEWED or self.wealth >= 1 / self._terms.alpha

    def _survives_hidden_losses(self, moments: Moments) -> bool:
        """Returns whether t stays above `t0` if there are losses that have not shown yet.

        An event that has not occurred in n groups may, with probability alpha, be as frequent as
        log(1/alpha)/n: the "rule of three" for 5 %. So as many groups with the largest loss are
        added.
        """
        terms = self._terms
        widest = moments.largest if terms.widest is None else terms.widest
        return moments.t_with(log(1 / terms.alpha), -widest) > terms.t0
