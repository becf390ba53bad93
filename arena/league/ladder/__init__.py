"""Ladders: who meets next, and the ratings that follow from the matches."""

from arena.league.ladder.explanation import calibrate_predictions, explain_rating
from arena.league.ladder.field import Field, Figures
from arena.league.ladder.fit import Fits
from arena.league.ladder.jobs import LadderJobs
from arena.league.ladder.ladders import (
    create_ladder,
    delete_ladder,
    enter,
    obstacle,
    playing_versions,
    withdraw,
)
from arena.league.ladder.pairing import next_versions
from arena.league.ladder.rate import rate_job, rebuild
from arena.league.ladder.seats import seated
from arena.league.ladder.standings import ladder_standings
from arena.league.ladder.suspensions import LAST_MATCHES, check_quotas
from arena.league.ladder.tally import Counts

__all__ = [
    "LAST_MATCHES",
    "Counts",
    "Field",
    "Figures",
    "Fits",
    "LadderJobs",
    "calibrate_predictions",
    "check_quotas",
    "create_ladder",
    "delete_ladder",
    "enter",
    "explain_rating",
    "ladder_standings",
    "next_versions",
    "obstacle",
    "playing_versions",
    "rate_job",
    "rebuild",
    "seated",
    "withdraw",
]
