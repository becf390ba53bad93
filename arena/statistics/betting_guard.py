"""The protection of "better" from skewed differences, such as rare large losses."""

from __future__ import annotations

from math import inf, log, sqrt

from arena.statistics.design import Design
from arena.statistics.moments import Moments

LARGEST_STAKE = 0.9


class BettingGuard:
    """A gambler who stakes on NEW, and must have won much before NEW is called better.

    The likelihood ratio takes the mean for normally distributed, which it is not yet while rare
    large losses are still to come. The gambler assumes nothing. They begin with 1, and before each
    group stake a share of their fortune, so that the group multiplies it by 1 + stake (D - d)/w:
    D is the difference, w the largest possible one, d the difference at `t0`. If the mean of D is
    d or less, no strategy wins in the long run, and the fortune ever reaches 1/alpha with a
    probability of at most alpha, whatever the distribution (J. Ville, 1939; for such bets
    I. Waudby-Smith and A. Ramdas, 2024). This is exact for t0 = 0 and a known w. Without one, w is
    the largest absolute difference so far.

    The stake is (t1 - t0) w over the root mean square of the earlier differences, together with an
    imagined one of w/2. For normal differences the fortune then grows as the likelihood ratio does.
    """

    def __init__(self, terms: Design) -> None:
        self._terms = terms
        self._squares = 0.0
        self._log_fortune = 0.0

    @property
    def allows_better(self) -> bool:
        """True while the fortune is at least 1/alpha."""
        return self._log_fortune >= -log(self._terms.alpha)

    def add(self, difference: float, moments: Moments) -> None:
        """Counts a group. `moments`: including it."""
        terms = self._terms
        widest = moments.largest if terms.widest is None else terms.widest
        if not widest:
            return
        usual = sqrt((self._squares + (widest / 2) ** 2) / moments.groups)
        stake = min((terms.t1 - terms.t0) * widest / usual, LARGEST_STAKE)
        factor = 1 + stake * (difference - terms.t0 * moments.deviation) / widest
        self._log_fortune += log(factor) if factor > 0 else -inf
        self._squares += difference**2
