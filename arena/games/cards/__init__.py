"""Card helpers that at least two games share."""

from arena.games.cards.hands import dealt, in_order, replaced, without
from arena.games.cards.redealing import redealt
from arena.games.cards.standard import DECK, PLACE, RANK, RANKS, SUIT, SUITS
from arena.games.cards.tricks import playable, voids, winning_card

__all__ = [
    "DECK",
    "PLACE",
    "RANK",
    "RANKS",
    "SUIT",
    "SUITS",
    "dealt",
    "in_order",
    "playable",
    "redealt",
    "replaced",
    "voids",
    "winning_card",
    "without",
]
