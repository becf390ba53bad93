"""The machines that play the jobs, and the jobs that were given up."""

from arena.league.fleet.machines import (
    block,
    blocked_machines,
    count_matches,
    enrol,
    forget_machines,
    machine_named,
    note_reports,
    unblock,
)
from arena.league.fleet.parked_jobs import drop, parked_jobs, retry
from arena.league.fleet.quarantine import Quarantine, Quarantined

__all__ = [
    "Quarantine",
    "Quarantined",
    "block",
    "blocked_machines",
    "count_matches",
    "drop",
    "enrol",
    "forget_machines",
    "machine_named",
    "note_reports",
    "parked_jobs",
    "retry",
    "unblock",
]
