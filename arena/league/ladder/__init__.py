"""Ladders: who meets next, and the ratings that follow from the matches."""

from typing import TYPE_CHECKING

from arena.lazy_face import on_demand
from arena.league.ladder.explained_rating import calibrated_predictions, explained_rating
from arena.league.ladder.ladder_views import is_run_now, ladder_view, ladder_views, rated_ladder

if TYPE_CHECKING:
    from arena.league.ladder.field import Field, Figures
    from arena.league.ladder.fitted_ratings import Fits
    from arena.league.ladder.ladder_jobs import LadderJobs
    from arena.league.ladder.ladders import (
        create_ladder,
        delete_ladder,
        enter,
        next_season,
        obstacle,
        playing_versions,
        withdraw,
    )
    from arena.league.ladder.pairing import next_versions
    from arena.league.ladder.rate import rate_again, rate_job, rebuild
    from arena.league.ladder.seat_assignment import seated
    from arena.league.ladder.suspensions import LAST_MATCHES, check_quotas, check_quotas_again
    from arena.league.ladder.tally import Counts

__all__ = [
    "LAST_MATCHES",
    "Counts",
    "Field",
    "Figures",
    "Fits",
    "LadderJobs",
    "calibrated_predictions",
    "check_quotas",
    "check_quotas_again",
    "create_ladder",
    "delete_ladder",
    "enter",
    "explained_rating",
    "is_run_now",
    "ladder_view",
    "ladder_views",
    "next_season",
    "next_versions",
    "obstacle",
    "playing_versions",
    "rate_again",
    "rate_job",
    "rated_ladder",
    "rebuild",
    "seated",
    "withdraw",
]

__getattr__ = on_demand(__name__)
