"""TrueSkill ratings from finished matches."""

from arena.ratings.calibration import Calibration, PredictionClass, Score, calibrate
from arena.ratings.draw_probability import estimate_draw_probability
from arena.ratings.explanation import (
    ExplainedJob,
    Explanation,
    JobOpponent,
    OpponentRecord,
    explain,
)
from arena.ratings.fit import fit
from arena.ratings.job_result import JobResult, RatedJob, RatedSeat, job_result
from arena.ratings.prediction import Odds, odds, surprise
from arena.ratings.rater import (
    BETA,
    GREATEST_DRAW_PROBABILITY,
    LEAST_DRAW_PROBABILITY,
    MU,
    Rater,
    Skill,
)

__all__ = [
    "BETA",
    "GREATEST_DRAW_PROBABILITY",
    "LEAST_DRAW_PROBABILITY",
    "MU",
    "Calibration",
    "ExplainedJob",
    "Explanation",
    "JobOpponent",
    "JobResult",
    "Odds",
    "OpponentRecord",
    "PredictionClass",
    "RatedJob",
    "RatedSeat",
    "Rater",
    "Score",
    "Skill",
    "calibrate",
    "estimate_draw_probability",
    "explain",
    "fit",
    "job_result",
    "odds",
    "surprise",
]
