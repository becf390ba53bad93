"""Eliminations: who meets whom in a bracket, after pools or at once, and who is out."""

from arena.tournament.elimination.bracket import bracket_order
from arena.tournament.elimination.elimination import (
    is_tied,
    lives,
    losers_of,
    ranking,
    was_final,
)
from arena.tournament.elimination.knockout import Knockout, knockout_after, knockout_of

__all__ = [
    "Knockout",
    "bracket_order",
    "is_tied",
    "knockout_after",
    "knockout_of",
    "lives",
    "losers_of",
    "ranking",
    "was_final",
]
