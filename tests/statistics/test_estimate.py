"""Estimates after the stop, the motion behind them, and intervals during the run."""

from __future__ import annotations

from math import exp, log, pi, sin, sqrt
from random import Random
from statistics import fmean

import pytest

from arena.statistics import Design, SequentialTest, Verdict
from arena.statistics.brownian import inside_above, left_above, left_below, log_erfc
from arena.statistics.confidence_sequence import asymptotic_interval, bounded_interval
from arena.statistics.estimate import estimated

MOTIONS = [(0.0, -3.0, 3.0), (0.3, -2.0, 5.0), (-0.4, -6.0, 1.0), (1.5, -14.0, 15.0)]


def left_above_by_waves(drift: float, lower: float, upper: float, time: float) -> float:
    """Returns `left_above` by the eigenfunctions of the interval, which share nothing with images
    but the problem."""
    width = upper - lower
    ever = (
        -lower / width
        if drift == 0
        else (1 - exp(2 * drift * lower)) / (1 - exp(-2 * drift * width))
    )
    later = 0.0
    for k in range(1, 400):
        rate = drift**2 / 2 + (k * pi / width) ** 2 / 2
        wave = k * pi / width**2 * (-1) ** (k + 1) * sin(k * pi * -lower / width)
        later += wave * exp(drift * upper - rate * time) / rate
    return ever - later


@pytest.mark.parametrize(("drift", "lower", "upper"), MOTIONS)
@pytest.mark.parametrize("time", [1.0, 5.0, 40.0])
def test_the_ways_out_agree_with_another_formula(
    drift: float, lower: float, upper: float, time: float
) -> None:
    above, below = (f(drift, lower, upper, time) for f in (left_above, left_below))
    assert above == pytest.approx(left_above_by_waves(drift, lower, upper, time), abs=1e-6)
    inside = inside_above(drift, lower, upper, time, lower)
    assert above + below + inside == pytest.approx(1, abs=1e-9)
    assert inside_above(drift, lower, upper, time, upper) == pytest.approx(0, abs=1e-12)


def test_small_tails_do_not_underflow() -> None:
    assert log_erfc(19.999999) == pytest.approx(log_erfc(20.000001), abs=1e-4)
    assert log_erfc(1000) == pytest.approx(-1e6 - 7.480, abs=1e-2)


@pytest.mark.parametrize("most_groups", [1500, 100])
@pytest.mark.parametrize("truth", [0.0, 0.2, 0.4])
def test_the_estimate_is_median_unbiased(truth: float, most_groups: int, seed: int) -> None:
    """200 runs: four standard deviations are 14 %."""
    print(f"seed {seed}")
    rng = Random(seed)
    above = 0
    for _ in range(200):
        test = SequentialTest(Design(most_groups=most_groups, widest=1.0))
        while test.verdict is Verdict.RUNNING:
            test.add(0.2 * rng.gauss(truth, 1))
        found = estimated(test)
        assert found.t is not None
        above += found.t > truth
    assert 0.34 <= above / 200 <= 0.66


def test_of_equal_differences_the_estimate_is_their_value() -> None:
    test = SequentialTest(Design(widest=1.0))
    while test.verdict is Verdict.RUNNING:
        test.add(0.25)
    found = estimated(test)
    assert (found.points, found.t) == (0.25, None)


def test_intervals_hold_at_all_times_together(seed: int) -> None:
    """Of 100 runs 5 may miss the mean at some time; once in a million tests more than 18 do."""
    print(f"seed {seed}")
    rng = Random(seed)
    missed = {bounded_interval: 0, asymptotic_interval: 0}
    for _ in range(100):
        values = [rng.choice((-1.0, 0.0, 0.0, 0.5, 0.5)) for _ in range(400)]
        looks = [values[:size] for size in range(30, 401, 10)]
        low, high = bounded_interval(values, 1.0)  # of all looks together
        asymptotic = [asymptotic_interval(look) for look in looks]
        missed[bounded_interval] += not low <= 0 <= high
        missed[asymptotic_interval] += any(
            not low <= 0 <= high for low, high in filter(None, asymptotic)
        )
        assert high - low < 0.4
    assert max(missed.values()) <= 18, missed


def test_at_the_ends_of_the_bounded_interval_gamblers_have_won_what_refutes_them(seed: int) -> None:
    """The fortunes, multiplied group by group; here the bound is 2."""
    print(f"seed {seed}")
    rng = Random(seed)
    differences = [rng.choice((-2.0, 0.0, 0.0, 0.0, 1.0, 2.0)) for _ in range(300)]
    low, high = bounded_interval(differences, 2.0)
    shares = [(difference + 2) / 4 for difference in differences]
    for end, sign in ((low, 1), (high, -1)):
        mean = (end + 2) / 4
        assert most_won(shares, mean, sign) >= 40  # 2/0.05
        assert most_won(shares, mean + sign / 2**14, sign) < 40
    once = bounded_interval([2.0], 2.0)
    assert once == (-2.0, 2.0)


def most_won(shares: list[float], mean: float, sign: int) -> float:
    """Returns the largest fortune of a gambler on more (1) or less (-1) than this mean."""
    fortune, best = 1.0, 1.0
    of_those_before, squares = [0.5], 0.25
    for number, share in enumerate(shares, start=1):
        stake = sqrt(2 * log(40) / (squares * log(number + 1)))
        room = mean if sign > 0 else 1 - mean
        fortune *= 1 + min(stake, 0.5 / room) * sign * (share - mean)
        best = max(best, fortune)
        of_those_before.append(share)
        squares += (share - fmean(of_those_before)) ** 2
    return best


def test_the_asymptotic_interval_waits_and_has_its_closed_form() -> None:
    assert asymptotic_interval([1.0, -1.0] * 14) is None
    found = asymptotic_interval([1.0, -1.0] * 75)
    assert found is not None
    assert found == pytest.approx((-found[1], found[1]))
    assert 2.5 < found[1] * sqrt(150) < 3.5  # a fixed number of groups would have 1.96
