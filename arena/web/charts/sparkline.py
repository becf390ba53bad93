"""A curve as small as a word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arena.web.charts.scale import Scale
from arena.web.charts.thinning import thinned

WIDTH, HEIGHT, EDGE = 84, 22, 3  # pixels
MOST = 30  # points


@dataclass(frozen=True)
class Sparkline:
    """The curve's path, and the point in which it ends."""

    path: str
    x: float
    y: float
    width: int = WIDTH
    height: int = HEIGHT


def sparkline(values: Sequence[float]) -> Sparkline | None:
    """Draws values at equal distances; None if there are fewer than two."""
    if len(values) < 2:
        return None
    points = thinned(list(enumerate(values)), MOST, lambda point: point)
    low, high = min(values), max(values)
    if low == high:
        low, high = low - 1, high + 1
    along = Scale(0, len(values) - 1, EDGE, WIDTH - EDGE)
    up = Scale(low, high, HEIGHT - EDGE, EDGE)
    places = [(along(x), up(y)) for x, y in points]
    return Sparkline("M" + "L".join(f"{x:g} {y:g}" for x, y in places), *places[-1])
