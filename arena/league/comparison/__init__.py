"""Comparisons: whether one version of a bot is better than another, until that is decided."""

from arena.league.comparison.certificate import Certificate, Group, PlayedMatch, certify
from arena.league.comparison.comparisons import change_state, create_comparison, plan_of
from arena.league.comparison.document import comparison_document
from arena.league.comparison.jobs import ComparisonJobs
from arena.league.comparison.league_comparisons import LeagueComparisons
from arena.league.comparison.plan import Mode, Participant, Plan
from arena.league.comparison.verify import problems_of, read_file, write_file

__all__ = [
    "Certificate",
    "ComparisonJobs",
    "Group",
    "LeagueComparisons",
    "Mode",
    "Participant",
    "Plan",
    "PlayedMatch",
    "certify",
    "change_state",
    "comparison_document",
    "create_comparison",
    "plan_of",
    "problems_of",
    "read_file",
    "write_file",
]
