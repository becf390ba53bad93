"""Poker hands of one to seven cards of the standard deck.

A hand's value is its category, then ranks in the order in which they are compared; values compare
as tuples, so that of two equal beginnings the longer list is higher: a king with a nine beats a
king. Suits are equal. Of more than five cards those five count that have the highest value.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import TypeAlias

from sevens_games.cards.standard import DECK, RANK, RANKS_UP, SUIT

PokerValue: TypeAlias = tuple[int, ...]

FIVE = 5  # the cards of a whole hand, of a straight and of a flush
HEIGHT = {card: RANKS_UP.index(RANK[card]) for card in DECK}

CATEGORIES = (
    "high card",
    "pair",
    "two pair",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
)
HIGH_CARD, PAIR, TWO_PAIR, THREE, STRAIGHT, FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH = range(9)
# By the numbers of cards of the two commonest ranks.
OF_EQUAL_RANKS = {
    (1, 0): HIGH_CARD,
    (1, 1): HIGH_CARD,
    (2, 0): PAIR,
    (2, 1): PAIR,
    (2, 2): TWO_PAIR,
    (3, 0): THREE,
    (3, 1): THREE,
    (3, 2): FULL_HOUSE,
    (4, 0): FOUR,
    (4, 1): FOUR,
}
# By the ranks from high to low, the top rank; below a two, the ace is the lowest.
STRAIGHTS = {tuple(range(top, top - FIVE, -1)): top for top in range(4, 13)} | {(12, 3, 2, 1, 0): 3}


def poker_value(cards: Sequence[str]) -> PokerValue:
    """The value of one to seven cards."""
    if len(cards) <= FIVE:
        return value_of_five(cards)
    return max([value_of_five(five) for five in combinations(cards, FIVE)])


def value_of_five(cards: Sequence[str]) -> PokerValue:
    """The value of up to five cards, all of which count."""
    heights = [HEIGHT[card] for card in cards]
    ranks = sorted(set(heights), key=lambda height: (heights.count(height), height), reverse=True)
    if len(ranks) == FIVE:
        return value_of_five_ranks(cards, ranks)
    second = heights.count(ranks[1]) if len(ranks) > 1 else 0
    return (OF_EQUAL_RANKS[heights.count(ranks[0]), second], *ranks)


def value_of_five_ranks(cards: Sequence[str], ranks: Sequence[int]) -> PokerValue:
    """The value of five different ranks, which are given from high to low."""
    top = STRAIGHTS.get(tuple(ranks))
    flush = len({SUIT[card] for card in cards}) == 1
    if top is not None:
        return (STRAIGHT_FLUSH if flush else STRAIGHT, top)
    return (FLUSH if flush else HIGH_CARD, *ranks)


def poker_words(value: PokerValue) -> tuple[str, ...]:
    """The category in words, then the letters of the ranks."""
    category, *ranks = value
    return (CATEGORIES[category], *[RANKS_UP[rank] for rank in ranks])
