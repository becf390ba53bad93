"""Byes decide nothing: of equal bots each comes first about equally often, whatever the field."""

from __future__ import annotations

import pytest

from arena.tournament import TournamentTerms, balance_of, round_robin, rounds_to_play
from bench.byes import BEYOND_CHANCE, deviation, first_places

SMALL = [(4, 3), (5, 4), (9, 4), (6, 5)]
OTHERS = [
    (count, sides)
    for sides in (2, 3, 4, 5)
    for count in range(sides, 17)
    if (count, sides) not in SMALL
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("count", "sides", "format"),
    [
        *((*one, "auto") for one in SMALL),
        *((*one, "swiss") for one in SMALL),
        *(
            pytest.param(*one, format, marks=pytest.mark.nightly)
            for one in OTHERS
            for format in ("auto", "swiss")
        ),
    ],
)
def test_equal_bots_have_equal_chances(count: int, sides: int, format: str) -> None:
    """With a bye worth a table won, the last of nine in fours came first in 20 of 100."""
    terms = TournamentTerms(format=format, per_table=sides, groups=1)
    assert deviation(first_places(terms, count, 150), count) < BEYOND_CHANCE


@pytest.mark.parametrize(("count", "sides"), [(5, 4), (6, 4), (7, 4), (4, 3), (8, 5)])
def test_byes_are_equal_in_so_many_rounds_as_are_played(count: int, sides: int) -> None:
    rounds = rounds_to_play(TournamentTerms(per_table=sides), count)
    balance = balance_of(round_robin(count, sides, rounds), count)
    assert balance.byes[0] == balance.byes[1]


def test_a_bye_is_worth_an_average_table_or_in_chess_a_win() -> None:
    assert [TournamentTerms(per_table=sides).bye for sides in (2, 3, 4, 5)] == [1, 1, 1.5, 2]
