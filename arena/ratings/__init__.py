"""TrueSkill ratings from finished matches."""

from arena.ratings.comparison import Comparison, compared
from arena.ratings.draw_probability import estimate_draw_probability
from arena.ratings.fit import fit
from arena.ratings.job_result import Seated, Standing, standing
from arena.ratings.rater import BETA, Rater, Skill

__all__ = [
    "BETA",
    "Comparison",
    "Rater",
    "Seated",
    "Skill",
    "Standing",
    "compared",
    "estimate_draw_probability",
    "fit",
    "standing",
]
