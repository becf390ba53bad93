"""All figures of a comparison, from its terms and the differences that count."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import fsum, isfinite, sqrt

from arena.statistics.confidence_sequence import FEWEST_GROUPS, mean_interval
from arena.statistics.design import Design, StrictModel
from arena.statistics.estimate import Estimate, estimated
from arena.statistics.moments import Moments
from arena.statistics.sequential_test import SequentialTest, Verdict

SKEWED = 1.0
"""Differences of more skewness need a known largest difference for error rates as agreed."""
DEPENDENT = 3.29
"""The autocorrelation of independent groups times the root of their number exceeds this in one
comparison of 1,000."""


class Findings(StrictModel):
    """The figures of a comparison up to the verdict or, while there is none, up to the last group.

    `groups`: how many count.
    `ratio`: the log likelihood ratio; it stops at `lower` or `upper`.
    `t`: the observed strength; None if all differences are equal.
    `mean`, `deviation`, `skewness`: of the differences, in points per seat and match.
    `interval`: contains the mean difference at all times together in 95 % of runs; None if there
      are too few groups.
    `autocorrelation`: of the difference of a group with that of the next one, from -1 to 1; None
      if there are too few groups, or no differences between them.
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
    autocorrelation: float | None
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
        autocorrelation=_autocorrelation(counted, moments),
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
    """Returns cautions about the error rates and the interval, in sentences; empty if both are as
    agreed."""
    cautions = [_dependence(findings)]
    if terms.widest is None:
        cautions.append(_skewness(findings, terms))
    return " ".join(filter(None, cautions))


def _dependence(findings: Findings) -> str:
    serial = findings.autocorrelation
    if serial is None or abs(serial) * sqrt(findings.groups) < DEPENDENT:
        return ""
    return (
        "The test takes the groups for independent, and they are not: the difference of a group"
        f" goes with that of the one before it (autocorrelation {serial:+.2f}), as when a bot"
        " learns from match to match. Error rates and interval are not as agreed."
    )


def _skewness(findings: Findings, terms: Design) -> str:
    unknown = (
        "The largest possible difference is not known, so nothing guards against rare large losses"
        " that have not shown yet."
    )
    if abs(findings.skewness) < SKEWED:
        return unknown
    shown = f"{unknown} Differences are skewed ({findings.skewness:+.1f}):"
    interval = "the interval may contain the mean difference in far fewer than 95 % of comparisons"
    if findings.skewness > 0:
        return f"{shown} {interval}."
    return f'{shown} {interval}, and a false "better" may be more probable than {terms.alpha:g}.'


def _autocorrelation(differences: Sequence[float], moments: Moments) -> float | None:
    if moments.groups < FEWEST_GROUPS or not moments.deviation:
        return None
    products = (
        (one - moments.mean) * (following - moments.mean)
        for one, following in pairwise(differences)
    )
    return fsum(products) / (moments.groups * moments.deviation**2)
