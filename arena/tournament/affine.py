"""Affine spaces over finite fields: their lines, class by class of parallels, are the rounds of a
perfect round robin of q, q², q³ … entrants at tables of q."""

from __future__ import annotations

from itertools import product

from arena.tournament.finite_field import FiniteField, finite_field

Point = tuple[int, ...]
Round = tuple[tuple[int, ...], ...]

MOST_POINTS = 1024


def affine_lines(count: int, order: int) -> list[Round] | None:
    """Returns for each class of parallel lines its lines, as tuples of points from 0 to count - 1;
    None if there is no affine space of so many points, or no field of that order."""
    dimension, field = _dimension(count, order), finite_field(order)
    if dimension is None or field is None:
        return None
    points = list(product(range(order), repeat=dimension))
    index = {point: number for number, point in enumerate(points)}
    rounds = []
    for direction in _directions(order, dimension):
        left, lines = set(points), []
        for point in points:
            if point in left:
                line = {_along(field, point, step, direction) for step in range(order)}
                left -= line
                lines.append(tuple(sorted(index[one] for one in line)))
        rounds.append(tuple(lines))
    return rounds


def _along(field: FiniteField, point: Point, step: int, direction: Point) -> Point:
    return tuple(field.add(a, field.times(step, b)) for a, b in zip(point, direction, strict=True))


def _dimension(count: int, order: int) -> int | None:
    dimension, size = 1, order
    while size < count <= MOST_POINTS:
        dimension, size = dimension + 1, size * order
    return dimension if size == count else None


def _directions(order: int, dimension: int) -> list[Point]:
    """Returns one direction of each class of parallels: its first coordinate that is not 0 is 1."""
    return [
        direction
        for direction in product(range(order), repeat=dimension)
        if next((step for step in direction if step), 0) == 1
    ]
