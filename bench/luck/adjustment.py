"""Group differences less what luck explains."""

from __future__ import annotations

from collections.abc import Sequence

FEWEST_TO_FIT = 10
"""Before so many groups the coefficient is 0: nothing is adjusted."""


def adjusted(differences: Sequence[float], lucks: Sequence[float]) -> list[float]:
    """Returns each group's difference less a coefficient times the group's luck.

    `differences`: by group, in the order in which they were started, the rank points of one
    version less those of another. `lucks`: the same difference of the luck of their seats.

    A group's coefficient is the slope fitted on the groups before it alone, so it is fixed when the
    group is dealt. Luck has mean 0 given all that came before, and so has the product: given the
    past, an adjusted difference has exactly the expectation of the difference. That holds even if
    bots learn from group to group, and suits tests that look after every group.

    Raises ValueError if the lists differ in length.
    """
    if len(differences) != len(lucks):
        raise ValueError(
            f"There are {len(differences)} differences and {len(lucks)} lucks; each group has both."
        )
    fitted, better = Slope(), []
    for difference, luck in zip(differences, lucks, strict=True):
        better.append(difference - fitted.value * luck)
        fitted.add(difference, luck)
    return better


class Slope:
    """The least-squares slope of differences on lucks, group by group. The mean of luck is known to
    be 0."""

    def __init__(self) -> None:
        self._groups = 0
        self._differences = self._lucks = self._products = self._squares = 0.0

    def add(self, difference: float, luck: float) -> None:
        """Adds a group."""
        self._groups += 1
        self._differences += difference
        self._lucks += luck
        self._products += difference * luck
        self._squares += luck * luck

    @property
    def value(self) -> float:
        """The slope; 0 for fewer than FEWEST_TO_FIT groups, and if luck never differed from 0."""
        if self._groups < FEWEST_TO_FIT or self._squares == 0:
            return 0.0
        mean = self._differences / self._groups
        return (self._products - mean * self._lucks) / self._squares
