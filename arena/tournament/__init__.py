"""Tournaments: pairs their rounds and ranks their entrants, from nothing but values."""

from typing import TYPE_CHECKING

from arena.lazy_face import on_demand
from arena.tournament.round_robin import Balance, balance_of, round_robin
from arena.tournament.standings import standings

if TYPE_CHECKING:
    from arena.tournament.by_points import Standing, pool_tables, pool_tie_breaks
    from arena.tournament.course import TournamentCourse
    from arena.tournament.elimination import Knockout, bracket_order, knockout_of
    from arena.tournament.meeting import SAME, Cost, Meeting, MeetingResult, Pairing
    from arena.tournament.pairing import EXACT, IMPROVED, Contender, TableCosts, pair
    from arena.tournament.pairing_audit import wrong_pairings
    from arena.tournament.places import place_probabilities
    from arena.tournament.rounds import format_to_play, rounds_to_play
    from arena.tournament.steps import (
        Over,
        Pair,
        Play,
        check_libraries,
        fills_a_table,
        needs_more,
        next_step,
        pair_round,
    )
    from arena.tournament.tournament_terms import (
        FORMATS,
        MOST_AT_A_TABLE,
        MOST_ENTRANTS,
        MOST_GROUPS,
        MOST_ROUNDS,
        PAIRINGS,
        TIE_BREAKS,
        USUAL_TIE_BREAKS,
        Entrant,
        NoDutchLibrary,
        TournamentError,
        TournamentTerms,
    )

__all__ = [
    "EXACT",
    "FORMATS",
    "IMPROVED",
    "MOST_AT_A_TABLE",
    "MOST_ENTRANTS",
    "MOST_GROUPS",
    "MOST_ROUNDS",
    "PAIRINGS",
    "SAME",
    "TIE_BREAKS",
    "USUAL_TIE_BREAKS",
    "Balance",
    "Contender",
    "Cost",
    "Entrant",
    "Knockout",
    "Meeting",
    "MeetingResult",
    "NoDutchLibrary",
    "Over",
    "Pair",
    "Pairing",
    "Play",
    "Standing",
    "TableCosts",
    "TournamentCourse",
    "TournamentError",
    "TournamentTerms",
    "balance_of",
    "bracket_order",
    "check_libraries",
    "fills_a_table",
    "format_to_play",
    "knockout_of",
    "needs_more",
    "next_step",
    "pair",
    "pair_round",
    "place_probabilities",
    "pool_tables",
    "pool_tie_breaks",
    "round_robin",
    "rounds_to_play",
    "standings",
    "wrong_pairings",
]

__getattr__ = on_demand(__name__)
