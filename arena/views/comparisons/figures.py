"""The plan and the figures of a comparison in words, for the terminal and the pages."""

from __future__ import annotations

from collections.abc import Mapping
from math import log10

from arena.statistics import Findings, PointScale, Verdict
from arena.views.comparisons.comparison import Comparison
from arena.views.comparisons.plan import Mode

ASKED = {
    Mode.HEAD_TO_HEAD: "head to head: both at one table",
    Mode.REPLACEMENT: "replacement: the same deals, once with each",
}
UNITS = {PointScale.RANKS: "rank points", PointScale.SCORE: "points"}


def agreed(comparison: Comparison) -> dict[str, str]:
    """Returns the parts of the plan, by name, and the state."""
    plan, terms = comparison.plan, comparison.plan.terms
    house = f", among {', '.join(map(str, plan.house))}" if plan.house else ""
    return {
        "comparison": comparison.comparison,
        "question": f"is {plan.new} better than {plan.old}{house}?",
        "game": f"{plan.game}, {len(plan.seatings[0])} seats, {_options(plan.options)}",
        "mode": f"{ASKED[plan.mode]}; {len(plan.seatings)} matches a group",
        "counts": UNITS[plan.scale],
        "test": f"t = {terms.t0:g} against t = {terms.t1:g}, errors {terms.alpha:.3g} and"
        f" {terms.beta:.3g}, at most {terms.most_groups:,} groups",
        "plan": comparison.plan_digest,
        "commitment": comparison.commitment,
        "state": str(comparison.state),
    }


def figures(comparison: Comparison) -> Mapping[str, tuple[str, str]]:
    """Returns the figures by name, each with its meaning."""
    found, plan = comparison.findings, comparison.plan
    unit = f"{UNITS[plan.scale]} per seat and match"
    figures = {
        "groups": (
            f"{found.groups:,}",
            f"counted, of {comparison.started:,} started;"
            f" {comparison.waiting} wait for an earlier one",
        ),
        "matches": (f"{comparison.matches:,}", f"{len(plan.seatings)} in a group"),
    }
    if estimate := found.estimate:
        figures["difference"] = (f"{estimate.points:+.4f}", f"{unit}, median-unbiased")
        if estimate.t is not None:
            figures["strength"] = (f"{estimate.t:+.3f}", "t, median-unbiased")
    elif found.groups:
        figures["difference"] = (f"{found.mean:+.4f}", f"{unit}, plain mean so far")
    if found.interval is not None:
        low, high = found.interval
        figures["interval"] = (f"{low:+.4f} to {high:+.4f}", f"95 %, at all times together; {unit}")
    better = "needs a larger lead over rare losses" if _held_back(found) else "is better"
    figures["ratio"] = (
        f"{found.ratio:+.2f}",
        f"log likelihood; {found.lower:+.2f} is not better, {found.upper:+.2f} {better}",
    )
    if shared := _share(comparison):
        figures["share"] = (shared, "of the points between the two went to NEW")
    if rated := _elo(comparison):
        figures["Elo"] = (rated, "by that share, with the interval at all times together")
    if comparison.distribution:
        counts = (f"{difference:+g}: {count:,}" for difference, count in comparison.distribution)
        figures["groups by difference"] = (", ".join(counts), unit)
    figures["faults"] = (
        f"{comparison.new_faults} / {comparison.old_faults}",
        "seats at fault: NEW / OLD",
    )
    return figures


def _held_back(found: Findings) -> bool:
    """True while only the guard against rare large losses delays the verdict."""
    return found.verdict is Verdict.RUNNING and found.ratio >= found.upper


def _share(comparison: Comparison) -> str:
    """Returns NEW's share of the points if only the two sit at the table; empty otherwise."""
    if not _have_the_table_to_themselves(comparison):
        return ""
    return f"{(1 + _difference(comparison.findings)) / 2:.1%}"


def _elo(comparison: Comparison) -> str:
    """Returns the difference in Elo points that the share stands for, with its interval; empty
    where there is no share, or an end of the interval is infinite."""
    found = comparison.findings
    if not _have_the_table_to_themselves(comparison) or found.interval is None:
        return ""
    shares = [(1 + one) / 2 for one in (*found.interval, _difference(found))]
    if not all(0 < share < 1 for share in shares):
        return ""
    low, high, middle = (400 * log10(share / (1 - share)) for share in shares)
    return f"{middle:+.0f} ({low:+.0f} to {high:+.0f})"


def _have_the_table_to_themselves(comparison: Comparison) -> bool:
    plan = comparison.plan
    alone = plan.mode is Mode.HEAD_TO_HEAD and not plan.house and plan.scale is PointScale.RANKS
    return alone and comparison.findings.groups > 0


def _difference(found: Findings) -> float:
    return found.estimate.points if found.estimate else found.mean


def _options(options: Mapping[str, str]) -> str:
    return ", ".join(f"{name} {value}" for name, value in options.items()) or "no options"
