"""Finished matches: lists by filter, single ones, records, private logs."""

from arena.store.matches.address import ANY_FAULT, WrongFilter, from_query, to_query
from arena.store.matches.filter import MatchFilter, Order, Result
from arena.store.matches.find import Counted, MatchPage, count_matches, find_matches
from arena.store.matches.groups import DealGroup, GroupKind, group_of, in_play, is_in_play
from arena.store.matches.rows import (
    MatchRow,
    SeatFault,
    SeatRow,
    find_named,
    match_counts,
    match_named,
    match_rows,
    matches_of_jobs,
    private_log_text,
    record_text,
    short_name,
)

__all__ = [
    "ANY_FAULT",
    "Counted",
    "DealGroup",
    "GroupKind",
    "MatchFilter",
    "MatchPage",
    "MatchRow",
    "Order",
    "Result",
    "SeatFault",
    "SeatRow",
    "WrongFilter",
    "count_matches",
    "find_matches",
    "find_named",
    "from_query",
    "group_of",
    "in_play",
    "is_in_play",
    "match_counts",
    "match_named",
    "match_rows",
    "matches_of_jobs",
    "private_log_text",
    "record_text",
    "short_name",
    "to_query",
]
