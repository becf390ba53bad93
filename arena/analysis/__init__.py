"""The worth of each decision of a finished match, by playouts from its seat's own information."""

from arena.analysis.analysis import BUDGET, SEED, analyse
from arena.analysis.mark import FROM, SIGNIFICANT

__all__ = ["BUDGET", "FROM", "SEED", "SIGNIFICANT", "analyse"]
