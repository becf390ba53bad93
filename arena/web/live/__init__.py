"""Matches in play, shown as late as fairness asks."""

from arena.web.live.live_view import (
    JobShown,
    LiveView,
    document_text,
    job_shown,
    jobs_in_play,
    live_view,
)
from arena.web.live.receiver import NotOnAir, Receiver, receiver_of

__all__ = [
    "JobShown",
    "LiveView",
    "NotOnAir",
    "Receiver",
    "document_text",
    "job_shown",
    "jobs_in_play",
    "live_view",
    "receiver_of",
]
