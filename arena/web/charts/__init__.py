"""Charts: the geometry, from values alone. `templates/macros/charts.html` draws them.

Charts fill the width of the page without scaling their text: places along it are in percent, or in
a plane that is stretched; those up it are in pixels.
"""

from arena.web.charts.curves import STYLES, Curves, Line, Point, Sparkline, curves, sparkline
from arena.web.charts.heat import heat
from arena.web.charts.histogram import Bin, Histogram, histogram
from arena.web.charts.scale import Interval, intervals
from arena.web.charts.strip import Outcome, Strip, strip
from arena.web.charts.thinning import MOST_POINTS, thinned

__all__ = [
    "MOST_POINTS",
    "STYLES",
    "Bin",
    "Curves",
    "Histogram",
    "Interval",
    "Line",
    "Outcome",
    "Point",
    "Sparkline",
    "Strip",
    "curves",
    "heat",
    "histogram",
    "intervals",
    "sparkline",
    "strip",
    "thinned",
]
