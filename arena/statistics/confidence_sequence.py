"""An interval for the mean difference that may be read at any time while a test runs."""

from __future__ import annotations

from collections.abc import Sequence
from math import log, sqrt

MISCOVERAGE = 0.05
LARGEST_BET = 0.5
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
    """Returns the interval that assumes nothing but the bound: the empirical Bernstein confidence
    sequence with predictable bets (I. Waudby-Smith and A. Ramdas, 2024, theorem 2). A difference
    beyond the bound counts as the bound."""
    bets = weighted = cost = 0.0
    total, squares = 0.5, 0.25  # of shares from 0 to 1: one imagined group in the middle
    low, high = 0.0, 1.0
    for number, difference in enumerate(differences, start=1):
        share = min(max((difference / widest + 1) / 2, 0.0), 1.0)
        variance = squares / number
        spread = variance * number * log(number + 1)
        bet = min(sqrt(2 * log(2 / MISCOVERAGE) / spread), LARGEST_BET)
        deviation = share - total / number
        bets += bet
        weighted += bet * share
        cost += deviation**2 * (-log(1 - bet) - bet)
        total += share
        squares += (share - total / (number + 1)) ** 2
        half = (log(2 / MISCOVERAGE) + cost) / bets
        low, high = max(low, weighted / bets - half), min(high, weighted / bets + half)
    return (2 * low - 1) * widest, (2 * high - 1) * widest


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
