"""TrueSkill ratings from finished matches."""

from arena.ratings.calibration import Calibration, PredictionClass, Score, calibrate
from arena.ratings.comparison import Comparison, compared
from arena.ratings.draw_probability import estimate_draw_probability
from arena.ratings.explanation import ExplainedJob, Explanation, Meeting, OpponentRecord, explain
from arena.ratings.fit import fit
from arena.ratings.job_result import Seated, Standing, standing
from arena.ratings.prediction import Odds, odds, surprise
from arena.ratings.rated_job import RatedJob
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
    "Comparison",
    "ExplainedJob",
    "Explanation",
    "Meeting",
    "Odds",
    "OpponentRecord",
    "PredictionClass",
    "RatedJob",
    "Rater",
    "Score",
    "Seated",
    "Skill",
    "Standing",
    "calibrate",
    "compared",
    "estimate_draw_probability",
    "explain",
    "fit",
    "odds",
    "standing",
    "surprise",
]
