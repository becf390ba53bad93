"""How much better one bot is than another, from deal sets that both played in every seat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, stdev

NORMAL_95 = 1.96  # standard errors either side of the mean


@dataclass(frozen=True)
class Comparison:
    """The mean rank of `bot` less that of `against`: below 0 is better for `bot`. `low` and `high`
    bound its 95 % interval over the deal sets, each of which counts once: luck of the deal cancels
    within it."""

    bot: str
    against: str
    difference: float
    low: float
    high: float
    deal_sets: int

    @property
    def verdict(self) -> str:
        """What the interval says, in words."""
        if self.high < 0:
            return f"{self.bot} is better"
        return f"{self.against} is better" if self.low > 0 else "not decided"


def compared(deal_sets: Sequence[Mapping[str, Sequence[int]]]) -> list[Comparison]:
    """The first bot against each other one. `deal_sets`: in each, the ranks that a bot had in all
    its seats and matches. Nothing can be said from fewer than two deal sets."""
    if len(deal_sets) < 2:
        return []
    bot, *others = deal_sets[0]
    return [_compared(bot, other, deal_sets) for other in others]


def _compared(
    bot: str, against: str, deal_sets: Sequence[Mapping[str, Sequence[int]]]
) -> Comparison:
    differences = [fmean(ranks[bot]) - fmean(ranks[against]) for ranks in deal_sets]
    mean = fmean(differences)
    half = NORMAL_95 * stdev(differences) / sqrt(len(differences))
    return Comparison(bot, against, mean, mean - half, mean + half, len(differences))
