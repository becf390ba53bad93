"""Finished matches: lists by filter, single ones, records, private logs."""

from arena.store.matches.address import ANY_FAULT, from_query, to_query
from arena.store.matches.deal_groups import DealGroup, GroupKind, group_of, in_play, is_in_play
from arena.store.matches.filter import MatchFilter, Order, Result
from arena.store.matches.find import Counted, count_matches, find_matches
from arena.store.matches.rows import (
    MatchRow,
    SeatFault,
    SeatRow,
    match_counts,
    match_named,
    matches_of_jobs,
    short_name,
)
from arena.store.matches.texts import (
    DamagedText,
    LostText,
    packed,
    private_log_text,
    record_text,
    unpacked,
)

__all__ = [
    "ANY_FAULT",
    "Counted",
    "DamagedText",
    "DealGroup",
    "GroupKind",
    "LostText",
    "MatchFilter",
    "MatchRow",
    "Order",
    "Result",
    "SeatFault",
    "SeatRow",
    "count_matches",
    "find_matches",
    "from_query",
    "group_of",
    "in_play",
    "is_in_play",
    "match_counts",
    "match_named",
    "matches_of_jobs",
    "packed",
    "private_log_text",
    "record_text",
    "short_name",
    "to_query",
    "unpacked",
]
