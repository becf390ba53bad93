"""Hands and decks as tuples: nothing is changed in place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sevens_games.cards.hands import dealt, in_order, replaced, without
from sevens_games.cards.standard import DECK, PLACE, RANK, SUIT


def test_the_standard_deck_is_in_canonical_order() -> None:
    assert " ".join(DECK[:13]) == "AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC"
    assert "".join(card[1] for card in DECK) == "C" * 13 + "D" * 13 + "H" * 13 + "S" * 13
    assert [PLACE[card] for card in DECK] == list(range(52))
    assert (RANK["TD"], SUIT["TD"]) == ("T", "D")


def test_without_takes_one_copy_away() -> None:
    assert without(("7S", "AC", "7S"), "7S") == ("AC", "7S")
    assert without(("7S",), "7S") == ()
    with pytest.raises(ValueError, match="not in"):
        without(("7S",), "7D")


def test_replaced_changes_one_seats_value() -> None:
    values = (1, 2, 3)
    assert [replaced(values, seat, 0) for seat in range(3)] == [(0, 2, 3), (1, 0, 3), (1, 2, 0)]
    assert values == (1, 2, 3)


def test_cards_are_dealt_one_at_a_time_from_the_top() -> None:
    assert dealt("ABCDEFGHIJ", 2, 3, first=0) == (("A", "D"), ("B", "E"), ("C", "F"))
    assert dealt("ABCDEFGHIJ", 2, 3, first=1) == (("C", "F"), ("A", "D"), ("B", "E"))
    assert dealt("ABCDEFGHIJ", 2, 3, first=4) == dealt("ABCDEFGHIJ", 2, 3, first=1)
    assert dealt("ABCDEF", 0, 2, first=0) == ((), ())


@given(players=st.integers(1, 12), each=st.integers(0, 12), first=st.integers(-12, 24))
def test_the_seats_get_the_cards_in_turn(players: int, each: int, first: int) -> None:
    stock = tuple(map(str, range(players * each + 5)))
    hands = dealt(stock, each, players, first)
    assert len(hands) == players
    for turn in range(players):
        assert hands[(first + turn) % players] == stock[turn::players][:each]


@given(st.lists(st.sampled_from(DECK)))
def test_in_order_sorts_by_the_decks_order(cards: list[str]) -> None:
    assert in_order(cards, PLACE) == tuple(sorted(cards, key=DECK.index))
