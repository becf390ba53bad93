"""Evidence against "NEW and OLD are interchangeable", valid whenever one looks at it."""

from __future__ import annotations

from math import exp, log, log1p, sqrt

BETS = tuple(2.0**power for power in range(-5, 2))
"""The strengths of difference that the evidence is prepared for: t from 0.03 to 2, each equally."""


class Evidence:
    """How many times more the differences favour one side than chance would.

    If NEW and OLD are interchangeable, the difference D of a balanced group is as likely as -D,
    whatever the game, and whatever the sizes |D| are. Then exp(λD)/cosh(λD) has the mean 1 given
    |D| and all earlier groups. So has the product over the groups with any λ chosen from these,
    and the average of such products: it is a test martingale, which ever reaches 1/alpha with a
    probability of at most alpha (J. Ville, 1939). λ is a bet of `BETS` divided by the root mean
    square of all sizes including this group's, which makes the evidence independent of the unit of
    points.

    It tests "no difference" and not "mean difference 0": skewed differences are a difference.
    """

    def __init__(self) -> None:
        self._groups = 0
        self._squares = 0.0
        self._products = [0.0] * len(BETS)  # logarithms
        self._opposite = [0.0] * len(BETS)

    def add(self, difference: float) -> None:
        """Counts the next group in start order."""
        self._groups += 1
        self._squares += difference * difference
        if not difference:
            return
        size = difference / sqrt(self._squares / self._groups)
        for index, bet in enumerate(BETS):
            self._products[index] += log_bet(bet * size)
            self._opposite[index] += log_bet(-bet * size)

    @property
    def for_new(self) -> float:
        """The natural logarithm of the evidence that NEW is ahead."""
        return log_mean(self._products)

    @property
    def for_old(self) -> float:
        """The natural logarithm of the evidence that OLD is ahead."""
        return log_mean(self._opposite)


def log_bet(x: float) -> float:
    """Returns log(exp(x)/cosh(x)), without overflow."""
    return log(2) - log1p(exp(-2 * x)) if x > 0 else log(2) + 2 * x - log1p(exp(2 * x))


def log_mean(logarithms: list[float]) -> float:
    """Returns the logarithm of the mean of numbers given by their logarithms."""
    most = max(logarithms)
    return most + log(sum(exp(each - most) for each in logarithms) / len(logarithms))
