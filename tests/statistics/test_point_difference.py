"""The comparison of two bots by the deal sets of a run."""

from __future__ import annotations

from arena.statistics.confidence_sequence import bounded_interval
from arena.statistics.point_difference import point_differences


def deal_sets(*differences: float) -> list[dict[str, list[float]]]:
    """Returns deal sets, each with that difference between the mean points of a and b."""
    return [{"a": [0.5, 0.5 + 2 * d], "b": [0.5, 0.5], "c": [0.0, 1.0]} for d in differences]


def test_the_first_bot_is_compared_with_each_other_by_the_interval_of_comparisons() -> None:
    b, c = point_differences(deal_sets(0.25, 0.0, -0.5))
    assert (b.bot, b.against, c.bot, c.against) == ("a", "b", "a", "c")
    assert (b.low, b.high) == bounded_interval([0.25, 0.0, -0.5], 1.0)
    assert b.difference == -0.25 / 3
    assert b.deal_sets == 3


def test_a_handful_of_deal_sets_decides_only_what_is_plain() -> None:
    assert point_differences(deal_sets(*[1.0] * 4))[0].verdict == "not decided"
    assert point_differences(deal_sets(*[1.0] * 12))[0].verdict == "a is better"
    assert point_differences(deal_sets(*[-1.0] * 12))[0].verdict == "b is better"
    assert point_differences(deal_sets(0.5))[0].verdict == "not decided"
