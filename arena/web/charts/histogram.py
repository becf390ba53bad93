"""A histogram, with a limit drawn in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

TOP, BOTTOM = 20.0, 26.0  # pixels above the columns for the limit's text, and below for their names
GAP = 0.12  # of a column's width, on either side


@dataclass(frozen=True)
class Bin:
    """A column to draw: the values from `low` up to `high`, of which there are `count`."""

    low: float
    high: float
    count: int
    text: str


@dataclass(frozen=True)
class Column:
    """A column as it is drawn: `x` and `width` in percent, `y` and `height` in pixels.

    `share`: of all values. `beyond`: True if all of it is beyond the limit.
    """

    x: float
    width: float
    middle: float
    y: float
    height: float
    text: str
    count: int
    share: float
    beyond: bool


@dataclass(frozen=True)
class Histogram:
    """A drawing of columns of equal width.

    `limit`: the place of the limit, in percent; None if it is not within the columns.
    """

    height: int
    floor: float
    columns: tuple[Column, ...]
    limit: float | None
    total: int


def histogram(bins: Sequence[Bin], limit: float | None = None, height: int = 200) -> Histogram:
    """Draws bins that follow one another. `limit`: a value to mark."""
    floor, most = height - BOTTOM, max((one.count for one in bins), default=0)
    total = sum(one.count for one in bins)
    width = 100 / max(1, len(bins))
    return Histogram(
        height=height,
        floor=floor,
        columns=tuple(
            _column(number, one, width, floor, most, total, limit)
            for number, one in enumerate(bins)
        ),
        limit=None if limit is None else _place(bins, limit, width),
        total=total,
    )


def _column(
    number: int,
    one: Bin,
    width: float,
    floor: float,
    most: int,
    total: int,
    limit: float | None,
) -> Column:
    tall = (floor - TOP) * one.count / most if most else 0
    if one.count:
        tall = max(tall, 1.5)  # a single one is still seen
    return Column(
        x=round((number + GAP) * width, 2),
        width=round((1 - 2 * GAP) * width, 2),
        middle=round((number + 0.5) * width, 2),
        y=round(floor - tall, 1),
        height=round(tall, 1),
        text=one.text,
        count=one.count,
        share=one.count / total if total else 0,
        beyond=limit is not None and one.low >= limit,
    )


def _place(bins: Sequence[Bin], value: float, width: float) -> float | None:
    for number, one in enumerate(bins):
        if one.low <= value < one.high:
            return round((number + (value - one.low) / (one.high - one.low)) * width, 2)
    return None
