"""The ways of playing that are compared: single matches or duplicate groups, with luck or not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, pstdev

from bench.budgets.pool import Played
from bench.luck import adjusted


@dataclass(frozen=True)
class Way:
    """A way of reading the groups of the pool as a series of differences.

    `grouped`: a deal in both seatings makes one difference. Else each difference is of one match,
      of a deal of its own, and the seatings take turns.
    `luck`: adjusted for luck.
    """

    grouped: bool
    luck: bool

    def __str__(self) -> str:
        name = "duplicate groups" if self.grouped else "single matches"
        return f"{name}, less luck" if self.luck else name

    @property
    def matches(self) -> int:
        """The matches of a difference."""
        return 2 if self.grouped else 1

    def units(self, by_match: tuple[float, float]) -> tuple[float, ...]:
        """Returns the differences that a group may make."""
        return (fmean(by_match),) if self.grouped else by_match

    def plain(self, groups: Sequence[Played]) -> list[float]:
        """Returns a difference for each group, in rank points per match; with luck."""
        return self._turned([group.points for group in groups])

    def series(self, groups: Sequence[Played]) -> list[float]:
        """Returns a difference for each group, in rank points per match."""
        points = self.plain(groups)
        if not self.luck:
            return points
        return adjusted(points, self._turned([group.luck for group in groups]))

    def spread(self, groups: Sequence[Played]) -> float:
        """Returns the standard deviation of a difference; of single matches, the mean of both that
        a group could make."""
        turned = [Played(group.points[::-1], group.luck[::-1]) for group in groups]
        return fmean(pstdev(self.series(one)) for one in (groups, turned))

    def _turned(self, groups: Sequence[tuple[float, float]]) -> list[float]:
        found = [self.units(by_match) for by_match in groups]
        return [units[turn % len(units)] for turn, units in enumerate(found)]


WAYS = tuple(Way(grouped, luck) for grouped in (False, True) for luck in (False, True))
