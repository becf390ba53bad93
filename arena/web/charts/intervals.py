"""Intervals of several rows on one scale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arena.web.charts.scale import Scale


@dataclass(frozen=True)
class Interval:
    """An interval in percent of the width: where it begins, its width, and the value in it."""

    x: float
    width: float
    middle: float


def intervals(values: Sequence[tuple[float, float]]) -> list[Interval]:
    """Draws values with margins on either side, all on one scale from the least to the greatest
    end."""
    if not values:
        return []
    low = min(value - margin for value, margin in values)
    high = max(value + margin for value, margin in values)
    scale = Scale(low, max(high, low + 1e-9), 0, 100)
    return [
        Interval(
            x=scale(value - margin),
            width=round(scale(value + margin) - scale(value - margin), 1),
            middle=scale(value),
        )
        for value, margin in values
    ]
