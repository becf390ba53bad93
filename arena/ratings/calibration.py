"""Are predictions right as often as they say? The prediction before each job against its result.

A prediction is that of the favourite: of two teams the one that is expected to win more points.
So a class of predictions that comes true less often than it says means too much confidence.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import combinations
from math import log, sqrt

from arena.ratings.job_result import RatedJob
from arena.ratings.prediction import LOSS, TIE, WIN, Odds

CLASSES = 10
NORMAL_95 = 1.959964
LEAST = 1e-12
"""A probability that has vanished in rounding counts as this one."""


@dataclass
class PredictionClass:
    """Predictions of about the same points.

    `low`, `high`: its bounds.
    `predicted`, `observed`: the sums of points.
    """

    low: float
    high: float
    pairs: int = 0
    predicted: float = 0.0
    observed: float = 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the mean of the observed points, by Wilson's formula. Where there
        are ties it is a little too wide."""
        n, mean = self.pairs, self.observed / self.pairs
        centre = mean + NORMAL_95**2 / (2 * n)
        half = NORMAL_95 * sqrt(mean * (1 - mean) / n + (NORMAL_95 / (2 * n)) ** 2)
        whole = 1 + NORMAL_95**2 / n
        return max(0.0, (centre - half) / whole), min(1.0, (centre + half) / whole)


@dataclass(frozen=True)
class Score:
    """The mean distance of predictions from results; less is better.

    `brier`: the sum of the squared differences over win, tie and loss: from 0 to 2.
    `log_loss`: the negative logarithm of the probability given to what happened.
    """

    brier: float
    log_loss: float


def _classes() -> list[PredictionClass]:
    width = (WIN - TIE) / CLASSES
    return [PredictionClass(TIE + i * width, TIE + (i + 1) * width) for i in range(CLASSES)]


@dataclass
class Calibration:
    """Predictions against results, by classes of predicted points, from 0.5 to 1.

    `jobs`: how many there were; each has a prediction for every pair of its teams.
    `ties`: how many pairs tied.
    """

    jobs: int = 0
    pairs: int = 0
    ties: int = 0
    classes: list[PredictionClass] = field(default_factory=_classes)
    _brier: float = 0.0
    _log_loss: float = 0.0

    @property
    def score(self) -> Score:
        return Score(self._brier / self.pairs, self._log_loss / self.pairs)

    @property
    def baseline(self) -> Score:
        """The score of always predicting the share of ties, and even odds otherwise."""
        tie = self.ties / self.pairs
        always = Odds((1 - tie) / 2, tie, (1 - tie) / 2)
        tied, decided = _score(always, TIE), _score(always, WIN)
        return Score(
            tie * tied.brier + (1 - tie) * decided.brier,
            tie * tied.log_loss + (1 - tie) * decided.log_loss,
        )

    def add(self, prediction: Odds, points: float) -> None:
        """Counts the prediction for a pair of teams, and the points of the first."""
        if prediction.points < TIE:
            prediction, points = prediction.of_the_other, WIN - points
        score = _score(prediction, points)
        self.pairs += 1
        self.ties += points == TIE
        self._brier += score.brier
        self._log_loss += score.log_loss
        place = int((prediction.points - TIE) / (WIN - TIE) * CLASSES)
        own = self.classes[min(place, CLASSES - 1)]
        own.pairs += 1
        own.predicted += prediction.points
        own.observed += points


def calibrate(jobs: Iterable[RatedJob], draw_probability: float) -> Calibration:
    """Compares the predictions before jobs with their results."""
    found = Calibration()
    for job in jobs:
        found.jobs += 1
        for one, other in combinations(range(len(job.result.teams)), 2):
            found.add(job.odds(one, other, draw_probability), job.points(one, other))
    return found


def _score(prediction: Odds, points: float) -> Score:
    happened = {WIN: prediction.win, TIE: prediction.tie, LOSS: prediction.loss}
    brier = sum((p - (result == points)) ** 2 for result, p in happened.items())
    return Score(brier, -log(max(happened[points], LEAST)))
