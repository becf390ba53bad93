"""The matches that the sequential test of `arena compare` needs, by way of playing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from statistics import median, quantiles

from arena.statistics import Design, SequentialTest, Verdict
from bench.budgets.pool import Played
from bench.budgets.way import Way

RUNS = 1000
EFFECT = 0.13
"""The difference in rank points per match at which an error has the probability beta: what the
usual t1 of 0.2 is for groups of these bots. Every way of playing gets the t1 that it is there."""
MOST_MATCHES = 3000


@dataclass(frozen=True)
class Length:
    """The matches that runs took: the median, and the range of 90 % of them.

    `t1`: the effect in standard deviations of a difference.
    `right`: the share of runs, from 0 to 1, that call the larger budget better.
    """

    t1: float
    median: float
    low: float
    high: float
    right: float


def length(way: Way, groups: Sequence[Played], seed: str) -> Length:
    """Tests RUNS times, each with groups drawn from those played."""
    terms = Design(
        t1=round(EFFECT / way.spread(groups), 4),
        most_groups=MOST_MATCHES // way.matches,
        widest=None if way.luck else 1.0,
    )
    ends = [tested(way, groups, terms, Random(f"{seed}/{run}")) for run in range(RUNS)]
    matches = [test.moments.groups * way.matches for test in ends]
    parts = quantiles(matches, n=20)
    right = sum(test.verdict is Verdict.BETTER for test in ends) / RUNS
    return Length(terms.t1, median(matches), parts[0], parts[-1], right)


def tested(way: Way, groups: Sequence[Played], terms: Design, rng: Random) -> SequentialTest:
    """Returns the test at its verdict."""
    test = SequentialTest(terms)
    for difference in way.series(rng.choices(groups, k=terms.most_groups)):
        if test.add(difference) is not Verdict.RUNNING:
            break
    return test
