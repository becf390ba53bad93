"""Tables: one match each, which a person plays against bots, unrated."""

from arena.league.table.opponents import playing_bots
from arena.league.table.table_job import TableJobs
from arena.league.table.tables import Sitter, sit_down, sit_down_again

__all__ = ["Sitter", "TableJobs", "playing_bots", "sit_down", "sit_down_again"]
