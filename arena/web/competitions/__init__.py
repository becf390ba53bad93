"""Figures on the pages of tournaments and comparisons, and the cache behind them."""

from arena.web.competitions.bracket import Bracket, bracket_of
from arena.web.competitions.cache import Cache, progress_of
from arena.web.competitions.crosstable import crosstable_of
from arena.web.competitions.evidence import (
    IntervalFigure,
    WalkFigure,
    interval_figure,
    walk_figure,
)

__all__ = [
    "Bracket",
    "Cache",
    "IntervalFigure",
    "WalkFigure",
    "bracket_of",
    "crosstable_of",
    "interval_figure",
    "progress_of",
    "walk_figure",
]
