"""Perfect round robins at tables of three and four, developed from one round over a finite field.

The entrants are the elements of the field in a few copies, and perhaps one point at infinity, which
stays where it is. Adding each element of the field to all others of a base round gives the rounds.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from arena.tournament.finite_field import FiniteField, finite_field

Table = tuple[int, ...]
Round = tuple[Table, ...]


def developed_tables(count: int, sides: int) -> list[Round] | None:
    """Returns rounds in which every pair meets once, of entrants from 0 to count - 1; None where
    none of these constructions serves."""
    if sides == 4 and count % 12 == 4:
        field = finite_field((count - 1) // 3)
        return _fours(_Copies(field, 3)) if field else None
    if sides == 3 and count % 18 == 3:
        field = finite_field(count // 3)
        return _threes_without_infinity(_Copies(field, 3)) if field else None
    if sides == 3 and count % 12 == 3:
        field = finite_field((count - 1) // 2)
        return _threes(_Copies(field, 2)) if field else None
    return None


@dataclass(frozen=True)
class _Copies:
    """Copies of a field: the element 3 of the second copy of seven elements is the number 10."""

    field: FiniteField
    copies: int

    @property
    def infinity(self) -> int:
        return self.copies * self.field.order

    def table(self, elements: Iterable[int], copies: Iterable[int]) -> Table:
        pairs = zip(elements, copies, strict=True)
        return tuple(copy * self.field.order + element for element, copy in pairs)

    def powers(self, exponents: Iterable[int], copies: Iterable[int]) -> Table:
        return self.table(map(self.field.power, exponents), copies)

    def added(self, element: int, tables: Iterable[Table]) -> Round:
        return tuple(
            sorted(tuple(sorted(self._sum(one, element) for one in table)) for table in tables)
        )

    def developed(self, base: Sequence[Table]) -> list[Round]:
        return [self.added(element, base) for element in range(self.field.order)]

    def _sum(self, point: int, element: int) -> int:
        if point == self.infinity:
            return point
        copy, own = divmod(point, self.field.order)
        return copy * self.field.order + self.field.add(own, element)


def _fours(points: _Copies) -> list[Round]:
    """Three copies of a field of 4t + 1 elements, and infinity. H. Hanani, D. K. Ray-Chaudhuri and
    R. M. Wilson, "On resolvable designs", Discrete Mathematics 3 (1972)."""
    quarter = points.field.order // 4
    base = [(*points.table((0, 0, 0), range(3)), points.infinity)]
    for first in range(quarter):
        for copy in range(3):
            other = (copy + 1) % 3
            exponents = (first + turn * quarter for turn in range(4))
            base.append(points.powers(exponents, (copy, other, copy, other)))
    return points.developed(base)


def _threes_without_infinity(points: _Copies) -> list[Round]:
    """Three copies of a field of 6t + 1 elements. D. K. Ray-Chaudhuri and R. M. Wilson, "Solution
    of Kirkman's schoolgirl problem", Combinatorics (1971)."""
    sixth = points.field.order // 6
    base = [points.table((0, 0, 0), range(3))]
    rounds = []
    for first in range(6 * sixth):
        exponents = [first + 2 * turn * sixth for turn in range(3)]
        across = points.powers(exponents, range(3))
        if first < sixth:
            base += [points.powers(exponents, (copy,) * 3) for copy in range(3)]
        if first // sixth % 2:
            base.append(across)
        else:  # what is developed from this table alone is a round
            tables = (points.added(element, [across])[0] for element in range(points.field.order))
            rounds.append(tuple(sorted(tables)))
    return points.developed(base) + rounds


def _threes(points: _Copies) -> list[Round]:
    """Two copies of a field of 6t + 1 elements, and infinity; also by Ray-Chaudhuri and Wilson."""
    field, sixth = points.field, points.field.order // 6
    one = field.power(0)
    middle = next(
        exponent
        for exponent in range(field.order - 1)
        if field.times(field.add(one, one), field.power(exponent))
        == field.add(field.power(sixth), one)
    )
    base = [(*points.table((0, 0), range(2)), points.infinity)]
    base += [
        points.powers((first, first + sixth, first + middle), (0, 0, 1))
        for first in range(6 * sixth)
        if first // sixth % 2 == 0
    ]
    for first in range(sixth):
        exponents = (first + middle + turn * sixth for turn in (1, 3, 5))
        base.append(points.powers(exponents, (1, 1, 1)))
    return points.developed(base)
