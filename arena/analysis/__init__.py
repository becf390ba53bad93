"""The worth of each decision of a finished match, by playouts from its seat's own information."""

from arena.analysis.analysis import Analysis, Decision, Play, analyse
from arena.analysis.choices import Choice, Estimate
from arena.analysis.mark import Mark

__all__ = ["Analysis", "Choice", "Decision", "Estimate", "Mark", "Play", "analyse"]
