"""Tables: one match each, which a person plays against bots, unrated."""

from arena.league.table.jobs import TableJobs
from arena.league.table.league_tables import LeagueTables
from arena.league.table.opponents import playing_bots

__all__ = ["LeagueTables", "TableJobs", "playing_bots"]
