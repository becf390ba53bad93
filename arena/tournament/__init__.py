"""Tournaments: pairs their rounds and ranks their entrants, from nothing but values."""

from arena.tournament.course import Course
from arena.tournament.elimination import bracket_order
from arena.tournament.field import (
    FORMATS,
    MOST_ENTRANTS,
    PAIRINGS,
    TIE_BREAKS,
    USUAL_TIE_BREAKS,
    Entrant,
    NoDutchLibrary,
    Terms,
    TournamentError,
)
from arena.tournament.meeting import SAME, Cost, Meeting, MeetingResult, Pairing
from arena.tournament.pairing import EXACT, IMPROVED, Contender, TableCosts, pair
from arena.tournament.places import place_probabilities
from arena.tournament.replay import wrong_pairings
from arena.tournament.round_robin import Balance, balance_of, round_robin
from arena.tournament.standings import Standing, standings
from arena.tournament.steps import (
    Over,
    Pair,
    Play,
    check_libraries,
    fills_a_table,
    format_to_play,
    needs_more,
    next_step,
    pair_round,
    rounds_to_play,
)

__all__ = [
    "EXACT",
    "FORMATS",
    "IMPROVED",
    "MOST_ENTRANTS",
    "PAIRINGS",
    "SAME",
    "TIE_BREAKS",
    "USUAL_TIE_BREAKS",
    "Balance",
    "Contender",
    "Cost",
    "Course",
    "Entrant",
    "Meeting",
    "MeetingResult",
    "NoDutchLibrary",
    "Over",
    "Pair",
    "Pairing",
    "Play",
    "Standing",
    "TableCosts",
    "Terms",
    "TournamentError",
    "balance_of",
    "bracket_order",
    "check_libraries",
    "fills_a_table",
    "format_to_play",
    "needs_more",
    "next_step",
    "pair",
    "pair_round",
    "place_probabilities",
    "round_robin",
    "rounds_to_play",
    "standings",
    "wrong_pairings",
]
