"""The comparison of two bots: the interval is honest even with few deal sets."""

from __future__ import annotations

from math import gamma, pi, sqrt

import pytest

from arena.statistics.rank_difference import rank_differences, student_t

WIDEST = 1


def deal_sets(*differences: float) -> list[dict[str, list[float]]]:
    """Returns deal sets, each with that difference between the mean ranks of a and b."""
    return [{"a": [1.5 + d / 2], "b": [1.5 - d / 2]} for d in differences]


def share_within(t: float, degrees: int, steps: int = 4000) -> float:
    """Returns the share of Student's distribution from -t to t, by Simpson's rule."""
    norm = gamma((degrees + 1) / 2) / (sqrt(degrees * pi) * gamma(degrees / 2))
    width = 2 * t / steps
    total = sum(
        (1 if i in (0, steps) else 4 if i % 2 else 2)
        * (1 + (-t + i * width) ** 2 / degrees) ** (-(degrees + 1) / 2)
        for i in range(steps + 1)
    )
    return norm * total * width / 3


@pytest.mark.parametrize("degrees", [*range(1, 31), 49, 99, 300])
def test_the_interval_holds_95_percent_however_few_the_deal_sets(degrees: int) -> None:
    assert share_within(student_t(degrees), degrees) == pytest.approx(0.95, abs=1e-4)


def test_a_handful_of_deal_sets_decides_only_what_is_plain() -> None:
    """The normal distribution's 1.96 would call a better here."""
    [close] = rank_differences(deal_sets(-1, -1, -1, 0), WIDEST)
    assert (close.low, close.verdict) == (-1, "not decided")
    [plain] = rank_differences(deal_sets(-1, -1, -1, -1, -1, -1, 0), WIDEST)
    assert plain.verdict == "a is better"
    [other] = rank_differences(deal_sets(1, 1, 1, 1, 1, 1, 0), WIDEST)
    assert other.verdict == "b is better"


@pytest.mark.parametrize("differences", [(-1, -1), (1, 1), (0, 0)])
def test_two_deal_sets_decide_nothing(differences: tuple[float, ...]) -> None:
    [told] = rank_differences(deal_sets(*differences), WIDEST)
    assert told.verdict == "not decided: play at least 3 deal sets"
    assert rank_differences(deal_sets(-1), WIDEST) == []


def test_the_interval_stays_within_what_is_possible() -> None:
    [told] = rank_differences(deal_sets(-1, -1, -1, -1, 0.5), WIDEST)
    assert told.low == -1
    assert told.low <= told.difference <= told.high <= 1
