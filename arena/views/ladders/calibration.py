"""Predictions by ratings, compared with results."""

from __future__ import annotations

from arena.ratings import Score
from arena.views.view import View


class PredictionClass(View):
    """Predictions of about the same points, between `low` and `high`, for so many pairs of teams.

    `predicted`, `observed`: the mean points; `interval`: the 95 % interval of those observed. None
      without pairs.
    """

    low: float
    high: float
    pairs: int
    predicted: float | None
    observed: float | None
    interval: tuple[float, float] | None


class Calibration(View):
    """Predictions by the ratings of a ladder against results, by classes of predicted points, from
    0.5 to 1.

    `jobs`: the rated ones; each has a prediction for every pair of its teams.
    `ties`: how many pairs tied.
    `score`, `baseline`: of the predictions, and of always predicting the share of ties and even
      odds otherwise; None without pairs.
    """

    ladder: str
    jobs: int
    pairs: int
    ties: int
    classes: tuple[PredictionClass, ...]
    score: Score | None
    baseline: Score | None
