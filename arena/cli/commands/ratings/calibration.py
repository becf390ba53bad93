"""`arena ratings --calibration`: predictions compared with results."""

from __future__ import annotations

from typing import Any

from arena.cli.output import print_json, stdout, table
from arena.ratings import Calibration, PredictionClass, Score

CLASSES = ("predicted from", "to", "pairs", "predicted", "observed", "95 % interval")
SCORES = ("", "predictions", "without ratings")


def print_calibration(found: Calibration, ladder: str) -> None:
    """Prints a calibration for people."""
    if not found.pairs:
        stdout.say(f"No job has been rated on {ladder} yet.")
        return
    stdout.say(
        f"{ladder}: the points of the favourite, as predicted before each of {found.jobs} rated"
        " jobs and as observed (1 for a win, 0.5 for a tie)"
    )
    stdout.print()
    stdout.print(table(CLASSES, [_row(one) for one in found.classes if one.pairs]))
    stdout.print()
    stdout.print(table(SCORES, _score_rows(found)))


def print_calibration_document(found: Calibration, ladder: str) -> None:
    """Prints a calibration as JSON."""
    print_json(
        {
            "ladder": ladder,
            "jobs": found.jobs,
            "pairs": found.pairs,
            "ties": found.ties,
            "classes": [_class(one) for one in found.classes],
            "score": _score(found.score) if found.pairs else None,
            "baseline": _score(found.baseline) if found.pairs else None,
        }
    )


def _row(one: PredictionClass) -> tuple[object, ...]:
    low, high = one.interval
    means = (one.predicted / one.pairs, one.observed / one.pairs)
    return (one.low, one.high, one.pairs, *means, f"{low:.2f} to {high:.2f}")


def _score_rows(found: Calibration) -> list[tuple[object, ...]]:
    score, baseline = found.score, found.baseline
    return [
        ("Brier score", f"{score.brier:.3f}", f"{baseline.brier:.3f}"),
        ("log loss", f"{score.log_loss:.3f}", f"{baseline.log_loss:.3f}"),
    ]


def _class(one: PredictionClass) -> dict[str, Any]:
    """Returns a class; without pairs its means are None."""
    means: dict[str, Any] = {"predicted": None, "observed": None, "interval": None}
    if one.pairs:
        means = {
            "predicted": one.predicted / one.pairs,
            "observed": one.observed / one.pairs,
            "interval": one.interval,
        }
    return {"low": one.low, "high": one.high, "pairs": one.pairs, **means}


def _score(score: Score) -> dict[str, float]:
    return {"brier": score.brier, "log_loss": score.log_loss}
