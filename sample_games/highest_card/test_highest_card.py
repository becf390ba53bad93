"""Highest Card: each ruling, and whole matches."""

from random import Random

import pytest

from sevens_games import Match, SeededDeals, StackedDeals, load

HIGHEST_CARD = load("highest-card")
DECK = HIGHEST_CARD.start(deals=SeededDeals("")).deals.shuffles[0]


def dealt(*hands: str) -> Match:
    """Returns a match of one deal with these hands, by seat; they are dealt card by card."""
    by_seat = [hand.split() for hand in hands]
    top = [card for cards in zip(*by_seat, strict=True) for card in cards]
    order = [*top, *[card for card in DECK if card not in top]]
    return HIGHEST_CARD.start(players=len(hands), options={"deals": 1}, deals=StackedDeals([order]))


def play(match: Match, cards: str) -> None:
    for card in cards.split():
        match.apply(match.to_act[0], f"play {card}")


def test_the_highest_rank_takes_the_trick_whatever_its_suit() -> None:
    match = dealt("2C 3C 4C 5C 6C", "2D 3D 4D 5D AD")
    play(match, "6C AD")
    assert match.observe(0).facts["scores"] == (0, 1)


def test_ruling_1_of_equal_ranks_the_first_takes_the_trick() -> None:
    match = dealt("KC 3C 4C 5C 6C", "KD 3D 4D 5D 6D", "KH 3H 4H 5H 6H")
    play(match, "KC KD KH")
    assert match.observe(0).facts["scores"] == (1, 0, 0)


def test_ruling_2_the_winner_leads_the_next_trick() -> None:
    match = dealt("2C 3C 4C 5C 6C", "2D 3D 4D 5D 6D", "2H 3H 4H 5H AH")
    play(match, "2C 2D AH")
    assert match.to_act == (2,)
    play(match, "2H 3C")
    assert match.to_act == (1,)


def test_ruling_3_equal_scores_tie() -> None:
    match = dealt("AC KC QC 2C 3C", "2D 3D 4D AD KD", "4H 5H 6H 7H AH")
    play(match, "AC 2D 4H KC 3D 5H 3C AD 6H KD 7H 2C 4D AH QC")
    assert match.result is not None
    assert match.result.scores == [2, 2, 1]
    assert match.result.ranks == [1, 1, 3]


def test_a_seat_sees_no_other_hand() -> None:
    match = dealt("2C 3C 4C 5C 6C", "2D 3D 4D 5D AD")
    hand = match.observe(0).zone("hand", 1)
    assert (hand.cards, hand.hidden) == ((), 5)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_match_deals_out_all_its_tricks(players: int) -> None:
    rng = Random(players)
    match = HIGHEST_CARD.start(players=players, deals=SeededDeals(f"{players}"))
    while match.to_act:
        [seat] = match.to_act
        match.apply(seat, rng.choice(match.legal_actions(seat)))
    assert match.result is not None
    assert sum(match.result.scores) == 4 * 5
