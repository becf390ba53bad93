"""All figures of a comparison, from its terms and the differences that count."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, isfinite, log

from arena.statistics.confidence_sequence import mean_interval
from arena.statistics.estimate import Estimate, estimated
from arena.statistics.evidence import Evidence
from arena.statistics.sequential_test import SequentialTest, Verdict
from arena.statistics.shape_simulation import SimulatedError, simulated_error
from arena.statistics.skew_guard import SKEWED
from arena.statistics.terms import Document, Terms

WORTH_WRITING_OUT = 1_000_000


class Findings(Document):
    """What the differences say, up to the verdict or, while there is none, up to the last one.

    `groups`: how many count.
    `ratio`: the log likelihood ratio; it stops at `lower` or `upper`.
    `t`: the observed strength; None if all differences are equal.
    `mean`, `deviation`, `skewness`: of the differences, in points per seat and match.
    `evidence_for_new`, `evidence_for_old`: natural logarithms; see `Evidence`.
    `interval`: contains the mean difference at all times together in 95 % of runs; None if there
      are too few groups.
    `estimate`: after the verdict.
    `simulated_error`: after the verdict, if the differences are skewed.
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
    evidence_for_new: float
    evidence_for_old: float
    interval: tuple[float, float] | None
    estimate: Estimate | None
    simulated_error: SimulatedError | None

    @property
    def approximate(self) -> bool:
        """Whether the differences are so skewed that the error rates are approximate."""
        return abs(self.skewness) > SKEWED


def find(terms: Terms, differences: Sequence[float]) -> Findings:
    """Returns the findings. Differences after the verdict do not count."""
    test, evidence = SequentialTest(terms), Evidence()
    for difference in differences:
        if test.verdict is not Verdict.RUNNING:
            break
        test.add(difference)
        evidence.add(difference)
    moments = test.moments
    counted = differences[: moments.groups]
    over = test.verdict is not Verdict.RUNNING
    skewed = abs(moments.skewness) > SKEWED
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
        evidence_for_new=evidence.for_new,
        evidence_for_old=evidence.for_old,
        interval=mean_interval(counted, terms.widest) if counted else None,
        estimate=estimated(test) if over else None,
        simulated_error=simulated_error(terms, counted) if over and skewed else None,
    )


def sentence(findings: Findings, new: str, old: str) -> str:
    """Returns the verdict as a sentence for people. `new`, `old`: the names of the versions."""
    after = f"after {findings.groups:,} {'group' if findings.groups == 1 else 'groups'}"
    match findings.verdict:
        case Verdict.BETTER:
            return f"{new} is better than {old}, {after}; evidence {_odds(findings)}."
        case Verdict.NOT_BETTER:
            return f"{new} is not better than {old}, {after}; evidence {_odds(findings)}."
        case Verdict.UNDECIDED:
            return f"Undecided {after}, the most that were agreed; evidence {_odds(findings)}."
        case _:
            return f"Running, {after}; evidence {_odds(findings)}."


def caution(findings: Findings, terms: Terms) -> str:
    """Returns what to know about the error rates, in sentences; empty if they are as agreed."""
    return " ".join(filter(None, (_unguarded(terms), _skewed(findings, terms))))


def _unguarded(terms: Terms) -> str:
    if terms.widest is not None:
        return ""
    return (
        "How large a difference can be is not known, so nothing guards against rare large losses"
        " that have not shown yet."
    )


def _skewed(findings: Findings, terms: Terms) -> str:
    if not findings.approximate:
        return ""
    skewed = f"The differences are skewed ({findings.skewness:+.1f})"
    if (error := findings.simulated_error) is None:
        return f"{skewed}, so the error rates are approximate."
    return (
        f"{skewed}: equals with differences of this shape are called better in {error.rate:.1%} of "
        f"runs (±{error.deviation:.1%}, simulated), not in {terms.alpha:.1%}."
    )


def _odds(findings: Findings) -> str:
    """Returns the evidence for the side that is ahead, such as "37 : 1 for NEW"."""
    new = findings.evidence_for_new >= findings.evidence_for_old
    logarithm = max(findings.evidence_for_new, findings.evidence_for_old)
    if logarithm < 0:
        return "less than 1 : 1 for either"
    enough = logarithm >= log(WORTH_WRITING_OUT)
    shown = f"more than {WORTH_WRITING_OUT:,}" if enough else f"{exp(logarithm):,.0f}"
    return f"{shown} : 1 for {'NEW' if new else 'OLD'}"
