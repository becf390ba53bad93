"""The difference of a group: points per seat and match, by ranks or scores."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.statistics import PointScale, SeatResult, Side, group_difference

NEW, OLD, HOUSE = Side
EXCHANGED = {NEW: OLD, OLD: NEW, HOUSE: HOUSE}


def match(*seats: tuple[Side, int, int, int]) -> list[SeatResult]:
    return [SeatResult(*seat) for seat in seats]


def test_two_seats() -> None:
    """NEW wins once and ties once: 1 + ½ against 0 + ½ in two matches."""
    group = [
        match((NEW, 0, 1, 30), (OLD, 1, 2, 10)),
        match((OLD, 0, 1, 20), (NEW, 1, 1, 20)),
    ]
    assert group_difference(group, PointScale.RANKS) == 0.5
    assert group_difference(group, PointScale.SCORE) == 10


def test_house_bots_count_as_those_outranked() -> None:
    group = [match((HOUSE, 0, 1, 9), (NEW, 1, 2, 5), (OLD, 2, 4, 0), (HOUSE, 3, 2, 5))]
    assert group_difference(group, PointScale.RANKS) == pytest.approx((1 + 0.5) / 3)


def test_teams_compare_with_the_seats_of_other_teams() -> None:
    group = [match((NEW, 0, 1, 9), (OLD, 1, 3, 2), (NEW, 0, 1, 9), (OLD, 1, 3, 2))]
    assert group_difference(group, PointScale.RANKS) == 1
    assert group_difference(group, PointScale.SCORE) == 7


def test_replacement_compares_different_matches() -> None:
    group = [
        match((NEW, 0, 1, 8), (HOUSE, 1, 2, 1)),
        match((OLD, 0, 2, 3), (HOUSE, 1, 1, 6)),
    ]
    assert group_difference(group, PointScale.RANKS) == 1
    assert group_difference(group, PointScale.SCORE) == 5


def test_unequal_seats_are_refused() -> None:
    with pytest.raises(ValueError, match="NEW has had 1 seats and OLD 0"):
        group_difference([match((NEW, 0, 1, 0), (HOUSE, 1, 2, 0))], PointScale.RANKS)


@given(st.lists(st.permutations([1, 2, 3, 4]), min_size=1, max_size=6), st.sampled_from(PointScale))
def test_exchanging_the_two_changes_the_sign(ranks: list[list[int]], scale: PointScale) -> None:
    sides = (NEW, HOUSE, OLD, HOUSE)
    group = [
        [
            SeatResult(side, i, rank, -rank)
            for i, (side, rank) in enumerate(zip(sides, of, strict=True))
        ]
        for of in ranks
    ]
    mirrored = [
        [SeatResult(EXCHANGED[s.side], s.team, s.rank, s.score) for s in of] for of in group
    ]
    assert group_difference(mirrored, scale) == -group_difference(group, scale)
    assert abs(group_difference(group, PointScale.RANKS)) <= 1
