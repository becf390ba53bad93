"""An analysis as pages draw it: the figures of a replay's decisions, without more digits than are
shown."""

from __future__ import annotations

from typing import Any

from arena.views.matches.analysis import Analysis, Estimate, WeighedDecision

DIGITS = 3


def analysis_document(analysis: Analysis) -> dict[str, Any]:
    """Returns the document, as JSON takes it; estimates are pairs of a mean and its error."""
    return {"decisions": [_decision(each) for each in analysis.decisions]}


def _decision(weighed: WeighedDecision) -> dict[str, Any]:
    return {
        "decision": weighed.decision,
        "mark": weighed.mark,
        "loss": _pair(weighed.loss),
        "exact": weighed.exact,
        "expected": [_pair(rank) for rank in weighed.expected],
        "actions": [
            {
                "action": each.action,
                "rank": _pair(each.rank),
                "behind": _pair(each.behind),
                "score": _pair(each.score),
                "guesses": each.guesses,
            }
            for each in weighed.actions
        ],
    }


def _pair(estimate: Estimate) -> list[float]:
    return [round(estimate.mean, DIGITS), round(estimate.error, DIGITS)]
