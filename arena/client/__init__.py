"""Access to an arena: a running one by gRPC, or a data folder of this machine."""

from arena.client.arena import (
    Arena,
    LocalArena,
    RemoteArena,
    all_comparisons,
    all_ladders,
    all_tournaments,
    arena_at,
    connected,
    counted_groups,
    whole_ladder,
)
from arena.client.channel import (
    LOCAL,
    SECURE,
    endpoint_of,
    host_and_port,
    is_loopback,
)
from arena.client.data_folder import changing, held, reading
from arena.client.matches import (
    FoundMatch,
    file_named,
    find_match,
    match_on_server,
    own_seats,
    stored_record,
)
from arena.client.submission import watched_submission
from arena.client.versions import enrolled, relay_to, versions_in_folder, versions_on_server

__all__ = [
    "LOCAL",
    "SECURE",
    "Arena",
    "FoundMatch",
    "LocalArena",
    "RemoteArena",
    "all_comparisons",
    "all_ladders",
    "all_tournaments",
    "arena_at",
    "changing",
    "connected",
    "counted_groups",
    "endpoint_of",
    "enrolled",
    "file_named",
    "find_match",
    "held",
    "host_and_port",
    "is_loopback",
    "match_on_server",
    "own_seats",
    "reading",
    "relay_to",
    "stored_record",
    "versions_in_folder",
    "versions_on_server",
    "watched_submission",
    "whole_ladder",
]
