"""One match: its seats, rules, clock and faults."""

from typing import TYPE_CHECKING

from arena.lazy_face import on_demand

if TYPE_CHECKING:
    from arena.match.crew import Crew
    from arena.match.deal_set import CommittedDeals, DealSet, SeededSet
    from arena.match.play import Observing, Played, Unfinished, longest_match_s, play_match
    from arena.match.referee import Referee, action_of
    from arena.match.rewind import Asked, NotStarted, Past, Reply, Restarted, Rewind, past_of
    from arena.match.seatings import Seating, list_seatings
    from arena.match.series import Entrant, Series, play_series
    from arena.match.swapped_seatings import (
        FIRST_HOUSE,
        NEW,
        OLD,
        head_to_head_seatings,
        replacement_seatings,
    )
    from arena.match.terms import START_GRACE_S, Entry, Origin, Terms
    from arena.match.timekeeper import Timekeeper

__all__ = [
    "FIRST_HOUSE",
    "NEW",
    "OLD",
    "START_GRACE_S",
    "Asked",
    "CommittedDeals",
    "Crew",
    "DealSet",
    "Entrant",
    "Entry",
    "NotStarted",
    "Observing",
    "Origin",
    "Past",
    "Played",
    "Referee",
    "Reply",
    "Restarted",
    "Rewind",
    "Seating",
    "SeededSet",
    "Series",
    "Terms",
    "Timekeeper",
    "Unfinished",
    "action_of",
    "head_to_head_seatings",
    "list_seatings",
    "longest_match_s",
    "past_of",
    "play_match",
    "play_series",
    "replacement_seatings",
]

__getattr__ = on_demand(__name__)
