"""The geometry of the scores: how far the first seat, or team, is ahead in each match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arena.web.charts import MOST_POINTS, thinned
from arena.web.deal.decision_log import DecisionLog

WIDTH, HEIGHT, LEFT, RIGHT, EDGE = 900.0, 180.0, 8.0, 96.0, 30.0


@dataclass(frozen=True)
class LeadFigure:
    """`lines`: of each match the points of a line, as SVG takes them; empty if its scores are not
    known. `zero`: the height of an even score. `first`: where the first difference is.
    `farthest`: the lead at the upper edge."""

    width: float
    height: float
    left: float
    right: float
    edge: float
    lines: Sequence[str]
    zero: float
    first: float | None
    farthest: float


def lead_figure(logs: Sequence[DecisionLog], first: int | None) -> LeadFigure | None:
    """Returns the drawing; None if no lead ever shows. `first`: the number of the decision at which
    the matches part."""
    leads = [_leads(log) for log in logs]
    longest = max(map(len, leads), default=0)
    farthest = max((abs(lead) for line in leads for lead in line), default=0.0)
    if not farthest:
        return None
    right = WIDTH - RIGHT

    def x(at: int) -> float:
        return round(LEFT + at / max(longest - 1, 1) * (right - LEFT), 1)

    def y(lead: float) -> float:
        return round(HEIGHT / 2 - lead / farthest * (HEIGHT / 2 - EDGE), 1)

    return LeadFigure(
        width=WIDTH,
        height=HEIGHT,
        left=LEFT,
        right=right,
        edge=EDGE,
        lines=[" ".join(f"{x(at):g},{y(lead):g}" for at, lead in _points(line)) for line in leads],
        zero=HEIGHT / 2,
        first=None if first is None else x(first - 1),
        farthest=farthest,
    )


def _leads(log: DecisionLog) -> list[float]:
    """Returns before each decision by how much the first is ahead of the others' mean."""
    leads = []
    for decision in log.decisions:
        if decision.scores is None or len(decision.scores) < 2:
            return []
        own, *others = decision.scores
        leads.append(own - sum(others) / len(others))
    return leads


def _points(line: Sequence[float]) -> list[tuple[int, float]]:
    return thinned(list(enumerate(line)), MOST_POINTS, lambda point: point)
