"""Decides which bots meet next, and records and rates finished matches."""

from arena.league.audit import check_rows
from arena.league.ladder.ladders import (
    WrongLadder,
    create_ladder,
    delete_ladder,
    enter,
    obstacle,
    set_state,
    withdraw,
)
from arena.league.ladder.rate import rebuild
from arena.league.ladder.standings import ladder_standings
from arena.league.ladder.suspensions import LAST_MATCHES
from arena.league.recorder import Recorder
from arena.league.scheduler import Scheduler

__all__ = [
    "LAST_MATCHES",
    "Recorder",
    "Scheduler",
    "WrongLadder",
    "check_rows",
    "create_ladder",
    "delete_ladder",
    "enter",
    "ladder_standings",
    "obstacle",
    "rebuild",
    "set_state",
    "withdraw",
]
