"""All figures of a comparison, from its terms and the differences that count."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

from arena.statistics.confidence_sequence import mean_interval
from arena.statistics.design import Design, StrictModel
from arena.statistics.estimate import Estimate, estimated
from arena.statistics.sequential_test import SequentialTest, Verdict

SKEWED = -1.0
"""Differences of less skewness need a known largest difference for error rates as agreed."""


class Findings(StrictModel):
    """The figures of a comparison up to the verdict or, while there is none, up to the last group.

    `groups`: how many count.
    `ratio`: the log likelihood ratio; it stops at `lower` or `upper`.
    `t`: the observed strength; None if all differences are equal.
    `mean`, `deviation`, `skewness`: of the differences, in points per seat and match.
    `interval`: contains the mean difference at all times together in 95 % of runs; None if there
      are too few groups.
    `estimate`: after the verdict.
    """

    verdict: Verdict
    groups: int
    ratio: float
    lower: float
    upper: float
    t: float | None
    mean: float
    deviation: float
    skewness: float
    interval: tuple[float, float] | None
    estimate: Estimate | None


def find(terms: Design, differences: Sequence[float]) -> Findings:
    """Returns the findings. Differences after the verdict do not count."""
    test = SequentialTest(terms)
    for difference in differences:
        if test.verdict is not Verdict.RUNNING:
            break
        test.add(difference)
    moments = test.moments
    counted = differences[: moments.groups]
    over = test.verdict is not Verdict.RUNNING
    return Findings(
        verdict=test.verdict,
        groups=moments.groups,
        ratio=test.ratio,
        lower=terms.lower,
        upper=terms.upper,
        t=moments.t if isfinite(moments.t) else None,
        mean=moments.mean,
        deviation=moments.deviation,
        skewness=moments.skewness,
        interval=mean_interval(counted, terms.widest) if counted else None,
        estimate=estimated(test) if over else None,
    )


def sentence(findings: Findings, new: str, old: str) -> str:
    """Returns the verdict as a sentence for people. `new`, `old`: the names of the versions."""
    after = f"after {findings.groups:,} {'group' if findings.groups == 1 else 'groups'}"
    match findings.verdict:
        case Verdict.BETTER:
            return f"{new} is better than {old}, {after}."
        case Verdict.NOT_BETTER:
            return f"{new} is not better than {old}, {after}."
        case Verdict.UNDECIDED:
            return f"Undecided {after}, the most that were agreed."
        case _:
            return f"Running, {after}."


def caution(findings: Findings, terms: Design) -> str:
    """Returns a caution about the error rates, in sentences; empty if they are as agreed."""
    if terms.widest is not None:
        return ""
    unknown = (
        "The largest possible difference is not known, so nothing guards against rare large losses"
        " that have not shown yet."
    )
    if findings.skewness > SKEWED:
        return unknown
    return (
        f'{unknown} Some have shown (skewness {findings.skewness:+.1f}): a false "better" may be'
        f" more probable than {terms.alpha:g}."
    )
