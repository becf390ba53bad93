"""How a card is like the one of the action before, as games of cards go."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from string import ascii_uppercase

from sevens_games.cards import RANKS_UP


@cache
def likenesses(before: str) -> Mapping[str, str]:
    """Returns, by card, how it is like the card `before`: of its rank, or higher or lower in its
    suit. Empty if that is not a card: a rank and the letter of a suit."""
    if len(before) != 2 or before[0] not in RANKS_UP or before[1] not in ascii_uppercase:
        return {}
    return {
        rank + suit: _likeness(rank, suit, before) for rank in RANKS_UP for suit in ascii_uppercase
    }


def _likeness(rank: str, suit: str, before: str) -> str:
    if rank == before[0]:
        return "rank"
    if suit != before[1]:
        return "neither"
    return "higher" if RANKS_UP.index(rank) > RANKS_UP.index(before[0]) else "lower"
