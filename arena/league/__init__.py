"""Decides which bots meet next, and records and rates finished matches."""

from typing import TYPE_CHECKING

from arena.lazy_face import on_demand

if TYPE_CHECKING:
    from arena.league.aggregates import Recount, competition_names, recount
    from arena.league.audit import check_rows
    from arena.league.bans import ban, leave_everything
    from arena.league.job_rows import job_of
    from arena.league.ladder import (
        LAST_MATCHES,
        Fits,
        calibrated_predictions,
        enter,
        explained_rating,
        is_run_now,
        ladder_view,
        ladder_views,
        obstacle,
        rated_ladder,
        rebuild,
    )
    from arena.league.recorder import Audience, Recorder, TrueOutcome
    from arena.league.retention import Limit, Pruned, Retention, beyond, limit_of, prune
    from arena.league.scheduler import Scheduler
    from arena.league.seasons import (
        check_schedule,
        check_takes_submissions,
        close_ladder,
        is_over,
        takes_submissions,
    )
    from arena.league.table import playing_bots
    from arena.league.voids import unvoid_jobs, void_jobs

__all__ = [
    "LAST_MATCHES",
    "Audience",
    "Fits",
    "Limit",
    "Pruned",
    "Recorder",
    "Recount",
    "Retention",
    "Scheduler",
    "TrueOutcome",
    "ban",
    "beyond",
    "calibrated_predictions",
    "check_rows",
    "check_schedule",
    "check_takes_submissions",
    "close_ladder",
    "competition_names",
    "enter",
    "explained_rating",
    "is_over",
    "is_run_now",
    "job_of",
    "ladder_view",
    "ladder_views",
    "leave_everything",
    "limit_of",
    "obstacle",
    "playing_bots",
    "prune",
    "rated_ladder",
    "rebuild",
    "recount",
    "takes_submissions",
    "unvoid_jobs",
    "void_jobs",
]

__getattr__ = on_demand(__name__)
