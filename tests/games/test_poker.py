"""Poker hands: the published order, hands of one to seven cards, and how many there are of each."""

from collections import Counter
from itertools import combinations, combinations_with_replacement
from math import comb, prod
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sevens_games.cards import DECK, RANKS_UP, SUITS, poker_value, poker_words
from sevens_games.cards.poker import FIVE
from tests.support.game_tables import cards

# From low to high; an S marks hands of one suit.
ASCENDING = """
    9 | 9 8 7 6 | K | K 2 | K 9 | K 9 2 | K T | A | A 2 | A 4 3 2 | 2 2 | 2 2 3 | 3 3 | 3 3 2 |
    3 3 K | A A K Q J | 2 2 3 3 | 2 2 3 3 4 | A A K K | 2 2 2 | 2 2 2 3 | A 2 3 4 5 | 2 3 4 5 6 |
    T J Q K A | S 7 5 4 3 2 | 2 2 2 3 3 | 2 2 2 A A | 3 3 3 2 2 | 2 2 2 2 | 2 2 2 2 3 |
    S A 2 3 4 5
"""
FIVE_CARD_HANDS = {
    "straight flush": 40,
    "four of a kind": 624,
    "full house": 3_744,
    "flush": 5_108,
    "straight": 10_200,
    "three of a kind": 54_912,
    "two pair": 123_552,
    "pair": 1_098_240,
    "high card": 1_302_540,
}
hands = st.lists(st.sampled_from(DECK), min_size=1, max_size=7, unique=True)


def hand(text: str) -> list[str]:
    """Returns a hand of these ranks: of one suit after an S, else not all of one suit."""
    ranks = text.split()
    if ranks[0] == "S":
        return [f"{rank}H" for rank in ranks[1:]]
    return [f"{rank}{SUITS[place % 4]}" for place, rank in enumerate(ranks)]


def category(hand: list[str] | tuple[str, ...]) -> str:
    return poker_words(poker_value(hand))[0]


# The order ----------------------------------------------------------------------------------------


def test_the_published_order() -> None:
    values = [poker_value(hand(text)) for text in ASCENDING.split("|")]
    assert len(values) == 31
    assert values == sorted(set(values))


@pytest.mark.parametrize(
    ("seven", "best"),
    [
        ("2C 2D 3C 3D 4H 4S AC", "4H 4S 3C 3D AC"),
        ("3C 3D 3H 8C 8D 8H KC", "8C 8D 8H 3C 3D"),
        ("AC KD QH JS 9C TD", "AC KD QH JS TD"),
    ],
)
def test_of_more_than_five_cards_the_best_five_count(seven: str, best: str) -> None:
    assert poker_value(cards(seven)) == poker_value(cards(best))


@pytest.mark.parametrize(
    ("held", "words"),
    [
        ("KS 9D", "high card, K, 9"),
        ("5H 5D", "pair, 5"),
        ("5H 2C 5D AS", "pair, 5, A, 2"),
        ("2C 3C 2D 3D 4H", "two pair, 3, 2, 4"),
        ("AC 2D 3H 4S 5C", "straight, 5"),
        ("AC KD QH JS TC", "straight, A"),
        ("9H 2H KH JH 3H", "flush, K, J, 9, 3, 2"),
        ("7C 7D 7H 2C 2D", "full house, 7, 2"),
        ("7C 7D 7H 7S 2D", "four of a kind, 7, 2"),
        ("KH QH JH TH AH", "straight flush, A"),
    ],
)
def test_a_value_in_words(held: str, words: str) -> None:
    assert ", ".join(poker_words(poker_value(cards(held)))) == words


def test_a_sequence_does_not_go_round_the_ace() -> None:
    assert category(cards("QC KD AH 2S 3C")) == "high card"


def test_four_in_sequence_and_four_of_one_suit_are_nothing() -> None:
    assert category(cards("5C 6D 7H 8S")) == "high card"
    assert category(cards("2H 5H 9H KH")) == "high card"


@given(hands, st.permutations(SUITS))
def test_suits_are_equal(hand: list[str], suits: list[str]) -> None:
    exchanged = [card[0] + suits[SUITS.index(card[1])] for card in hand]
    assert poker_value(exchanged) == poker_value(hand)


@given(hands, st.randoms())
def test_the_order_of_the_cards_does_not_matter(hand: list[str], rng: Random) -> None:
    assert poker_value(rng.sample(hand, len(hand))) == poker_value(hand)


@given(hands)
def test_a_further_card_never_lowers_a_value(hand: list[str]) -> None:
    values = [poker_value(hand[:count]) for count in range(1, len(hand) + 1)]
    assert values == sorted(values)


# The numbers of hands -----------------------------------------------------------------------------


def test_the_numbers_of_five_card_hands() -> None:
    """Suits are equal, so hands of the same ranks differ only in whether they are flushes."""
    found: Counter[str] = Counter()
    for ranks in combinations_with_replacement(RANKS_UP, FIVE):
        copies = Counter(ranks)
        if max(copies.values()) > len(SUITS):
            continue
        suits = prod(comb(len(SUITS), count) for count in copies.values())
        flushes = len(SUITS) if len(copies) == FIVE else 0
        found[category(hand(" ".join(ranks)))] += suits - flushes
        if flushes:
            found[category(hand(f"S {' '.join(ranks)}"))] += flushes
    assert found == FIVE_CARD_HANDS
    assert found.total() == comb(52, 5)


@pytest.mark.nightly
def test_the_numbers_of_five_card_hands_one_by_one() -> None:
    assert Counter(map(category, combinations(DECK, FIVE))) == FIVE_CARD_HANDS
