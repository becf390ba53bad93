"""Group differences less what luck explains."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum
from statistics import fmean

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
    return [
        difference - slope(differences[:group], lucks[:group]) * luck
        for group, (difference, luck) in enumerate(zip(differences, lucks, strict=True))
    ]


def slope(differences: Sequence[float], lucks: Sequence[float]) -> float:
    """Returns the least-squares slope of differences on lucks; 0 for fewer than FEWEST_TO_FIT
    groups, and if luck never differed from 0. The mean of luck is known to be 0."""
    spread = fsum(luck * luck for luck in lucks)
    if len(lucks) < FEWEST_TO_FIT or spread == 0:
        return 0.0
    mean = fmean(differences)
    together = fsum((own - mean) * luck for own, luck in zip(differences, lucks, strict=True))
    return together / spread
