"""Values as places in a drawing, and intervals of several rows on one scale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

from arena.web.formats import MINUS

STEPS = (1, 2, 5, 10)
NARROWEST = 1e-9
"""The narrowest range that is drawn; a narrower one is a point."""
WIDEST = 1000
"""The width of the plane of a drawing that is stretched to the width of the page."""


@dataclass(frozen=True)
class Tick:
    """A value marked on an axis: where it is, and its text."""

    at: float
    text: str


@dataclass(frozen=True)
class Scale:
    """A linear scale from the values `low` to `high` onto the places `start` to `end`."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        """Returns the place of a value, to a tenth."""
        share = (value - self.low) / (self.high - self.low)
        return round(self.start + share * (self.end - self.start), 1)


def rounded_range(low: float, high: float, ticks: int) -> tuple[float, float, tuple[float, ...]]:
    """Returns a range of round numbers that holds `low` and `high`, with about that number of round
    values in it, its ends among them."""
    if high - low < NARROWEST:
        low, high = low - 1, high + 1
    step = round_step((high - low) / ticks)
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    values = tuple(number * step for number in range(first, last + 1))
    return values[0], values[-1], values


def round_values(low: float, high: float, ticks: int) -> tuple[float, ...]:
    """Returns about that number of round values from `low` to `high`."""
    step = round_step((high - low) / ticks)
    first, last = ceil(low / step - 1e-9), floor(high / step + 1e-9)
    return tuple(number * step for number in range(first, last + 1))


def round_step(least: float) -> float:
    """Returns the smallest of 1, 2, 5, 10, 20, … and 0.5, 0.2, … that is at least `least`."""
    if least <= 0:
        return 1
    size = 10.0 ** floor(log10(least))
    return next(size * step for step in STEPS if size * step >= least * (1 - 1e-9))


def round_text(value: float) -> str:
    """Returns a round value without digits that say nothing."""
    text = f"{value:,.4f}".rstrip("0").rstrip(".").replace(",", "\N{NARROW NO-BREAK SPACE}")
    return "0" if text == "-0" else text.replace("-", MINUS)


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
