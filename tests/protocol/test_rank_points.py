"""Rank points."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.protocol.ranking import rank_points
from sevens_games import ranks_by


@pytest.mark.parametrize(
    ("ranks", "teams", "points"),
    [
        ((1, 2), (0, 1), (1, 0)),
        ((1, 1), (0, 1), (0.5, 0.5)),
        ((2, 4, 2, 1), (0, 1, 2, 3), (0.5, 0, 0.5, 1)),
        ((3, 1, 3, 1), (0, 1, 0, 1), (0, 1, 0, 1)),
        ((4, 1, 4, 1, 4), (0, 1, 0, 1, 0), (0, 1, 0, 1, 0)),
    ],
)
def test_a_seat_scores_by_the_rivals_it_leaves_behind(
    ranks: tuple[int, ...], teams: tuple[int, ...], points: tuple[float, ...]
) -> None:
    assert rank_points(ranks, teams) == points


@given(st.lists(st.integers(0, 3), min_size=2, max_size=8))
def test_without_teams_the_points_of_a_match_average_one_half(merits: list[int]) -> None:
    points = rank_points(ranks_by(merits), range(len(merits)))
    assert sum(points) == pytest.approx(len(merits) / 2)
    assert all(0 <= own <= 1 for own in points)
