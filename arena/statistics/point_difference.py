"""The difference between bots in rank points, from deal sets played in every seat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from arena.statistics.confidence_sequence import bounded_interval


@dataclass(frozen=True)
class PointDifference:
    """The mean rank points of `bot` minus those of `against`: above 0 favours `bot`.

    `low` and `high` bound the interval of `bounded_interval` over the deal sets, each of which
    counts once, since the luck of the deal cancels within it.
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
        if self.low > 0:
            return f"{self.bot} is better"
        return f"{self.against} is better" if self.high < 0 else "not decided"


def point_differences(deal_sets: Sequence[Mapping[str, Sequence[float]]]) -> list[PointDifference]:
    """Compares the first bot with each of the others.

    `deal_sets`: for each deal set, the rank points of each bot in all its seats and matches.
    """
    bot, *others = deal_sets[0]
    return [_compared(bot, other, deal_sets) for other in others]


def _compared(
    bot: str, against: str, deal_sets: Sequence[Mapping[str, Sequence[float]]]
) -> PointDifference:
    differences = [fmean(points[bot]) - fmean(points[against]) for points in deal_sets]
    low, high = bounded_interval(differences, 1.0)
    return PointDifference(bot, against, fmean(differences), low, high, len(differences))
