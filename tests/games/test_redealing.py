"""Redealing hidden cards: every deal that agrees with a seat's knowledge, and no other."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import permutations
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sevens_games.cards.redealing import redealt

Deal = tuple[tuple[str, ...], ...]  # by place, each in alphabetical order
MayLie = Callable[[int, str], bool]

TWO_TWO_ONE = {0: 2, 1: 2, 2: 1}


def anywhere(place: int, card: str) -> bool:
    return True


def deals(cards: Sequence[str], sizes: Mapping[int, int], may_lie: MayLie) -> set[Deal]:
    """Returns all deals that agree, found by trying all orders of the cards."""
    found = set()
    for order in permutations(cards):
        rest = iter(order)
        lying = {place: [next(rest) for _ in range(size)] for place, size in sizes.items()}
        if all(may_lie(place, card) for place, hand in lying.items() for card in hand):
            found.add(tuple(tuple(sorted(hand)) for hand in lying.values()))
    return found


def redeals(
    cards: Sequence[str], sizes: Mapping[int, int], may_lie: MayLie, rng: Random, count: int
) -> Counter[Deal]:
    return Counter(
        tuple(tuple(sorted(hand)) for hand in redealt(cards, sizes, may_lie, rng).values())
        for _ in range(count)
    )


def unlikeliness(counts: Counter[Any], possible: Collection[Any]) -> float:
    """Returns chi-squared over its degrees of freedom: about 1 if all are equally likely."""
    expected = counts.total() / len(possible)
    return sum((counts[deal] - expected) ** 2 / expected for deal in possible) / (len(possible) - 1)


def test_every_card_lies_somewhere_and_every_place_is_full() -> None:
    lying = redealt(["A", "B", "B", "C", "D"], TWO_TWO_ONE, anywhere, Random(7))
    assert {place: len(hand) for place, hand in lying.items()} == TWO_TWO_ONE
    assert sorted(card for hand in lying.values() for card in hand) == ["A", "B", "B", "C", "D"]


def test_unrestricted_deals_are_equally_likely() -> None:
    possible = deals("ABCDE", TWO_TWO_ONE, anywhere)
    assert len(possible) == 30
    counts = redeals("ABCDE", TWO_TWO_ONE, anywhere, Random(7), 6000)
    assert unlikeliness(counts, possible) < 1.8


def test_the_cards_of_a_place_are_in_any_order() -> None:
    rng = Random(7)
    orders = Counter(redealt("ABCD", {0: 3, 1: 1}, anywhere, rng)[0] for _ in range(2400))
    assert unlikeliness(orders, set(permutations("ABCD", 3))) < 1.8


RESTRICTIONS: list[tuple[str, MayLie]] = [
    ("a void", lambda place, card: place != 0 or card not in "AB"),
    ("a card with one place", lambda place, card: card != "A" or place == 2),
    (
        "two voids",
        lambda place, card: (place, card) not in {(0, "A"), (0, "B"), (1, "C"), (1, "D")},
    ),
    ("one deal only", lambda place, card: card in ("AB", "CD", "E")[place]),
    # No two cards can be swapped: from one deal to the other, three must move.
    ("a ring", lambda place, card: card in ("ABCE", "BCDA", "DE")[place] and card != "ABC"[place]),
]


@pytest.mark.parametrize(("name", "may_lie"), RESTRICTIONS)
def test_all_deals_that_agree_come_up_and_no_others(name: str, may_lie: MayLie) -> None:
    possible = deals("ABCDE", TWO_TWO_ONE, may_lie)
    assert possible
    counts = redeals("ABCDE", TWO_TWO_ONE, may_lie, Random(7), 150 * len(possible))
    assert counts.keys() == possible
    assert min(counts.values()) > 15, "none is much rarer than others"


@given(
    open_to=st.lists(st.sets(st.integers(0, 2)), min_size=5, max_size=5),
    seed=st.integers(0, 999),
)
@settings(max_examples=60, deadline=None)
def test_any_knowledge_is_agreed_with_or_contradicts_itself(
    open_to: list[set[int]], seed: int
) -> None:
    def may_lie(place: int, card: str) -> bool:
        return place in open_to["ABCDE".index(card)]

    possible = deals("ABCDE", TWO_TWO_ONE, may_lie)
    if possible:
        assert redeals("ABCDE", TWO_TWO_ONE, may_lie, Random(seed), 20).keys() <= possible
    else:
        with pytest.raises(ValueError, match="No deal agrees"):
            redealt("ABCDE", TWO_TWO_ONE, may_lie, Random(seed))


@pytest.mark.parametrize("cards", ["", "ABCD", "ABCDEF"])
def test_there_must_be_as_many_cards_as_places(cards: str) -> None:
    with pytest.raises(ValueError, match=f"{len(cards)} cards cannot fill 5 places"):
        redealt(cards, TWO_TWO_ONE, anywhere, Random(7))


def test_no_cards_are_dealt_to_no_places() -> None:
    assert redealt([], {}, anywhere, Random(7)) == {}
    assert redealt([], {0: 0}, anywhere, Random(7)) == {0: ()}


def test_the_same_random_numbers_deal_the_same() -> None:
    deck = [f"{n}" for n in range(60)]
    once, again = (
        redealt(deck, {0: 20, 1: 40}, lambda place, card: place == 1 or int(card) > 30, Random(7))
        for _ in range(2)
    )
    assert once == again
