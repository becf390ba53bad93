"""Everybody meets everybody."""

from collections import Counter
from itertools import combinations, product

import pytest

from arena.tournament import Balance, balance_of, round_robin
from arena.tournament.finite_field import finite_field


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
        (81, 9, 10),
        (256, 16, 17),
        (15, 3, 7),
        (21, 3, 10),
        (39, 3, 19),
        (51, 3, 25),
        (75, 3, 37),
        (28, 4, 9),
        (40, 4, 13),
        (52, 4, 17),
        (76, 4, 25),
    ],
)
def test_finite_fields_give_perfect_schedules(count: int, sides: int, rounds: int) -> None:
    schedule = round_robin(count, sides)
    assert len(schedule) == rounds
    assert balance_of(schedule, count) == Balance((1, 1), (0, 0))
    assert all(len(table) == sides for tables in schedule for table in tables)


@pytest.mark.parametrize(
    ("count", "sides", "most"),
    [(6, 3, 2), (8, 4, 2), (10, 4, 3), (12, 3, 2), (33, 3, 2), (13, 4, 3), (7, 3, 2)],
)
def test_other_fields_are_spread_as_a_search_finds_and_always_alike(
    count: int, sides: int, most: int
) -> None:
    schedule = round_robin(count, sides)
    round_robin.cache_clear()
    assert schedule == round_robin(count, sides)
    balance = balance_of(schedule, count)
    assert balance.meetings[1] <= most
    assert balance.byes[1] - balance.byes[0] <= 1
    for tables in schedule:
        seated = [one for table in tables for one in table]
        assert len(seated) == len(set(seated)) == count // sides * sides


def test_where_more_rounds_than_needed_serve_better_all_of_them_are_spread() -> None:
    """Eight at tables of four, in seven rounds: the planes of the affine space of order 2."""
    schedule = round_robin(8, 4, 7)
    assert len(schedule) == 7
    assert balance_of(schedule, 8) == Balance((3, 3), (0, 0))
    assert balance_of(round_robin(7, 3, 7), 7) == Balance((2, 2), (1, 1))


def test_more_rounds_begin_again_and_fewer_stop() -> None:
    assert round_robin(4, 2, 7) == (*round_robin(4, 2), *round_robin(4, 2), round_robin(4, 2)[0])
    assert round_robin(6, 2, 2) == round_robin(6, 2)[:2]


def test_the_balance_counts_meetings_and_byes() -> None:
    schedule = [((0, 1),), ((0, 1),), ((0, 2),)]
    assert balance_of(schedule, 3) == Balance(meetings=(0, 2), byes=(0, 2))
    assert list(combinations(range(3), 2)) == [(0, 1), (0, 2), (1, 2)]


@pytest.mark.parametrize(
    ("balance", "words"),
    [
        (Balance((1, 1), (0, 0)), "each pair meets once"),
        (Balance((3, 3), (0, 0)), "each pair meets 3 times"),
        (Balance((0, 2), (0, 1)), "each pair meets 0 to 2 times, and each has 0 to 1 byes"),
        (Balance((1, 1), (1, 1)), "each pair meets once, and each has 1 bye"),
    ],
)
def test_the_balance_is_said_in_words(balance: Balance, words: str) -> None:
    assert str(balance) == words


@pytest.mark.parametrize("order", [2, 3, 4, 5, 8, 9, 16, 25, 27])
def test_a_field_has_inverses_and_distributes(order: int) -> None:
    field = finite_field(order)
    assert field is not None
    elements = range(order)
    for one, other in product(elements, repeat=2):
        assert field.add(one, other) == field.add(other, one)
        assert field.times(one, other) == field.times(other, one)
        third = (3 * one + other) % order
        assert field.times(third, field.add(one, other)) == field.add(
            field.times(third, one), field.times(third, other)
        )
    for one in elements:
        assert sorted(field.add(one, other) for other in elements) == [*elements]
        if one:
            assert sorted(field.times(one, other) for other in elements) == [*elements]


@pytest.mark.parametrize("order", [1, 6, 10, 12, 15, 20])
def test_there_is_no_field_of_an_order_that_is_no_power_of_a_prime(order: int) -> None:
    assert finite_field(order) is None
