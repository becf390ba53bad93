"""Decides which bots meet next, and records and rates finished matches."""

from arena.league.aggregates import Recount, competition_names, recount
from arena.league.audit import check_rows
from arena.league.comparison import LeagueComparisons
from arena.league.jobs import job_of
from arena.league.ladder import (
    LAST_MATCHES,
    Fits,
    calibrate_predictions,
    create_ladder,
    delete_ladder,
    enter,
    explain_rating,
    ladder_standings,
    obstacle,
    rebuild,
    withdraw,
)
from arena.league.recorder import Recorder
from arena.league.scheduler import Scheduler
from arena.league.table import LeagueTables, playing_bots
from arena.league.tournament import LeagueTournaments

__all__ = [
    "LAST_MATCHES",
    "Fits",
    "LeagueComparisons",
    "LeagueTables",
    "LeagueTournaments",
    "Recorder",
    "Recount",
    "Scheduler",
    "calibrate_predictions",
    "check_rows",
    "competition_names",
    "create_ladder",
    "delete_ladder",
    "enter",
    "explain_rating",
    "job_of",
    "ladder_standings",
    "obstacle",
    "playing_bots",
    "rebuild",
    "recount",
    "withdraw",
]
