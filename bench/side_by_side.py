"""Measures things side by side: each at least five seconds, three times, alternating."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter

SECONDS = 5.0
ROUNDS = 3


@dataclass(frozen=True)
class Figure:
    """A rate a second: one value a round."""

    name: str
    rates: Sequence[float]

    @property
    def median(self) -> float:
        return statistics.median(self.rates)

    @property
    def spread(self) -> float:
        """The widest distance between two rounds, as a share of the median."""
        return (max(self.rates) - min(self.rates)) / self.median

    def __str__(self) -> str:
        return f"{self.median:,.0f}/s ± {self.spread / 2:.0%}"


@dataclass(frozen=True)
class Ratio:
    """How one figure stands to another, and what it should reach (None: nothing is promised)."""

    what: str
    figure: Figure
    against: Figure
    target: float | None

    @property
    def value(self) -> float:
        return self.figure.median / self.against.median

    @property
    def verdict(self) -> str:
        if self.target is None:
            return ""
        return "reached" if self.value >= self.target else "MISSED"


def measured(contestants: Mapping[str, Callable[[], int]]) -> dict[str, Figure]:
    """Runs the contestants, alternating. One does some work and returns how much it was; it is
    called again until five seconds have passed."""
    rates: dict[str, list[float]] = {name: [] for name in contestants}
    for work in contestants.values():
        work()  # warm-up
    for _ in range(ROUNDS):
        for name, work in contestants.items():
            rates[name].append(_rate(work))
    return {name: Figure(name, values) for name, values in rates.items()}


def _rate(work: Callable[[], int]) -> float:
    done = 0
    start = perf_counter()
    while (passed := perf_counter() - start) < SECONDS:
        done += work()
    return done / passed
