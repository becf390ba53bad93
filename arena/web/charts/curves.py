"""Curves over time: one with its band, or several."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arena.web.charts.scale import (
    WIDEST,
    Scale,
    Tick,
    round_text,
    round_values,
    rounded_range,
)
from arena.web.charts.thinning import MOST_POINTS, thinned

STYLES = 8  # colours and dashes that the style sheet tells apart
SHORT = 4  # characters of a name that always has room next to its line
LABEL_GAP = 15.0  # pixels between two labels
TOP, BOTTOM = 10.0, 26.0  # pixels above the plane, and below it for the values along it
TICKS_UP, TICKS_ALONG = 4, 5


@dataclass(frozen=True)
class Point:
    """A point of a curve. `margin`: half the height of the band around it; 0 for none."""

    x: float
    y: float
    margin: float = 0


@dataclass(frozen=True)
class Line:
    """A curve with a name. `address`: of what it is about; empty for none."""

    name: str
    points: Sequence[Point]
    address: str = ""


@dataclass(frozen=True)
class Drawn:
    """A curve as it is drawn.

    `key`: its number in the drawing, from 1; also the number of its style.
    `path`, `band`: of SVG, in a plane WIDEST wide; `band` is empty if there is none.
    `end`: its last height, in pixels from the top; `label`: the height of its label.
    `points`: those that are drawn.
    """

    name: str
    address: str
    key: int
    path: str
    band: str
    end: float
    label: float
    points: tuple[Point, ...]


@dataclass(frozen=True)
class Curves:
    """A drawing of curves.

    `height`: in pixels, with `plane` of them for the curves.
    `up`: values on the vertical axis, in pixels from the top.
    `along`: values on the horizontal axis, in percent of the width.
    """

    height: int
    plane: float
    up: tuple[Tick, ...]
    along: tuple[Tick, ...]
    lines: tuple[Drawn, ...]

    @property
    def has_bands(self) -> bool:
        """True if there is a band around any curve."""
        return any(line.band for line in self.lines)

    @property
    def numbered(self) -> bool:
        """True if names are too long to label the lines, so that their keys do."""
        return any(len(line.name) > SHORT for line in self.lines)


def curves(lines: Sequence[Line], height: int = 260) -> Curves | None:
    """Draws at most STYLES curves; None if none of them has a point."""
    wanted = [line for line in lines[:STYLES] if line.points]
    if not wanted:
        return None
    each = max(3, MOST_POINTS // len(wanted))
    kept = [thinned(line.points, each, lambda point: (point.x, point.y)) for line in wanted]
    points = [point for line in kept for point in line]
    low, high, values = rounded_range(
        min(point.y - point.margin for point in points),
        max(point.y + point.margin for point in points),
        TICKS_UP,
    )
    first, last = min(point.x for point in points), max(point.x for point in points)
    if first == last:
        first, last = first - 1, last + 1
    up = Scale(low, high, height - BOTTOM, TOP)
    along = Scale(first, last, 0, WIDEST)
    ends = [up(line[-1].y) for line in kept]
    labels = _apart(ends, TOP, height - BOTTOM)
    return Curves(
        height=height,
        plane=height - BOTTOM,
        up=tuple(Tick(up(value), round_text(value)) for value in values),
        along=_ticks_along(first, last, along),
        lines=tuple(
            Drawn(
                name=line.name,
                address=line.address,
                key=number,
                path=_path([(along(point.x), up(point.y)) for point in drawn]),
                band=_band(drawn, along, up),
                end=end,
                label=label,
                points=tuple(drawn),
            )
            for number, (line, drawn, end, label) in enumerate(
                zip(wanted, kept, ends, labels, strict=True), 1
            )
        ),
    )


def _ticks_along(first: float, last: float, along: Scale) -> tuple[Tick, ...]:
    values = round_values(first, last, TICKS_ALONG)
    return tuple(
        Tick(round(along(value) * 100 / WIDEST, 1), round_text(value))
        for value in values
        if value == int(value)
    )


def _path(places: Sequence[tuple[float, float]]) -> str:
    if len(places) == 1:  # a line of no length, which round caps make a dot
        places = [*places, *places]
    return "M" + "L".join(f"{x:g} {y:g}" for x, y in places)


def _band(points: Sequence[Point], along: Scale, up: Scale) -> str:
    if not any(point.margin for point in points):
        return ""
    upper = [(along(point.x), up(point.y + point.margin)) for point in points]
    lower = [(along(point.x), up(point.y - point.margin)) for point in reversed(points)]
    return f"{_path([*upper, *lower])}Z"


def _apart(wanted: Sequence[float], top: float, bottom: float) -> list[float]:
    """Returns places near the wanted ones with LABEL_GAP between them, from `top` to `bottom` as
    far as there is room."""
    order = sorted(range(len(wanted)), key=lambda index: wanted[index])
    places: dict[int, float] = {}
    least = top
    for index in order:
        places[index] = max(wanted[index], least)
        least = places[index] + LABEL_GAP
    most = bottom
    for index in reversed(order):
        places[index] = min(places[index], most)
        most = places[index] - LABEL_GAP
    return [round(places[index], 1) for index in range(len(wanted))]


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
