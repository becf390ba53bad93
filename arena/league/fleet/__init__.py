"""The machines that play the jobs."""

from arena.league.fleet.machines import (
    block,
    blocked_machines,
    count_matches,
    enrol,
    machine_named,
    note_reports,
    unblock,
)

__all__ = [
    "block",
    "blocked_machines",
    "count_matches",
    "enrol",
    "machine_named",
    "note_reports",
    "unblock",
]
