"""Tournaments: their fields, their rounds, and the jobs of their tables."""

from arena.league.public_lines import usable
from arena.league.tournament.public_document import read_file, tournament_document, write_file
from arena.league.tournament.rows import History, entered_version, history_of
from arena.league.tournament.schedule import check_in, has_check_in, schedule, start_when_due
from arena.league.tournament.tournament_jobs import TournamentJobs
from arena.league.tournament.tournament_verification import check
from arena.league.tournament.tournaments import (
    change_state,
    create_tournament,
    draw,
    enter_tournament,
    leave_tournament,
    obstacle_to_play,
    per_table,
    terms_of,
)
from arena.league.tournament.void_groups import play_again, played_jobs

__all__ = [
    "History",
    "TournamentJobs",
    "change_state",
    "check",
    "check_in",
    "create_tournament",
    "draw",
    "enter_tournament",
    "entered_version",
    "has_check_in",
    "history_of",
    "leave_tournament",
    "obstacle_to_play",
    "per_table",
    "play_again",
    "played_jobs",
    "read_file",
    "schedule",
    "start_when_due",
    "terms_of",
    "tournament_document",
    "usable",
    "write_file",
]
