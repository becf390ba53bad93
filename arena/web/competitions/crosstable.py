"""The crosstable of a round robin of two at a table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from arena.views.tournaments.tournament import Tournament

MOST_ENTRANTS = 40


@dataclass(frozen=True)
class Result:
    """The result of an entrant against another: 1, 0.5 for a tie, or 0; None before a group has
    been played."""

    points: float | None
    round: int
    table: int


@dataclass(frozen=True)
class Row:
    """An entrant by its place, with its results against each of all, in the same order."""

    number: int
    bot: str
    points: float
    cells: Sequence[Sequence[Result]]


def crosstable_of(found: Tournament) -> list[Row]:
    """Returns the rows, the best first; none if it is no such round robin, has not begun or has too
    many entrants."""
    is_fit = found.plays == "round-robin" and found.terms.per_table == 2 and found.rounds
    if not is_fit or len(found.standings) > MOST_ENTRANTS:
        return []
    results: defaultdict[tuple[int, int], list[Result]] = defaultdict(list)
    for played in found.rounds:
        for table in played.tables:
            one, other = table.entrants
            totals = found.totals_at(table)
            first = _points(*totals) if totals else None
            second = None if first is None else 1 - first
            results[one, other].append(Result(first, played.round, table.table))
            results[other, one].append(Result(second, played.round, table.table))
    return [
        Row(
            one.number,
            one.bot,
            one.points,
            [results[one.number, other.number] for other in found.standings],
        )
        for one in found.standings
    ]


def _points(own: float, other: float) -> float:
    return 0.5 if own == other else float(own > other)
