"""The registry of all operations, each with the roles that may call it."""

from arena.operations import (
    arena,
    bots,
    games,
    matches,
    owners,
    tokens,
    versions,
)
from arena.operations.competitions import comparisons, ladders, seats, tournaments, voids
from arena.operations.notices import announcements, news, webhooks
from arena.operations.operation import OPERATIONS, Operation
from arena.operations.running import disk, fleet, jobs

__all__ = [
    "OPERATIONS",
    "Operation",
    "announcements",
    "arena",
    "bots",
    "comparisons",
    "disk",
    "fleet",
    "games",
    "jobs",
    "ladders",
    "matches",
    "news",
    "owners",
    "seats",
    "tokens",
    "tournaments",
    "versions",
    "voids",
    "webhooks",
]
