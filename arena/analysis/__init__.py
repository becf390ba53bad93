"""The worth of each decision of a finished match, by playouts from its seat's own information."""

from arena.analysis.analysis import analyse
from arena.analysis.mark import FROM, SIGNIFICANT

__all__ = ["FROM", "SIGNIFICANT", "analyse"]
