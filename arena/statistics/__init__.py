"""Is one version of a bot better than another? The statistics alone, without input and output."""

from arena.statistics.design import Design, StrictModel
from arena.statistics.difference import PointScale, SeatResult, Side, group_difference
from arena.statistics.estimate import Estimate
from arena.statistics.findings import Findings, caution, find, sentence
from arena.statistics.point_difference import PointDifference, point_differences
from arena.statistics.rate_alarm import RateAlarm
from arena.statistics.sequential_test import SequentialTest, Verdict

__all__ = [
    "Design",
    "Estimate",
    "Findings",
    "PointDifference",
    "PointScale",
    "RateAlarm",
    "SeatResult",
    "SequentialTest",
    "Side",
    "StrictModel",
    "Verdict",
    "caution",
    "find",
    "group_difference",
    "point_differences",
    "sentence",
]
