"""Eliminations: who meets whom in a bracket, and who is out."""

from arena.tournament.elimination.bracket import bracket_order
from arena.tournament.elimination.elimination import (
    is_tied,
    lives,
    losers_of,
    pair_elimination,
    parts_of,
    ranking,
    was_final,
)

__all__ = [
    "bracket_order",
    "is_tied",
    "lives",
    "losers_of",
    "pair_elimination",
    "parts_of",
    "ranking",
    "was_final",
]
