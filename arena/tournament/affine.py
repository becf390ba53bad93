"""Affine spaces over finite fields: their lines, class by class of parallels, are the rounds of a
perfect round robin of q, q², q³ … entrants at tables of q."""

from __future__ import annotations

from itertools import product

Point = tuple[int, ...]
Round = tuple[tuple[int, ...], ...]

MODULI = {4: 0b111, 8: 0b1011}
"""Fields of 2^n elements, with the irreducible polynomial in bits."""
MOST_POINTS = 1000


def affine_lines(count: int, order: int) -> list[Round] | None:
    """Returns for each class of parallel lines its lines, as tuples of points from 0 to count - 1;
    None if there is no affine space of so many points, or no field of that order is known here."""
    dimension = _dimension(count, order)
    if dimension is None or not (order in MODULI or _is_prime(order)):
        return None
    points = list(product(range(order), repeat=dimension))
    index = {point: number for number, point in enumerate(points)}
    rounds = []
    for direction in _directions(order, dimension):
        left, lines = set(points), []
        for point in points:
            if point in left:
                line = {
                    tuple(
                        _add(a, _times(step, b, order), order)
                        for a, b in zip(point, direction, strict=True)
                    )
                    for step in range(order)
                }
                left -= line
                lines.append(tuple(sorted(index[one] for one in line)))
        rounds.append(tuple(lines))
    return rounds


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


def _add(one: int, other: int, order: int) -> int:
    return one ^ other if order in MODULI else (one + other) % order


def _times(one: int, other: int, order: int) -> int:
    if order not in MODULI:
        return one * other % order
    modulus = MODULI[order]
    result = 0
    while other:
        if other & 1:
            result ^= one
        other >>= 1
        one <<= 1
        if one & order:
            one ^= modulus
    return result


def _is_prime(number: int) -> bool:
    return number > 1 and all(number % divisor for divisor in range(2, int(number**0.5) + 1))
