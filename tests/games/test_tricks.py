"""Tricks of a small deck: three ranks in three suits, the cards of a suit following each other."""

import pytest

from sevens_games.cards.tricks import playable, voids, winning_card

DECK = [f"{rank}{suit}" for suit in "ABC" for rank in range(1, 4)]
FOLLOWING = {lead: frozenset(c for c in DECK if c[1] == lead[1]) for lead in DECK}
HEIGHT = {card: int(card[0]) for card in DECK}
NO_TRUMPS: frozenset[str] = frozenset()


def test_who_leads_may_play_any_card() -> None:
    assert playable(("1A", "2B", "3C"), (), FOLLOWING) == ("1A", "2B", "3C")


def test_who_can_follow_the_card_led_must_follow_it() -> None:
    assert playable(("1A", "2B", "3B"), ("1B", "2A"), FOLLOWING) == ("2B", "3B")


def test_who_cannot_follow_may_play_any_card() -> None:
    assert playable(("1A", "2B"), ("1C", "2A"), FOLLOWING) == ("1A", "2B")
    assert playable((), ("1C",), FOLLOWING) == ()


@pytest.mark.parametrize(
    ("trick", "trump", "winner"),
    [
        ("2A 1A 3A", "", "3A"),
        ("2A 3B 3C", "", "2A"),  # higher cards that do not follow
        ("2A 3A 1B", "B", "1B"),
        ("2A 1B 2B", "B", "2B"),
        ("2A 1A 3B", "A", "2A"),  # a trump led
        ("2A", "B", "2A"),
    ],
)
def test_the_highest_trump_wins_or_else_the_highest_that_follows(
    trick: str, trump: str, winner: str
) -> None:
    trumps = frozenset(card for card in DECK if card[1] == trump)
    assert winning_card(trick.split(), trumps, FOLLOWING, HEIGHT) == winner


def test_without_a_trump_suit_the_card_led_can_always_win() -> None:
    assert winning_card(("1A", "3B", "2C"), NO_TRUMPS, FOLLOWING, HEIGHT) == "1A"


def test_who_did_not_follow_a_lead_holds_no_card_that_follows_it() -> None:
    played = (("1A", "1B", "2B"), ("2A", "3A", "1C"), ("2C", "2B", "3B"))
    assert voids(("1A", "1B", "1C"), played, FOLLOWING) == [
        {"1C", "2C", "3C"},
        {"1B", "2B", "3B"},
        {"1A", "2A", "3A", "1C", "2C", "3C"},
    ]


def test_a_seat_that_has_not_yet_played_to_the_last_lead_is_judged_by_the_others() -> None:
    assert voids(("1A", "1B"), (("1A", "1B"), ("1C",)), FOLLOWING) == [set(), {"1A", "2A", "3A"}]
    assert voids((), ((), ()), FOLLOWING) == [set(), set()]
