"""`python -m bench byes`: how often each of equal bots comes first in a tournament, in fields that
fill their tables and in others. The terms are the usual ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import cbrt, sqrt
from random import Random

from rich.table import Table

from arena.tournament import TournamentTerms, standings
from bench.places import played

TOURNAMENTS = 400
FIELDS = range(2, 17)
AT_A_TABLE = (2, 3, 4, 5)
BEYOND_CHANCE = 4.0  # standard deviations; the tables have 54 cells


def tables() -> Iterator[Table]:
    """Yields a table of the fewest and the most first places of an entrant, in per cent."""
    columns = (f"{sides} at a table" for sides in AT_A_TABLE)
    table = Table("entrants", "by chance", *columns)
    for count in FIELDS:
        spread = sqrt(TOURNAMENTS * (1 / count) * (1 - 1 / count)) / TOURNAMENTS
        cells = [_cell(count, sides) if count >= sides else "" for sides in AT_A_TABLE]
        table.add_row(f"{count}", f"{1 / count:.0%} ± {spread:.0%}", *cells)
    yield table


def _cell(count: int, sides: int) -> str:
    firsts = first_places(TournamentTerms(per_table=sides, groups=1), count, TOURNAMENTS)
    marked = " (!)" if deviation(firsts, count) > BEYOND_CHANCE else ""
    shares = [firsts[one] / TOURNAMENTS for one in range(1, count + 1)]
    return f"{min(shares):.0%} to {max(shares):.0%}{marked}"


def first_places(terms: TournamentTerms, count: int, tournaments: int) -> Counter[int]:
    """Returns how often each of equal bots came first."""
    rng = Random(f"{count} at tables of {terms.per_table}")
    return Counter(
        standings(played(terms, [0.0] * count, rng), str(rng.random()))[0].number
        for _ in range(tournaments)
    )


def deviation(firsts: Counter[int], count: int) -> float:
    """Returns how far first places are from equal, in standard deviations: chi-square, by the
    approximation of Wilson and Hilferty (1931)."""
    expected, freedom = firsts.total() / count, count - 1
    square = sum((firsts[one] - expected) ** 2 / expected for one in range(1, count + 1))
    variance = 2 / (9 * freedom)
    return (cbrt(square / freedom) - (1 - variance)) / sqrt(variance)
