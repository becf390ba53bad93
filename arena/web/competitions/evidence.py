"""The geometry of a comparison: the walk of its evidence, and the interval of its difference."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from arena.statistics import SequentialTest, Verdict
from arena.views.comparisons.comparison import Comparison
from arena.web.charts import MOST_POINTS, thinned

WIDTH, HEIGHT = 640.0, 190.0
LEFT, RIGHT, TOP, BOTTOM = 12.0, 108.0, 14.0, 26.0
WIDEST = 1.15
"""The drawn range over the farthest value, so that nothing touches the edge."""
BAR_HEIGHT, BAR_MIDDLE = 62.0, 24.0


@dataclass(frozen=True)
class WalkFigure:
    """The log likelihood ratio after each group.

    `points`: of the line, as SVG takes them. `better`, `not_better`, `nothing`: the heights of the
      boundaries and of 0. `end`: the last point. `groups`: their number, which is the width.
    """

    width: float
    height: float
    left: float
    right: float
    points: str
    better: float
    not_better: float
    nothing: float
    end: tuple[float, float]
    groups: int


@dataclass(frozen=True)
class IntervalFigure:
    """The interval of the difference on a line around 0.

    `low`, `high`, `at`: the places of the interval and of the best guess. `zero`: that of 0.
    `ends`: the differences at the ends of the line.
    """

    width: float
    height: float
    middle: float
    left: float
    right: float
    low: float
    high: float
    at: float
    zero: float
    ends: tuple[float, float]


def walk_figure(comparison: Comparison, differences: Sequence[float]) -> WalkFigure | None:
    """Returns the walk of a comparison; None before the first group. `differences`: of the groups
    that count, in order."""
    ratios = [*_ratios(comparison, differences)]
    if not ratios:
        return None
    found = comparison.findings
    low = min(found.lower, *ratios) * WIDEST
    high = max(found.upper, *ratios) * WIDEST
    right = WIDTH - RIGHT

    def x(groups: int) -> float:
        return round(LEFT + groups / len(ratios) * (right - LEFT), 1)

    def y(ratio: float) -> float:
        return round(TOP + (high - ratio) / (high - low) * (HEIGHT - TOP - BOTTOM), 1)

    after = list(enumerate([0.0, *ratios]))
    walked = [(x(at), y(ratio)) for at, ratio in thinned(after, MOST_POINTS, lambda one: one)]
    return WalkFigure(
        width=WIDTH,
        height=HEIGHT,
        left=LEFT,
        right=right,
        points=" ".join(f"{one:g},{other:g}" for one, other in walked),
        better=y(found.upper),
        not_better=y(found.lower),
        nothing=y(0.0),
        end=walked[-1],
        groups=len(ratios),
    )


def interval_figure(comparison: Comparison) -> IntervalFigure | None:
    """Returns the interval of the difference, with the estimate or, before the verdict, the plain
    mean; None if there are too few groups for an interval."""
    found = comparison.findings
    if found.interval is None:
        return None
    low, high = found.interval
    at = found.estimate.points if found.estimate else found.mean
    end = max(abs(low), abs(high), abs(at)) * WIDEST or 1.0
    left, right = LEFT, WIDTH - LEFT

    def x(difference: float) -> float:
        return round(left + (difference + end) / (2 * end) * (right - left), 1)

    return IntervalFigure(
        width=WIDTH,
        height=BAR_HEIGHT,
        middle=BAR_MIDDLE,
        left=left,
        right=right,
        low=x(low),
        high=x(high),
        at=x(at),
        zero=x(0.0),
        ends=(-end, end),
    )


def _ratios(comparison: Comparison, differences: Sequence[float]) -> Iterator[float]:
    """Yields the log likelihood ratio after each group, up to the verdict."""
    test = SequentialTest(comparison.plan.terms)
    for difference in differences:
        if test.verdict is not Verdict.RUNNING:
            break
        test.add(difference)
        yield test.ratio
