"""Is one version of a bot better than another? The statistics alone, without input and output."""

from arena.statistics.difference import Scale, SeatResult, Side, group_difference
from arena.statistics.estimate import Estimate
from arena.statistics.findings import Findings, caution, find, sentence
from arena.statistics.sequential_test import SequentialTest, Verdict
from arena.statistics.terms import Document, Terms

__all__ = [
    "Document",
    "Estimate",
    "Findings",
    "Scale",
    "SeatResult",
    "SequentialTest",
    "Side",
    "Terms",
    "Verdict",
    "caution",
    "find",
    "group_difference",
    "sentence",
]
