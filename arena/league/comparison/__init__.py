"""Comparisons: whether one version of a bot is better than another, until that is decided."""

from arena.league.comparison.comparison_jobs import ComparisonJobs
from arena.league.comparison.comparison_verification import problems_of, read_file, write_file
from arena.league.comparison.comparisons import change_state, create_comparison

__all__ = [
    "ComparisonJobs",
    "change_state",
    "create_comparison",
    "problems_of",
    "read_file",
    "write_file",
]
