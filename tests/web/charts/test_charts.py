from __future__ import annotations

import itertools
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.web.charts import (
    Bin,
    Line,
    Outcome,
    Point,
    curves,
    heat,
    histogram,
    intervals,
    sparkline,
    strip,
)
from arena.web.charts.scale import round_text, rounded_range
from arena.web.charts.thinning import thinned

FINITE = st.floats(-1e6, 1e6)


def places(path: str) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in re.findall(r"(-?[\d.]+) (-?[\d.]+)", path.rstrip("Z"))]


@given(FINITE, FINITE, st.integers(2, 8))
def test_a_rounded_range_holds_both_ends(one: float, other: float, ticks: int) -> None:
    low, high = min(one, other), max(one, other)
    first, last, values = rounded_range(low, high, ticks)
    slack = 1e-6 * max(1, abs(low), abs(high))
    assert first <= low + slack
    assert last >= high - slack
    assert (values[0], values[-1]) == (first, last)
    assert 2 <= len(values) <= ticks + 3


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0"), (-0.0, "0"), (2.5, "2.5"), (-20, "\u221220"), (12000, "12\u202f000")],
)
def test_round_values_are_written_without_digits_that_say_nothing(value: float, text: str) -> None:
    assert round_text(value) == text


@given(st.lists(FINITE, min_size=1, max_size=900), st.integers(3, 300))
def test_thinning_takes_points_in_order_with_the_ends(ys: list[float], most: int) -> None:
    points = list(enumerate(ys))
    found = thinned(points, most, lambda point: point)
    assert len(found) == min(most, len(points))
    assert found == sorted(set(found))
    assert (found[0], found[-1]) == (points[0], points[-1])
    assert set(found) <= set(points)


def test_thinning_leaves_a_peak() -> None:
    points = [(x, 100.0 if x == 4321 else 0.0) for x in range(10_000)]
    assert (4321, 100.0) in thinned(points, 50, lambda point: point)


def test_a_curve_is_higher_where_the_value_is_greater_and_fills_the_width() -> None:
    drawing = curves([Line("a", [Point(10, 1, 2), Point(20, 5, 1), Point(30, 3, 1)])])
    assert drawing is not None
    [line] = drawing.lines
    (x0, y0), (_, y1), (x2, y2) = places(line.path)
    assert (x0, x2) == (0, 1000)
    assert y1 < y2 < y0
    assert drawing.has_bands
    upper, lower = places(line.band)[:3], places(line.band)[:2:-1]
    assert all(
        above < y < below
        for (_, above), (_, y), (_, below) in zip(upper, places(line.path), lower, strict=True)
    )
    assert all(0 <= y <= drawing.plane for _, y in places(line.band))


def test_no_drawing_has_more_points_than_can_be_seen() -> None:
    many = [Point(x, (x * 37) % 101) for x in range(5000)]
    for count in (1, 3, 8):
        drawing = curves([Line(str(number), many) for number in range(count)])
        assert drawing is not None
        assert 250 <= sum(len(line.points) for line in drawing.lines) <= 300
        assert sum(len(places(line.path)) for line in drawing.lines) <= 300


def test_labels_of_lines_that_end_together_stand_apart() -> None:
    drawing = curves([Line(str(n), [Point(0, 0), Point(1, 5 + n / 100)]) for n in range(8)])
    assert drawing is not None
    labels = sorted(line.label for line in drawing.lines)
    assert all(after - before >= 14.9 for before, after in itertools.pairwise(labels))
    assert labels[0] >= 0
    assert labels[-1] <= drawing.plane


def test_a_single_point_and_none_at_all_are_drawn() -> None:
    assert curves([]) is None
    assert curves([Line("a", [])]) is None
    drawing = curves([Line("a", [Point(7, 25)])])
    assert drawing is not None
    assert drawing.lines[0].path.startswith("M500 ")


def test_a_histogram_says_where_the_limit_is_and_what_lies_beyond() -> None:
    bins = [Bin(0, 1, 0, "a"), Bin(1, 2, 30, "b"), Bin(2, 4, 10, "c"), Bin(4, 8, 1, "d")]
    drawing = histogram(bins, limit=3)
    assert drawing.total == 41
    assert drawing.limit == 62.5  # in the middle of the third of four columns
    assert [column.beyond for column in drawing.columns] == [False, False, False, True]
    heights = [column.height for column in drawing.columns]
    assert heights[0] == 0 < heights[3] < heights[2] < heights[1]
    assert sum(column.share for column in drawing.columns) == pytest.approx(1)
    assert all(
        column.y + column.height == pytest.approx(drawing.floor) for column in drawing.columns
    )
    assert histogram(bins, limit=100).limit is None
    assert histogram([]).columns == ()


def test_intervals_share_one_scale() -> None:
    wide, narrow = intervals([(25, 25), (30, 5)])
    assert (wide.x, wide.width, wide.middle) == (0, 100, 50)
    assert (narrow.x, narrow.width, narrow.middle) == (50, 20, 60)
    assert intervals([]) == []


def test_a_sparkline_ends_at_the_last_value() -> None:
    assert sparkline([1]) is None
    rising = sparkline([1, 2, 3])
    assert rising is not None
    assert places(rising.path)[-1] == (rising.x, rising.y)
    assert rising.y < places(rising.path)[0][1]
    assert len(places(sparkline(list(range(1000))).path)) <= 30


def test_a_strip_has_wins_above_and_losses_below_the_middle() -> None:
    drawing = strip([(Outcome.WON, False), (Outcome.TIED, False), (Outcome.LOST, True)])
    won, tied, lost = drawing.marks
    assert won.y + won.height < drawing.height / 2 < lost.y
    assert tied.y < drawing.height / 2 < tied.y + tied.height
    assert lost.fault


def test_colours_say_the_score_and_their_strength_the_number_of_games() -> None:
    assert heat(0.5, 0) == "heat none"
    assert heat(0.5, 100) == "heat even sure-5"
    assert heat(1, 1) == "heat win-8 sure-1"
    assert heat(0, 20) == "heat loss-8 sure-3"
    assert heat(0.7, 40) == "heat win-3 sure-4"
