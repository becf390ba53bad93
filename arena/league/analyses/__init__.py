"""Analyses of matches as jobs: requested, put on the queue, and stored."""

from arena.league.analyses.analysis_jobs import (
    ask_for,
    fail,
    lost_jobs,
    new_jobs,
    note_running,
    settle,
)

__all__ = ["ask_for", "fail", "lost_jobs", "new_jobs", "note_running", "settle"]
