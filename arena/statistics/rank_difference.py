"""Estimates how much better one bot is than another, from deal sets played in every seat.

The number of deal sets is fixed beforehand, so the interval is Student's: one that holds at all
times, as in `confidence_sequence`, would be about twice as wide.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum, sqrt
from statistics import fmean, stdev

FEWEST_DEAL_SETS = 3
"""Fewer give no verdict: the interval of two is wider than any difference."""

# Student's t for 95 %, two-sided, by degrees of freedom from 1 (NIST/SEMATECH e-Handbook of
# Statistical Methods, 1.3.6.7.2).
FEW_DEGREES = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228)
NORMAL = 1.959964  # the limit for infinitely many


@dataclass(frozen=True)
class RankDifference:
    """The mean rank of `bot` minus that of `against`: below 0 favours `bot`.

    `low` and `high` bound its 95 % interval over the deal sets, each of which counts once, since
    the luck of the deal cancels within it.
    """

    bot: str
    against: str
    difference: float
    low: float
    high: float
    deal_sets: int

    @property
    def verdict(self) -> str:
        """Returns the meaning of the interval in words."""
        if self.deal_sets < FEWEST_DEAL_SETS:
            return f"not decided: play at least {FEWEST_DEAL_SETS} deal sets"
        if self.high < 0:
            return f"{self.bot} is better"
        return f"{self.against} is better" if self.low > 0 else "not decided"


def rank_differences(
    deal_sets: Sequence[Mapping[str, Sequence[float]]], widest: int
) -> list[RankDifference]:
    """Compares the first bot with each of the others.

    `deal_sets`: for each deal set, the ranks of each bot in all its seats and matches.
    `widest`: the largest possible difference.

    Fewer than two deal sets give no comparison.
    """
    if len(deal_sets) < 2:
        return []
    bot, *others = deal_sets[0]
    return [_compared(bot, other, deal_sets, widest) for other in others]


def student_t(degrees: int) -> float:
    """Returns Student's t for a two-sided interval of 95 %.

    Beyond the table it uses the expansion at infinity (Abramowitz and Stegun, 26.7.5), correct to
    three digits.
    """
    if degrees <= len(FEW_DEGREES):
        return FEW_DEGREES[degrees - 1]
    z = NORMAL
    terms = (
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
    )
    return fsum(term / float(degrees**power) for power, term in enumerate(terms))


def _compared(
    bot: str, against: str, deal_sets: Sequence[Mapping[str, Sequence[float]]], widest: int
) -> RankDifference:
    differences = [fmean(ranks[bot]) - fmean(ranks[against]) for ranks in deal_sets]
    mean = fmean(differences)
    n = len(differences)
    half = student_t(n - 1) * stdev(differences) / sqrt(n)
    low, high = max(-float(widest), mean - half), min(float(widest), mean + half)
    return RankDifference(bot, against, mean, low, high, n)
