"""Programs that dial in: remote bots, and the people at tables, whose program is the page."""

from arena.store.remotes.bots import (
    PREFIX,
    add_remote_version,
    check_not_remote,
    check_remote,
    forget_connections,
    hash_of,
    is_person,
    latest_version,
    remote_names,
    remote_with_token,
    renew_token,
    set_connected,
)
from arena.store.remotes.people import (
    GUESTS,
    match_of,
    people,
    running_tables,
    seat_person,
    table_with_key,
    trouble_of,
)

__all__ = [
    "GUESTS",
    "PREFIX",
    "add_remote_version",
    "check_not_remote",
    "check_remote",
    "forget_connections",
    "hash_of",
    "is_person",
    "latest_version",
    "match_of",
    "people",
    "remote_names",
    "remote_with_token",
    "renew_token",
    "running_tables",
    "seat_person",
    "set_connected",
    "table_with_key",
    "trouble_of",
]
