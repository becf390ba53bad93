"""Pairings against brute force over all partitions."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from random import Random

import pytest

from arena.tournament import EXACT, IMPROVED, Contender, TableCosts, TournamentError, pair


def all_seatings(left: list[int], size: int, byes: int) -> Iterator[list[tuple[int, ...]]]:
    if not left:
        yield []
        return
    first, *others = left
    for companions in combinations(others, size - 1):
        rest = [each for each in others if each not in companions]
        for tables in all_seatings(rest, size, byes):
            yield [(first, *companions), *tables]
    if byes:
        for tables in all_seatings(others, size, byes - 1):
            yield [(first,), *tables]


def random_field(seed: int, count: int, owners: int) -> list[Contender]:
    random = Random(seed)
    numbers = range(1, count + 1)
    met = {pair: random.choice((0, 0, 1, 2)) for pair in combinations(numbers, 2)}
    return [
        Contender(
            number,
            half_points=random.randrange(5),
            owner=f"owner {random.randrange(owners)}" if random.random() < 0.3 else None,
            byes=random.randrange(2),
            floats=random.randrange(3),
            met={
                other: met[min(number, other), max(number, other)]
                for other in numbers
                if other != number
            },
        )
        for number in numbers
    ]


CASES = [(4, 2), (5, 2), (7, 2), (8, 2), (6, 3), (7, 3), (9, 3), (8, 4), (9, 4)]
LARGE = [(10, 2), (12, 3), (12, 4)]


@pytest.mark.parametrize(
    ("count", "size"), [*CASES, *(pytest.param(*case, marks=pytest.mark.slow) for case in LARGE)]
)
@pytest.mark.parametrize("seed", range(4))
def test_no_seating_at_all_is_cheaper(count: int, size: int, seed: int) -> None:
    field = random_field(seed, count, owners=6)
    costs = TableCosts(field, size)
    found = pair(3, field, size)
    allowed = [
        tables
        for tables in all_seatings(list(range(1, count + 1)), size, count % size)
        if all(map(costs.allowed, tables))
    ]
    cheapest = min(
        allowed,
        key=lambda tables: (costs.of_pairing(tables), [(len(each) == 1, each) for each in tables]),
    )
    byes = {each[0] for each in cheapest if len(each) == 1}
    assert found.method == EXACT
    assert tuple(cost.value for cost in found.costs) == costs.of_pairing(cheapest)
    assert set(found.byes) == byes
    assert {each.entrants for each in found.meetings} == {e for e in cheapest if len(e) > 1}


def test_the_top_half_meets_the_lower_half_in_the_first_round() -> None:
    found = pair(1, [Contender(number) for number in range(1, 9)], 2)
    assert [each.entrants for each in found.meetings] == [(1, 5), (2, 6), (3, 7), (4, 8)]


@pytest.mark.parametrize("size", [2, 3])
def test_one_owner_never_meets_itself_even_at_the_price_of_byes(size: int) -> None:
    field = [Contender(number, owner="ann" if number > size else None) for number in range(1, 7)]
    found = pair(1, field, size)
    for meeting in found.meetings:
        assert sum(each > size for each in meeting.entrants) <= 1
    assert len(found.byes) == 6 - size * len(found.meetings) > 0


def test_a_field_of_one_owner_cannot_be_paired() -> None:
    with pytest.raises(TournamentError, match=r"Round 2 cannot be paired.*different owners"):
        pair(2, [Contender(number, owner="ann") for number in (1, 2, 3)], 2)


def test_a_large_field_at_tables_is_improved_until_no_exchange_helps() -> None:
    field = random_field(1, 26, owners=20)
    costs = TableCosts(field, 3)
    found = pair(4, field, 3)
    tables = [each.entrants for each in found.meetings] + [(number,) for number in found.byes]
    spent = costs.of_pairing(tables)
    assert found.method == IMPROVED
    assert sorted(each for table in tables for each in table) == list(range(1, 27))
    for left, right in combinations(range(len(tables)), 2):
        for one in tables[left]:
            for other in tables[right]:
                changed = [tuple({one: other, other: one}.get(e, e) for e in t) for t in tables]
                assert not all(map(costs.allowed, changed)) or costs.of_pairing(changed) >= spent
