"""An interval for the mean difference that may be read at any time while a test runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import log, sqrt

MISCOVERAGE = 0.05
LARGEST_STAKE = 0.5
"""The share of the fortune that a gambler can lose in a group."""
HALVINGS = 14
FEWEST_GROUPS = 30
"""Fewer say nothing if the largest possible difference is not known."""
TIGHTEST_AT = 150
"""The number of groups at which the asymptotic interval is as tight as it can be."""


def mean_interval(differences: Sequence[float], widest: float | None) -> tuple[float, float] | None:
    """Returns an interval that contains the mean difference at all times together in 95 % of runs;
    None if there are too few groups. `widest`: the largest possible absolute difference.
    """
    if widest is not None:
        return bounded_interval(differences, widest)
    return asymptotic_interval(differences)


def bounded_interval(differences: Sequence[float], widest: float) -> tuple[float, float]:
    """Returns the interval that assumes nothing but the bound: means against which no gambler has
    won much (I. Waudby-Smith and A. Ramdas, Estimating means of bounded random variables by
    betting, 2024, theorem 3). A difference beyond the bound counts as the bound."""
    shares = [min(max((difference / widest + 1) / 2, 0.0), 1.0) for difference in differences]
    bets = list(_bets(shares))
    low = _refuted_up_to(shares, bets)
    high = 1 - _refuted_up_to([1 - share for share in shares], bets)
    return (2 * low - 1) * widest, (2 * high - 1) * widest


def _bets(shares: Sequence[float]) -> Iterator[float]:
    """Yields the bet on each share, which follows from the spread of those before it."""
    total, squares = 0.5, 0.25  # one imagined share in the middle
    for number, share in enumerate(shares, start=1):
        spread = squares * log(number + 1)
        yield sqrt(2 * log(2 / MISCOVERAGE) / spread)
        total += share
        squares += (share - total / (number + 1)) ** 2


def _refuted_up_to(shares: Sequence[float], bets: Sequence[float]) -> float:
    """Returns the largest mean that is refuted as too low, as a multiple of 1/2^HALVINGS. All lower
    ones are too, as a gambler against them wins more."""
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        if _is_refuted(middle, shares, bets):
            low = middle
        else:
            high = middle
    return low


def _is_refuted(mean: float, shares: Sequence[float], bets: Sequence[float]) -> bool:
    """Returns whether a gambler who staked on more than this mean has ever had 2/MISCOVERAGE times
    their fortune. Half of MISCOVERAGE is for the other side."""
    log_fortune, goal = 0.0, log(2 / MISCOVERAGE)
    most = LARGEST_STAKE / mean
    for share, bet in zip(shares, bets, strict=True):
        log_fortune += log(1 + min(bet, most) * (share - mean))
        if log_fortune >= goal:
            return True
    return False


def asymptotic_interval(differences: Sequence[float]) -> tuple[float, float] | None:
    """Returns the interval that takes the mean for normally distributed, from `FEWEST_GROUPS`
    on (I. Waudby-Smith and others, Time-uniform central limit theory, 2024, theorem 2.2)."""
    groups = len(differences)
    if groups < FEWEST_GROUPS:
        return None
    mean = sum(differences) / groups
    variance = sum((each - mean) ** 2 for each in differences) / groups
    wanted = -2 * log(MISCOVERAGE)
    scale = groups * (wanted + log(wanted) + 1) / TIGHTEST_AT + 1
    half = sqrt(variance * 2 * scale / (scale - 1) / groups * log(sqrt(scale) / MISCOVERAGE))
    return mean - half, mean + half
