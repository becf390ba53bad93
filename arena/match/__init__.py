"""One match: its seats, rules, clock and faults."""

from arena.match.deal_set import CommittedDeals, SeededSet
from arena.match.play import Played, Unfinished, play_match
from arena.match.seatings import Seating, list_seatings
from arena.match.series import Entrant, Series, play_series
from arena.match.terms import Entry, Terms
from arena.match.timekeeper import Timekeeper

__all__ = [
    "CommittedDeals",
    "Entrant",
    "Entry",
    "Played",
    "Seating",
    "SeededSet",
    "Series",
    "Terms",
    "Timekeeper",
    "Unfinished",
    "list_seatings",
    "play_match",
    "play_series",
]
