"""What the pages of tournaments and comparisons draw, and what they remember."""

from arena.web.competitions.bracket import Bracket, bracket_of
from arena.web.competitions.evidence import (
    IntervalFigure,
    WalkFigure,
    interval_figure,
    walk_figure,
)
from arena.web.competitions.progress import progress_of
from arena.web.competitions.remembered import Remembered

__all__ = [
    "Bracket",
    "IntervalFigure",
    "Remembered",
    "WalkFigure",
    "bracket_of",
    "interval_figure",
    "progress_of",
    "walk_figure",
]
