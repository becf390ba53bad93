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
from arena.league.tournament.words import (
    agreed,
    for_people,
    is_elimination,
    reason_of_pairing,
    standings_table,
    title,
    totals,
)

__all__ = [
    "BadFile",
    "History",
    "LeagueTournaments",
    "TournamentJobs",
    "agreed",
    "change_state",
    "create_tournament",
    "enter_tournament",
    "for_people",
    "history_of",
    "is_elimination",
    "leave_tournament",
    "obstacle_to_play",
    "per_table",
    "problems_of",
    "read_file",
    "reason_of_pairing",
    "standings_table",
    "terms_of",
    "title",
    "totals",
    "tournament_document",
    "write_file",
]
