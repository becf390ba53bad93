"""Card helpers that at least two games share, or that are known by themselves."""

from sevens_games.cards.brag import BRAG_KINDS, brag_kind, brag_strength
from sevens_games.cards.hands import dealt, in_order, replaced, without
from sevens_games.cards.poker import HIGH_CARD, PokerValue, poker_value, poker_words
from sevens_games.cards.redealing import redealt
from sevens_games.cards.standard import DECK, PLACE, RANK, RANKS, RANKS_UP, SUIT, SUITS
from sevens_games.cards.tricks import playable, voids, winning_card

__all__ = [
    "BRAG_KINDS",
    "DECK",
    "HIGH_CARD",
    "PLACE",
    "RANK",
    "RANKS",
    "RANKS_UP",
    "SUIT",
    "SUITS",
    "PokerValue",
    "brag_kind",
    "brag_strength",
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
