"""Measures several contestants side by side: several rounds of each, alternating."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter

import psutil

SECONDS = 2.0
ROUNDS = 5


@dataclass(frozen=True)
class Round:
    """One round of work.

    `done`: the amount of work.
    `seconds`: the wall time that it took.
    `own_cpu`, `children_cpu`: the CPU seconds, user and system, of this process and its children.
    """

    done: int
    seconds: float
    own_cpu: float
    children_cpu: float

    @property
    def rate(self) -> float:
        return self.done / self.seconds


@dataclass(frozen=True)
class Figure:
    """The rounds of one contestant."""

    name: str
    rounds: Sequence[Round]

    @property
    def median(self) -> float:
        """The median rate per second."""
        return statistics.median(r.rate for r in self.rounds)

    @property
    def spread(self) -> float:
        """The widest distance between the rates of two rounds, as a share of the median."""
        rates = [r.rate for r in self.rounds]
        return (max(rates) - min(rates)) / self.median

    @property
    def own_cpu(self) -> float:
        """CPU milliseconds of this process per thousand units of work."""
        return statistics.median(1e6 * r.own_cpu / r.done for r in self.rounds)

    @property
    def children_cpu(self) -> float:
        """CPU milliseconds of all children per thousand units of work."""
        return statistics.median(1e6 * r.children_cpu / r.done for r in self.rounds)

    @property
    def cpu(self) -> float:
        """CPU milliseconds of this process and all children per thousand units of work."""
        return statistics.median(1e6 * (r.own_cpu + r.children_cpu) / r.done for r in self.rounds)

    def __str__(self) -> str:
        return f"{self.median:,.0f}/s ± {self.spread / 2:.0%}"


def verdict(reached: bool) -> str:
    """Returns a word that says whether a target is reached."""
    return "reached" if reached else "MISSED"


def measured(contestants: Mapping[str, Callable[[], int]]) -> dict[str, Figure]:
    """Runs the contestants in turn. Each does some work and returns the amount; it is called
    repeatedly until the seconds of its round have passed."""
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
    """Returns the CPU seconds so far of this process and of its running children."""
    own = psutil.Process()
    times = [sum(p.cpu_times()[:2]) for p in (own, *own.children(recursive=True))]
    return times[0], sum(times[1:])
