"""Tournaments: pairs their rounds and ranks their entrants, from nothing but values."""

from arena.tournament.field import FORMATS, TIE_BREAKS, Entrant, Terms, TournamentError
from arena.tournament.meeting import Cost, Meeting, MeetingResult, Pairing
from arena.tournament.pairing import EXACT, IMPROVED, Contender, TableCosts, pair

__all__ = [
    "EXACT",
    "FORMATS",
    "IMPROVED",
    "TIE_BREAKS",
    "Contender",
    "Cost",
    "Entrant",
    "Meeting",
    "MeetingResult",
    "Pairing",
    "TableCosts",
    "Terms",
    "TournamentError",
    "pair",
]
