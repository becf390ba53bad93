"""Measures things side by side: each at least five seconds, three times, alternating."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter

import psutil
from rich.table import Table

SECONDS = 5.0
ROUNDS = 3


@dataclass(frozen=True)
class Round:
    """What was done in so many seconds, and the CPU seconds that it took: this process's, and those
    of its children."""

    done: int
    seconds: float
    own_cpu: float
    children_cpu: float

    @property
    def rate(self) -> float:
        return self.done / self.seconds


@dataclass(frozen=True)
class Figure:
    """A rate a second: one value a round."""

    name: str
    rounds: Sequence[Round]

    @property
    def median(self) -> float:
        return statistics.median(r.rate for r in self.rounds)

    @property
    def spread(self) -> float:
        """The widest distance between two rounds, as a share of the median."""
        rates = [r.rate for r in self.rounds]
        return (max(rates) - min(rates)) / self.median

    @property
    def own_cpu(self) -> float:
        """CPU milliseconds of this process for a thousand."""
        return statistics.median(1e6 * r.own_cpu / r.done for r in self.rounds)

    @property
    def children_cpu(self) -> float:
        """CPU milliseconds of all its children for a thousand."""
        return statistics.median(1e6 * r.children_cpu / r.done for r in self.rounds)

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
        return "" if self.target is None else verdict(self.value, self.target)


def verdict(value: float, target: float) -> str:
    """Whether the target is reached, in a word."""
    return "reached" if value >= target else "MISSED"


def ratio_table(title: str, ratios: Sequence[Ratio]) -> Table:
    """A row for each ratio, with its target."""
    table = Table("what", "ours", "against", "", "ratio", "target", "", title=title)
    for ratio in ratios:
        table.add_row(
            ratio.what,
            str(ratio.figure),
            str(ratio.against),
            ratio.against.name,
            f"{ratio.value:.2f}",
            "" if ratio.target is None else f"{ratio.target:g}",
            ratio.verdict,
        )
    return table


def measured(contestants: Mapping[str, Callable[[], int]]) -> dict[str, Figure]:
    """Runs the contestants, alternating. One does some work and returns how much it was; it is
    called again until five seconds have passed."""
    rounds: dict[str, list[Round]] = {name: [] for name in contestants}
    for work in contestants.values():
        work()  # warm-up
    for _ in range(ROUNDS):
        for name, work in contestants.items():
            rounds[name].append(_round(work))
    return {name: Figure(name, values) for name, values in rounds.items()}


def _round(work: Callable[[], int]) -> Round:
    done = 0
    own, children = _cpu()
    start = perf_counter()
    while (passed := perf_counter() - start) < SECONDS:
        done += work()
    own_after, children_after = _cpu()
    return Round(done, passed, own_after - own, children_after - children)


def _cpu() -> tuple[float, float]:
    """CPU seconds so far: of this process, and of its children that run."""
    own = psutil.Process()
    times = [sum(p.cpu_times()[:2]) for p in (own, *own.children(recursive=True))]
    return times[0], sum(times[1:])
