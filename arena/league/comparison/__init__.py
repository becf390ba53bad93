"""Comparisons: whether one version of a bot is better than another, until that is decided."""

from arena.league.comparison.certificate import Certificate, CountedGroup, CountedMatch, certify
from arena.league.comparison.comparisons import change_state, create_comparison, plan_of
from arena.league.comparison.document import Status, read_status, status_document, status_of
from arena.league.comparison.figures import agreed, figures
from arena.league.comparison.groups import counted_differences
from arena.league.comparison.jobs import ComparisonJobs
from arena.league.comparison.league_comparisons import LeagueComparisons
from arena.league.comparison.plan import ComparisonPlan, Mode, Participant
from arena.league.comparison.verify import problems_of, read_file, write_file
from arena.league.public_lines import BadFile

__all__ = [
    "BadFile",
    "Certificate",
    "ComparisonJobs",
    "ComparisonPlan",
    "CountedGroup",
    "CountedMatch",
    "LeagueComparisons",
    "Mode",
    "Participant",
    "Status",
    "agreed",
    "certify",
    "change_state",
    "counted_differences",
    "create_comparison",
    "figures",
    "plan_of",
    "problems_of",
    "read_file",
    "read_status",
    "status_document",
    "status_of",
    "write_file",
]
