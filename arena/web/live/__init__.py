"""Matches in play, shown as late as fairness asks."""

from arena.web.live.followed import (
    Followed,
    JobShown,
    document_text,
    followed,
    job_shown,
    jobs_in_play,
)
from arena.web.live.station import NotOnAir, Station, station_of

__all__ = [
    "Followed",
    "JobShown",
    "NotOnAir",
    "Station",
    "document_text",
    "followed",
    "job_shown",
    "jobs_in_play",
    "station_of",
]
