"""Everybody meets everybody."""

from collections import Counter
from itertools import combinations

import pytest

from arena.tournament import Balance, balance_of, round_robin


@pytest.mark.parametrize("count", range(2, 31))
def test_between_two_every_pair_meets_once_and_byes_are_shared(count: int) -> None:
    schedule = round_robin(count, 2)
    assert len(schedule) == count - 1 + count % 2
    assert balance_of(schedule, count) == Balance((1, 1), (count % 2, count % 2))
    for tables in schedule:
        assert len(tables) == count // 2
        assert max(Counter(one for table in tables for one in table).values()) == 1


@pytest.mark.parametrize(
    ("count", "sides", "rounds"),
    [
        (4, 2, 3),
        (9, 3, 4),
        (27, 3, 13),
        (16, 4, 5),
        (64, 4, 21),
        (25, 5, 6),
        (49, 7, 8),
        (64, 8, 9),
    ],
)
def test_affine_spaces_give_perfect_schedules(count: int, sides: int, rounds: int) -> None:
    schedule = round_robin(count, sides)
    assert len(schedule) == rounds
    assert balance_of(schedule, count) == Balance((1, 1), (0, 0))
    assert all(len(table) == sides for tables in schedule for table in tables)


@pytest.mark.parametrize(
    ("count", "sides", "most"),
    [(6, 3, 2), (10, 4, 3), (12, 3, 2), (15, 3, 2), (13, 4, 3), (7, 3, 2)],
)
def test_other_fields_are_spread_as_a_search_finds_and_always_alike(
    count: int, sides: int, most: int
) -> None:
    schedule = round_robin(count, sides)
    assert schedule == round_robin(count, sides)
    balance = balance_of(schedule, count)
    assert balance.meetings[1] <= most
    assert balance.byes[1] - balance.byes[0] <= 1
    for tables in schedule:
        seated = [one for table in tables for one in table]
        assert len(seated) == len(set(seated)) == count // sides * sides


def test_more_rounds_begin_again_and_fewer_stop() -> None:
    assert round_robin(4, 2, 7) == [*round_robin(4, 2), *round_robin(4, 2), round_robin(4, 2)[0]]
    assert round_robin(6, 2, 2) == round_robin(6, 2)[:2]


def test_the_balance_counts_meetings_and_byes() -> None:
    schedule = [((0, 1),), ((0, 1),), ((0, 2),)]
    assert balance_of(schedule, 3) == Balance(meetings=(0, 2), byes=(0, 2))
    assert list(combinations(range(3), 2)) == [(0, 1), (0, 2), (1, 2)]
