"""Pairings of three or more at a table: exact for small fields, else improved by exchanges."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from math import factorial

from arena.tournament.pairing.cost import TableCosts, Vector

Tables = list[tuple[int, ...]]

MOST_PARTITIONS = 50_000
"""Fields with more ways to seat them are improved by exchanges instead of searched through."""


def partitions(count: int, size: int) -> int:
    """Returns the number of ways to seat `count` at tables of `size`, with the fewest byes."""
    tables, byes = divmod(count, size)
    same = int(factorial(size) ** tables) * factorial(tables) * factorial(byes)
    return factorial(count) // same


def cheapest_tables(costs: TableCosts) -> Tables | None:
    """Returns the tables and byes of least cost, by branch and bound; None if no table is allowed.

    Of several it returns the lexicographically smallest, a bye being larger than any table.
    """
    numbers = costs.numbers
    for byes in range(len(numbers) % costs.per_table, len(numbers), costs.per_table):
        if best := _Search(costs).best(numbers, byes):
            return best
    return None


class _Search:
    """One depth-first search. A partial cost only grows, and the lexicographic order goes with it:
    a branch that is no cheaper than the best pairing so far holds none that is better."""

    def __init__(self, costs: TableCosts) -> None:
        self._costs = costs
        self._known: dict[tuple[int, ...], Vector] = {}
        self._best: Tables | None = None
        self._bound: Vector | None = None

    def best(self, numbers: list[int], byes: int) -> Tables | None:
        nothing = (0,) * len(self._costs.of_table(numbers[:1]))
        self._visit(numbers, byes, [], nothing)
        return self._best

    def _visit(self, left: list[int], byes: int, chosen: Tables, spent: Vector) -> None:
        if self._bound is not None and spent >= self._bound:
            return
        if not left:
            self._best, self._bound = list(chosen), spent
            return
        for table in self._tables(left, byes):
            total = tuple(map(sum, zip(spent, self._cost(table), strict=True)))
            rest = [number for number in left if number not in table]
            self._visit(rest, byes - (len(table) == 1), [*chosen, table], total)

    def _tables(self, left: list[int], byes: int) -> Iterator[tuple[int, ...]]:
        first, *others = left
        for companions in combinations(others, self._costs.per_table - 1):
            if self._costs.allowed((first, *companions)):
                yield (first, *companions)
        if byes:
            yield (first,)

    def _cost(self, table: tuple[int, ...]) -> Vector:
        if table not in self._known:
            self._known[table] = self._costs.of_table(table)
        return self._known[table]


def improved_tables(costs: TableCosts, start: list[int]) -> Tables:
    """Returns tables that no exchange of two entrants makes cheaper.

    `start`: the numbers from the best to the last. They are cut into tables in this order, the
    last ones have the byes, and exchanges only ever lower the cost. A table whose owners cannot be
    separated is dissolved into byes.
    """
    size = costs.per_table
    seated = len(start) - len(start) % size
    tables = [tuple(sorted(start[at : at + size])) for at in range(0, seated, size)]
    tables += [(number,) for number in start[seated:]]
    while _improve(costs, tables):
        pass
    kept = [table for table in tables if costs.allowed(table)]
    loose = [(each,) for table in tables if not costs.allowed(table) for each in table]
    return sorted([*kept, *loose], key=lambda table: (len(table) == 1, table))


def _improve(costs: TableCosts, tables: Tables) -> bool:
    """Makes every exchange that helps, in one pass; returns whether there was any."""
    improved = False
    for left, right in combinations(range(len(tables)), 2):
        for one, other in product(tables[left], tables[right]):
            before = tables[left], tables[right]
            after = _exchanged(before[0], one, other), _exchanged(before[1], other, one)
            if _weighed(costs, after) < _weighed(costs, before):
                tables[left], tables[right] = after
                improved = True
                break
    return improved


def _weighed(costs: TableCosts, tables: tuple[tuple[int, ...], ...]) -> tuple[int, Vector]:
    return sum(not costs.allowed(table) for table in tables), costs.of_pairing(tables)


def _exchanged(table: tuple[int, ...], leaves: int, comes: int) -> tuple[int, ...]:
    return tuple(sorted(comes if each == leaves else each for each in table))
