"""Pairs a round by its cost vector."""

from __future__ import annotations

from collections.abc import Sequence

from arena.tournament.meeting import Pairing, meetings_of
from arena.tournament.pairing.cost import Contender, TableCosts
from arena.tournament.pairing.matching import cheapest_pairs
from arena.tournament.pairing.seating_search import (
    MOST_PARTITIONS,
    Tables,
    cheapest_tables,
    improved_tables,
    partitions,
)
from arena.tournament.tournament_terms import TournamentError

EXACT = "exact"
IMPROVED = "improved until no exchange of two helps"


def pair(round_number: int, contenders: Sequence[Contender], per_table: int) -> Pairing:
    """Pairs the contenders of a round at tables of `per_table`.

    Raises TournamentError if not one table can be filled.
    """
    costs = TableCosts(contenders, per_table)
    tables, method = _tables(contenders, costs) if len(contenders) >= per_table else ([], EXACT)
    seated = [table for table in tables if len(table) == per_table]
    if not seated:
        names = ", ".join(str(each.number) for each in contenders) or "none"
        raise TournamentError(
            f"Round {round_number} cannot be paired: a table needs {per_table} entrants of "
            f"different owners, and those who play are: {names}.",
            "entrants",
        )
    points = {each.number: each.half_points for each in contenders}
    seated.sort(key=lambda table: (-max(points[each] for each in table), table))
    byes = tuple(table[0] for table in tables if len(table) == 1)
    named = costs.named(costs.of_pairing(tables))
    return Pairing(round_number, meetings_of(round_number, seated), byes, named, method)


def _tables(contenders: Sequence[Contender], costs: TableCosts) -> tuple[Tables, str]:
    if costs.per_table == 2:
        return cheapest_pairs(costs), EXACT
    if partitions(len(contenders), costs.per_table) <= MOST_PARTITIONS:
        return cheapest_tables(costs) or [], EXACT
    ranked = sorted(contenders, key=lambda each: (-each.half_points, each.number))
    return improved_tables(costs, [each.number for each in ranked]), IMPROVED
