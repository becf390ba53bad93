"""Fewer points that look the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")
MOST_POINTS = 300  # points of a drawing; more cannot be seen


def thinned(points: Sequence[T], most: int, place: Callable[[T], tuple[float, float]]) -> list[T]:
    """Returns at most that number (at least 3) of the points, with the first and the last.

    Largest triangle, three buckets (Steinarsson, 2013): of each bucket of neighbours it takes the
    point that spans the largest triangle with the point taken before and the mean of the next
    bucket, so that peaks survive. `place`: a point's coordinates.
    """
    assert most >= 3
    if len(points) <= most:
        return list(points)
    places = [place(point) for point in points]
    edges = [1 + (len(points) - 2) * number // (most - 2) for number in range(most - 1)]
    taken = [0]
    for number, start in enumerate(edges[:-1]):
        end = edges[number + 1]
        after = places[end : edges[number + 2]] if number + 2 < len(edges) else places[-1:]
        taken.append(_furthest(places, range(start, end), places[taken[-1]], _mean(after)))
    return [points[index] for index in (*taken, len(points) - 1)]


def _furthest(
    places: Sequence[tuple[float, float]],
    indices: range,
    before: tuple[float, float],
    after: tuple[float, float],
) -> int:
    (x0, y0), (x1, y1) = before, after
    return max(
        indices,
        key=lambda i: abs((x0 - x1) * (places[i][1] - y0) - (x0 - places[i][0]) * (y1 - y0)),
    )


def _mean(places: Sequence[tuple[float, float]]) -> tuple[float, float]:
    count = len(places)
    return sum(x for x, _ in places) / count, sum(y for _, y in places) / count
