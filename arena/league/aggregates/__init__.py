"""Sums over finished matches, which pages show."""

from arena.league.aggregates.aggregate_rows import COUNTED, add
from arena.league.aggregates.recount import Recount, competition_names, count_again, recount
from arena.league.aggregates.sums import Sums

__all__ = ["COUNTED", "Recount", "Sums", "add", "competition_names", "count_again", "recount"]
