"""TrueSkill ratings from finished matches."""

from arena.ratings.comparison import Comparison, compared
from arena.ratings.draw_probability import estimate_draw_probability
from arena.ratings.job_result import Seated, standing
from arena.ratings.rater import BETA, Rater, Skill

__all__ = [
    "BETA",
    "Comparison",
    "Rater",
    "Seated",
    "Skill",
    "compared",
    "estimate_draw_probability",
    "standing",
]
