"""Tournaments: their fields, their rounds, and the jobs of their tables."""

from arena.league.public_lines import BadFile
from arena.league.tournament.document import tournament_document
from arena.league.tournament.jobs import TournamentJobs
from arena.league.tournament.league_tournaments import LeagueTournaments
from arena.league.tournament.public_file import read_file, write_file
from arena.league.tournament.rows import History, history_of
from arena.league.tournament.tournaments import (
    change_state,
    create_tournament,
    enter_tournament,
    leave_tournament,
    obstacle_to_play,
    per_table,
    terms_of,
)
from arena.league.tournament.verify import problems_of

__all__ = [
    "BadFile",
    "History",
    "LeagueTournaments",
    "TournamentJobs",
    "change_state",
    "create_tournament",
    "enter_tournament",
    "history_of",
    "leave_tournament",
    "obstacle_to_play",
    "per_table",
    "problems_of",
    "read_file",
    "terms_of",
    "tournament_document",
    "write_file",
]
