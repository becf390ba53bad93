"""The cheapest pairing of two sides: a maximum-weight matching with exact integer weights."""

from __future__ import annotations

from itertools import combinations

from arena.tournament.pairing.cost import TableCosts, Vector

Tables = list[tuple[int, ...]]


def cheapest_pairs(costs: TableCosts) -> Tables:
    """Returns the pairs and byes of least cost; of several, the lexicographically smallest.

    An edge weighs what it saves against two byes, so that the heaviest matching costs least.
    """
    import networkx  # here, because it takes a tenth of the time in which a server starts

    numbers = costs.numbers
    singles = {number: costs.of_table((number,)) for number in numbers}
    pairs = {pair: costs.of_table(pair) for pair in combinations(numbers, 2) if costs.allowed(pair)}
    bases = _bases(list(singles.values()) + list(pairs.values()), len(numbers))
    order = {number: at for at, number in enumerate(numbers)}
    base = len(numbers) + 1

    def weight(table: tuple[int, ...], vector: Vector) -> int:
        total = 0
        for value, span in zip(vector, bases, strict=True):
            total = total * span + value
        partner = order[table[1]] if len(table) == 2 else len(numbers)
        place = len(numbers) - 1 - order[table[0]]
        return int(total * base ** len(numbers) + partner * base**place)

    alone = {number: weight((number,), vector) for number, vector in singles.items()}
    graph: networkx.Graph[int] = networkx.Graph()
    graph.add_nodes_from(numbers)
    for (one, other), vector in pairs.items():
        saved = alone[one] + alone[other] - weight((one, other), vector)
        graph.add_edge(one, other, weight=saved)
    matched = [(min(pair), max(pair)) for pair in networkx.max_weight_matching(graph)]
    seated = {number for pair in matched for number in pair}
    return sorted(matched) + [(number,) for number in numbers if number not in seated]


def _bases(vectors: list[Vector], count: int) -> list[int]:
    """Returns for each component one more than the most that a pairing can have of it."""
    return [max(column) * count + 1 for column in zip(*vectors, strict=True)]
