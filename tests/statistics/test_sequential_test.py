"""The test: its likelihood ratio, its errors, and what it does with skewed or equal differences."""

from __future__ import annotations

from collections.abc import Callable
from math import asinh, inf, log, sqrt
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from arena.statistics import Design, SequentialTest, Verdict
from arena.statistics.moments import Moments
from arena.statistics.sequential_test import log_likelihood_ratio

RUNS = 400


def ended(draw: Callable[[], float], terms: Design) -> SequentialTest:
    test = SequentialTest(terms)
    while test.verdict is Verdict.RUNNING:
        test.add(draw())
    return test


def share_better(draw: Callable[[], float], terms: Design) -> float:
    return sum(ended(draw, terms).verdict is Verdict.BETTER for _ in range(RUNS)) / RUNS


def above(rate: float) -> float:
    """Returns the share that 400 runs exceed once in 30,000 times (four standard deviations)."""
    return rate + 4 * sqrt(rate * (1 - rate) / RUNS)


def maximised(differences: list[float], mean: float) -> float:
    """Returns the largest log likelihood of a normal distribution with that mean, whatever its
    deviation, by a ternary search for the deviation."""
    low, high = 0.01, 100.0
    squares = sum((each - mean) ** 2 for each in differences)

    def likelihood(deviation: float) -> float:
        return -len(differences) * log(deviation) - squares / deviation**2 / 2

    for _ in range(200):
        left, right = low + (high - low) / 3, high - (high - low) / 3
        low, high = (left, high) if likelihood(left) < likelihood(right) else (low, right)
    return likelihood(low)


@pytest.mark.parametrize("strength", [-0.9, -0.1, 0.0, 0.1, 0.2, 0.3, 1.0])
@pytest.mark.parametrize(("t0", "t1"), [(0.0, 0.2), (-0.3, 0.4)])
def test_the_closed_form_is_the_maximised_likelihood(strength: float, t0: float, t1: float) -> None:
    """The means under comparison are t0 and t1 times the observed deviation, which is 3."""
    values = [3 * ((-1) ** number + strength) for number in range(100)]
    numeric = maximised(values, 3 * t1) - maximised(values, 3 * t0)
    assert log_likelihood_ratio(100, strength, t0, t1) == pytest.approx(numeric, abs=1e-9)


@given(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6), st.floats(-1, 1), st.floats(0.01, 2))
def test_more_strength_is_never_less_evidence(a: float, b: float, t0: float, wide: float) -> None:
    low, high = sorted((a, b))
    of_low, of_high = (log_likelihood_ratio(1, t, t0, t0 + wide) for t in (low, high))
    assert of_low <= of_high + 1e-9
    assert of_high <= asinh(wide / 2) + 1e-12


def test_the_bound_of_one_group_is_reached_by_infinite_strength() -> None:
    assert log_likelihood_ratio(1, inf, 0, 0.2) == pytest.approx(asinh(0.1))
    assert log_likelihood_ratio(1, -inf, 0, 0.2) == pytest.approx(-asinh(0.1))
    assert log_likelihood_ratio(1, 0.1, 0, 0.2) == pytest.approx(0, abs=1e-15)


@pytest.mark.parametrize(
    ("difference", "verdict", "groups"),
    [(1.0, Verdict.BETTER, 30), (-1.0, Verdict.NOT_BETTER, 30), (0.0, Verdict.NOT_BETTER, 151)],
)
def test_equal_differences_end(difference: float, verdict: Verdict, groups: int) -> None:
    test = ended(lambda: difference, Design(widest=1.0))
    assert (test.verdict, test.moments.groups) == (verdict, groups)


def test_after_the_most_groups_it_is_undecided_and_over() -> None:
    test = ended(lambda: 1.0, Design(most_groups=5, widest=1.0))
    assert (test.verdict, test.moments.groups) == (Verdict.UNDECIDED, 5)
    with pytest.raises(ValueError, match="has ended"):
        test.add(1.0)


@pytest.mark.parametrize("truth", [0.0, 0.2])
def test_errors_are_as_agreed(truth: float, seed: int) -> None:
    print(f"seed {seed}")
    rng = Random(seed)
    better = share_better(lambda: 0.2 * rng.gauss(truth, 1), Design(widest=1.0))
    assert (better if truth == 0 else 1 - better) <= above(0.05)


@pytest.mark.parametrize("rare", [0.005, 0.02, 0.1])
def test_rare_large_losses_do_not_make_a_bot_better(rare: float, seed: int) -> None:
    """The mean is 0. Where the largest loss is not known before it is seen, this goes wrong."""
    print(f"seed {seed}")
    rng = Random(seed)
    gain = rare / (1 - rare)

    def draw() -> float:
        return -1.0 if rng.random() < rare else gain

    assert share_better(draw, Design(widest=1.0)) <= above(0.05)
    if rare < 0.01:
        assert share_better(draw, Design(widest=None)) > 0.5


def test_left_skewed_equals_are_not_called_better_too_often(seed: int) -> None:
    print(f"seed {seed}")
    rng = Random(seed)
    better = share_better(lambda: 0.15 - 0.15 * rng.expovariate(1), Design(widest=1.0))
    assert better <= above(0.05)


def test_a_small_lead_over_a_loss_that_has_not_shown_is_not_yet_better() -> None:
    """One loss of 1 in 110 groups would make up for gains of a hundredth."""
    test = ended(lambda: 0.01, Design(widest=1.0))
    assert test.verdict is Verdict.BETTER
    assert 300 < test.moments.groups < 400


@given(st.lists(st.integers(-9, 9).map(float), min_size=1, max_size=30))
def test_moments_are_those_of_the_list(values: list[float]) -> None:
    moments = Moments()
    for value in values:
        moments.add(value)
    mean = sum(values) / len(values)
    deviation = sqrt(sum((v - mean) ** 2 for v in values) / len(values))
    assert moments.mean == pytest.approx(mean, abs=1e-12)
    assert moments.deviation == pytest.approx(deviation, abs=1e-7)
    if deviation > 1e-6:
        cubes = sum((v - mean) ** 3 for v in values) / len(values)
        assert moments.skewness == pytest.approx(cubes / deviation**3, abs=1e-9)


def test_terms_that_cannot_be_tested_are_refused() -> None:
    with pytest.raises(ValidationError, match="t1 must be larger"):
        Design(t0=0.2, t1=0.2, widest=1.0)
    for wrong in ({"alpha": 0.5}, {"beta": 0}, {"most_groups": 0}, {"widest": float("inf")}):
        with pytest.raises(ValidationError):
            Design.model_validate({"widest": 1.0} | wrong)
