"""Card helpers that at least two games share, and hands with an order of their own."""

from arena.games.cards.hands import dealt, in_order, replaced, without
from arena.games.cards.poker import HIGH_CARD, PokerValue, poker_value, poker_words
from arena.games.cards.redealing import redealt
from arena.games.cards.standard import DECK, PLACE, RANK, RANKS, SUIT, SUITS
from arena.games.cards.tricks import playable, voids, winning_card

__all__ = [
    "DECK",
    "HIGH_CARD",
    "PLACE",
    "RANK",
    "RANKS",
    "SUIT",
    "SUITS",
    "PokerValue",
    "dealt",
    "in_order",
    "playable",
    "poker_value",
    "poker_words",
    "redealt",
    "replaced",
    "voids",
    "winning_card",
    "without",
]
