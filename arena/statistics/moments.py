"""The moments of the group differences, updated group by group."""

from __future__ import annotations

from math import copysign, inf, sqrt


class Moments:
    """Number, mean, spread and skewness of the differences added so far.

    The sums of powers of deviations follow B. P. Welford (1962) and T. B. Terriberry (2007), so
    that equal differences have a spread of exactly 0.

    `largest`: the largest absolute difference.
    """

    def __init__(self) -> None:
        self.groups = 0
        self.mean = 0.0
        self.largest = 0.0
        self._squares = 0.0
        self._cubes = 0.0

    def add(self, difference: float) -> None:
        """Adds the difference of one group."""
        before = self.groups
        self.groups += 1
        deviation = difference - self.mean
        step = deviation / self.groups
        square = deviation * step * before
        self.mean += step
        self._cubes += square * step * (before - 1) - 3 * step * self._squares
        self._squares += square
        if abs(difference) > self.largest:
            self.largest = abs(difference)

    @property
    def deviation(self) -> float:
        """The standard deviation, with the number of groups as the divisor; 0 without groups."""
        return sqrt(self._squares / self.groups) if self.groups else 0.0

    @property
    def t(self) -> float:
        """The mean over the standard deviation. If all differences are equal it is infinite, or 0
        if they are 0."""
        spread = self.deviation
        if spread:
            return self.mean / spread
        return copysign(inf, self.mean) if self.mean else 0.0

    @property
    def skewness(self) -> float:
        """The third standardised moment; 0 if all differences are equal."""
        spread = self.deviation
        return self._cubes / self.groups / spread**3 if spread else 0.0
