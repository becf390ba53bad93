"""How often equals would be called better, if their differences had the shape of those seen."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from math import sqrt
from random import Random

from pydantic import Field

from arena.statistics.moments import Moments
from arena.statistics.sequential_test import SequentialTest, Verdict
from arena.statistics.terms import Document, Terms

RUNS = 1000
MOST_GROUPS = 300_000
"""After so many simulated groups no further run is started: about a second of work."""


class SimulatedError(Document):
    """The result of a simulation.

    `better`: in how many runs the verdict was "better", although t was `t0`.
    `runs`: the number of runs.
    """

    better: int = Field(ge=0)
    runs: int = Field(ge=1)

    @property
    def rate(self) -> float:
        """The error rate, to be compared with alpha."""
        return self.better / self.runs

    @property
    def deviation(self) -> float:
        """The standard deviation of the rate."""
        return sqrt(max(self.rate * (1 - self.rate), 1 / self.runs) / self.runs)


def simulated_error(terms: Terms, differences: Sequence[float]) -> SimulatedError:
    """Tests differences that are drawn from those seen, shifted so that their t is `t0`.

    The seed follows from terms and differences, so everybody simulates the same. A loss that has
    not been seen cannot be drawn either; the test's guard deals with those.
    """
    moments = Moments()
    for difference in differences:
        moments.add(difference)
    shift = terms.t0 * moments.deviation - moments.mean
    shifted = [difference + shift for difference in differences]
    draw = Random(_seed(terms, differences))
    better = runs = groups = 0
    while runs < RUNS and groups < MOST_GROUPS:
        test = SequentialTest(terms)
        while test.verdict is Verdict.RUNNING:
            test.add(shifted[int(draw.random() * len(shifted))])
        runs += 1
        groups += test.moments.groups
        better += test.verdict is Verdict.BETTER
    return SimulatedError(better=better, runs=runs)


def _seed(terms: Terms, differences: Sequence[float]) -> bytes:
    return sha256(f"{terms.model_dump_json()} {list(differences)}".encode()).digest()
