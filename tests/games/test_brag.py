"""Brag hands: all 22,100 of them counted against their known frequencies, and their order."""

from collections import Counter, defaultdict
from itertools import combinations, pairwise, permutations

import pytest

from sevens_games.cards import BRAG_KINDS, DECK, brag_kind, brag_strength

ALL_HANDS = list(combinations(DECK, 3))
FREQUENCIES = {
    "prial": 52,
    "running flush": 48,
    "run": 720,
    "flush": 1_096,
    "pair": 3_744,
    "high card": 16_440,
}

# From the highest, as the rules list them.
IN_ORDER = """
    3C 3D 3H | AC AD AH | KC KD KH | 4C 4D 4H | 2C 2D 2H
    AC 2C 3C | AD QD KD | JC QC KC | 2S 3S 4S
    AC 2C 3D | AD QD KC | 3H 4H 5S | 2S 3S 4C
    AC JC KC | AC TC KC | AD 9D KD | AC 2C KC | AC JC QC | 2H 3H 5H
    AC AD KH | AC AD 2H | AC KD KH | AC 2D 2H | 2C 2D 3H
"""


def hand(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def test_there_are_as_many_hands_of_each_kind_as_is_known() -> None:
    assert Counter(brag_kind(cards) for cards in ALL_HANDS) == FREQUENCIES
    assert sum(FREQUENCIES.values()) == len(ALL_HANDS) == 22_100


def test_each_kind_has_as_many_strengths_as_sets_of_ranks() -> None:
    strengths = defaultdict(set)
    for cards in ALL_HANDS:
        strengths[brag_kind(cards)].add(brag_strength(cards))
    assert {kind: len(of_kind) for kind, of_kind in strengths.items()} == {
        "prial": 13,
        "running flush": 12,
        "run": 12,
        "flush": 286 - 12,
        "pair": 13 * 12,
        "high card": 286 - 12,
    }


def test_a_higher_kind_beats_every_lower_kind() -> None:
    by_kind = [[brag_strength(c) for c in ALL_HANDS if brag_kind(c) == k] for k in BRAG_KINDS]
    for lower, higher in pairwise(by_kind):
        assert max(lower) < min(higher)


def test_equal_ranks_of_one_kind_are_equal_whatever_the_suits() -> None:
    strengths = defaultdict(set)
    for cards in ALL_HANDS:
        strengths[brag_kind(cards), "".join(sorted(card[0] for card in cards))].add(
            brag_strength(cards)
        )
    assert {len(equal) for equal in strengths.values()} == {1}


def test_hands_rank_as_the_rules_list_them() -> None:
    listed = [
        brag_strength(hand(t))
        for line in IN_ORDER.split("\n")
        for t in line.split("|")
        if t.strip()
    ]
    assert listed == sorted(set(listed), reverse=True)
    assert len(listed) == 24


@pytest.mark.parametrize("text", ["AC 2D KH", "2C 3C 5D"])
def test_the_ace_is_not_in_the_middle_of_a_run(text: str) -> None:
    assert brag_kind(hand(text)) == "high card"


@pytest.mark.parametrize("text", ["3C 3D 3H", "AC 2C 3D", "AC AD KH", "2C 5C 9C", "2C 7D KS"])
def test_the_order_of_the_cards_does_not_matter(text: str) -> None:
    assert len({brag_strength((a, b, c)) for a, b, c in permutations(hand(text))}) == 1
