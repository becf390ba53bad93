"""Russian Bank: each ruling and each example, the limits, and the invariants of every match."""

import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from sevens_games import IllegalAction, Match, SeededDeals, StackedDeals, WrongDeals, load
from sevens_games.cards.standard import DECK
from sevens_games.russian_bank import points
from tests.support.game_tables import (
    ANY,
    assert_looks_equal,
    cards,
    choose,
    decisions,
    legal,
    seen,
    stack,
    told,
)

RUSSIAN_BANK = load("russian-bank")
DOCUMENT = Path(__file__).parents[2] / "docs" / "games" / "russian-bank.md"
SUITS = ("clubs", "diamonds", "hearts", "spades")

# Two sides between which nothing fits at first, except the cards that a test names.
DULL = "4C 4S 6C 6S"
DULL_TOO = "8C 8S TC TS"


def deck(reserve: str, piles: str, stock: str = "") -> list[str]:
    """Returns a seat's deck: the reserve and the stock from the top down. Missing cards are filled
    with the highest that are not named, the reserve first."""
    top_down = [*cards(reserve), *[ANY] * (13 - len(cards(reserve)))]
    assert len(cards(piles)) == 4
    high_first = sorted(DECK, key=lambda card: -"A23456789TJQK".index(card[0]))
    order = stack(high_first, top_down, cards(piles), cards(stock))
    return order[12::-1] + order[13:]


def start(*decks: list[str], **options: Any) -> Match:
    return RUSSIAN_BANK.start(options=options, deals=StackedDeals(decks))


def forced(*decks: list[str], **options: Any) -> Match:
    """A match without calls."""
    return start(*decks, stop_calls=False, **options)


def play(match: Match, *texts: str) -> None:
    """The mover's actions; the opponent lets each stand, breach or not."""
    for text in texts:
        choose(match, text)
        let_stand(match)


def let_stand(match: Match) -> None:
    if match.to_act and fact(match, "phase") == "call":
        choose(match, "continue")


def idle(match: Match, turns: int) -> None:
    """Turns of both seats in which a card is only turned up and discarded."""
    for _ in range(turns):
        if "turn" in legal(match, match.to_act[0]):
            play(match, "turn", "discard")
        else:
            play(match, "end")


def fact(match: Match, name: str) -> Any:
    return match.observe(None).facts[name]


def mover_may(match: Match) -> list[str]:
    return legal(match, fact(match, "mover"))


def loads(match: Match) -> set[str]:
    return {text for text in mover_may(match) if text.startswith("load")}


def pile(match: Match, number: int) -> tuple[str, ...]:
    return seen(match, None, f"pile-{number}")


def foundation(match: Match, suit: str) -> tuple[str, ...]:
    """Returns the higher of the suit's two foundations."""
    return max((seen(match, None, f"{suit}-{n}") for n in (1, 2)), key=len)


def table(match: Match) -> tuple[Any, ...]:
    """Returns where all cards lie."""
    return match.observe(None).zones


# Setup and dealing --------------------------------------------------------------------------------


def test_each_seat_is_dealt_a_reserve_four_piles_and_a_stock_of_its_own_deck() -> None:
    one, other = (Random(seed).sample(DECK, 52) for seat, seed in enumerate("ab"))
    match = start(one, other)
    for seat, order in enumerate((one, other)):
        assert seen(match, None, "reserve", seat) == tuple(order[:13]), "the last is the top"
        for number in range(4):
            assert pile(match, 4 * seat + number + 1) == (order[13 + number],)
        assert seen(match, None, "stock", seat) == tuple(order[17:])[::-1], "the last is the top"
        assert seen(match, None, "discard", seat) == ()
    assert seen(match, None, "turned-up") == ()
    assert all(foundation(match, suit) == () for suit in SUITS)


def test_a_hand_asks_for_two_shuffles_of_a_deck_in_canonical_order() -> None:
    chance = SeededDeals("russian bank")
    chance.begin_deal()
    expected = [list(chance.shuffle(DECK)), list(chance.shuffle(DECK))]
    chance.begin_deal()
    expected += [list(chance.shuffle(DECK)), list(chance.shuffle(DECK))]
    match = RUSSIAN_BANK.start(
        options={"hands": 2, "max_turns": 2}, deals=SeededDeals("russian bank")
    )
    assert match.deals.shuffles == expected[:2]
    idle(match, 2)
    assert match.deals.shuffles == expected
    with pytest.raises(WrongDeals):
        start(expected[0])


@pytest.mark.parametrize(("tops", "first"), [("5H 6H", 0), ("6H 5H", 1), ("AS KC", 0)])
def test_the_lower_top_of_a_reserve_begins(tops: str, first: int) -> None:
    one, other = cards(tops)
    assert start(deck(one, DULL), deck(other, DULL_TOO)).to_act == (first,)


@pytest.mark.parametrize(
    ("one", "other", "first"),
    [
        ("3C KC KD KH", "2C 4C 4D 4H", 1),
        ("3C 7C KD KH", "3D 8C 4D 4H", 0),
        ("3C 7C 9D KH", "3D 7D 8D 8H", 1),
        ("3C 7C 9D JH", "3D 7D 9H QH", 0),
    ],
)
def test_ruling_13_equal_tops_are_decided_by_the_tableau(one: str, other: str, first: int) -> None:
    assert start(deck("5C", one), deck("5D", other)).to_act == (first,)


def test_ruling_13_if_all_are_equal_seat_0_begins_odd_hands_and_seat_1_even_ones() -> None:
    same = deck("5C", DULL)
    match = start(*[same] * 6, hands=3, max_turns=2)
    for first in (0, 1, 0):
        assert match.to_act == (first,)
        idle(match, 2)


# Allowed moves ------------------------------------------------------------------------------------


def test_a_foundation_begins_with_an_ace_and_goes_up_in_its_suit() -> None:
    match = start(deck("AH 2H 2S 3H", DULL), deck("9H", DULL_TOO))
    assert "move reserve foundation" in mover_may(match)
    play(match, "move reserve foundation")
    play(match, "move reserve foundation")
    assert foundation(match, "hearts") == cards("AH 2H")
    assert "move reserve foundation" not in mover_may(match), "no spade has been put there"


def test_a_suit_has_two_foundations() -> None:
    match = start(deck("AH 2H", "4S 6C 6S 8S"), deck("9H", "AH 2H TC TS"))
    play(match, "move reserve foundation", "move reserve foundation", "move 5 foundation")
    assert seen(match, 0, "hearts-1") == cards("AH 2H")
    assert seen(match, 0, "hearts-2") == cards("AH")
    play(match, "move 6 foundation")
    assert seen(match, 0, "hearts-1") == seen(match, 0, "hearts-2") == cards("AH 2H")


def test_nothing_follows_a_king_on_a_foundation_and_the_other_one_still_takes_cards() -> None:
    hearts = " ".join(card for card in DECK if card[1] == "H")
    match = start(deck(hearts, DULL), deck("9C", "AH KD KS QD"))
    play(match, *["move reserve foundation"] * 13)
    assert foundation(match, "hearts") == cards(hearts)
    assert [text for text in mover_may(match) if "foundation" in text] == ["move 5 foundation"]


def test_in_the_tableau_a_card_goes_on_the_other_colour_one_rank_higher() -> None:
    match = start(deck("5D", "6C 6S 6H 6D"), deck("9C", "5C 4S 7C KD"))
    moves = {text for text in mover_may(match) if text.startswith("move reserve")}
    assert moves == {"move reserve 1", "move reserve 2"}
    assert "move 6 5" not in mover_may(match), "4S and 5C are black"
    assert {"move 3 7", "move 4 7", "move 5 3", "move 5 4"} <= set(mover_may(match))


def test_a_king_goes_on_no_ace_and_an_ace_on_no_king() -> None:
    match = start(deck("AD", "KS 4S KC 2C"), deck("KH", "AS 9S 9C 5C"))
    assert {text for text in mover_may(match) if text.split()[-1] in ("1", "3", "5")} == set()
    assert "move reserve 4" in mover_may(match)


def test_a_pile_is_built_on_its_top_card_only() -> None:
    match = start(deck("5D 3D", "6C 4S KC JC"), deck("9H", "7D 2C TC TS"))
    play(match, "move reserve 1")
    assert pile(match, 1) == cards("6C 5D")
    assert "move 1 5" not in mover_may(match), "6C fits on 7D, but it is not a top"
    play(match, "move 2 1")
    assert pile(match, 1) == cards("6C 5D 4S")
    assert "move reserve 1" in mover_may(match)


def test_a_card_on_a_foundation_is_never_moved_again() -> None:
    match = start(deck("AH 9S", "2C 4S 6C 6S"), deck("9H", DULL_TOO))
    play(match, "move reserve foundation")
    assert {text.split()[1] for text in mover_may(match) if " " in text} <= {
        "reserve",
        *"12345678",
    }


def test_a_pile_s_only_card_is_not_moved_to_a_space() -> None:
    match = start(deck("KD 2S", "QC 9H 6C TC"), deck("KH", "AH JD TS 8S"))
    play(match, "move 5 foundation")
    assert {text for text in mover_may(match) if text.endswith(" 5")} == {"move reserve 5"}
    play(match, "move 4 6")
    assert {text for text in mover_may(match) if text.endswith(" 5")} == {
        "move reserve 5",
        "move 6 5",
    }


def test_after_20_moves_from_pile_to_pile_a_turn_has_no_more_of_them() -> None:
    # With 9H off pile 3 that is a space, so all of these are breaches; those that stand count.
    match = start(deck("2H", "TC TS 9H 6S"), deck("KH", "4C 4S 2C KS"))
    play(match, "move 3 1")
    for there in ("move 1 2", "move 2 1") * 10:
        assert there in mover_may(match)
        play(match, there)
        if fact(match, "pile_moves") == 20:
            break
    assert not [text for text in mover_may(match) if text[:6] in ("move 1", "move 2")]
    assert "move reserve 3" in mover_may(match), "other moves are not limited"
    play(match, "turn", "discard", "turn", "discard")
    assert fact(match, "pile_moves") == 0
    assert "move 2 1" in mover_may(match) or "move 1 2" in mover_may(match)


def test_with_an_empty_stock_and_discard_pile_the_turn_ends_without_a_discard() -> None:
    match = start(nearly_empty_side("2C"), deck("3D", "6C 6S 9C 9S"))
    empty_side(match, range(1, 5), (1, 2))
    assert "end" in mover_may(match)
    assert not {"turn", "discard"} & set(mover_may(match))
    choose(match, "end")
    assert fact(match, "action") == "end"
    assert fact(match, "card") == ""
    choose(match, "continue")
    assert fact(match, "mover") == 1


def nearly_empty_side(clubs_top: str) -> list[str]:
    """A deck of which all can go to foundations but the reserve, clubs with the ace lowest, and two
    red kings that can lie in spaces."""
    row = cards("AD AH AS 2D")
    clubs = sorted([card for card in DECK if card[1] == "C"], key=lambda card: card == "AC")
    rest = [card for card in DECK if card[1] != "C" and card not in (*row, "KD", "KH")]
    reserve = sorted(clubs, key=lambda card: card != clubs_top)
    return deck(" ".join(reserve), " ".join(row), " ".join([*rest, "KD", "KH"]))


def empty_side(match: Match, row: range, spaces: tuple[int, int]) -> None:
    """Plays such a deck until the reserve is left."""
    play(match, *[f"move {number} foundation" for number in row])
    for _ in range(33):
        play(match, "turn", "move stock foundation")
    for space in spaces:
        play(match, "turn", f"move stock {space}")


def going_out(*last: str) -> Match:
    """Seat 0's cards all went to foundations in one turn, but for the last of its stock: these, or
    any one. Pile 5 is AC, which it should have moved."""
    clubs = [card for card in DECK if card[1] == "C"]
    row = cards("AD 2D 3D 4D")
    rest = [card for card in DECK if card[1] != "C" and card not in row and card not in last]
    first = deck(" ".join(clubs), " ".join(row), " ".join([*rest, *last]))
    match = start(first, deck("KD", "AC TS 9C 9S"))
    play(match, *["move reserve foundation"] * 13)
    play(match, *[f"move {number} foundation" for number in range(1, 5)])
    for _ in rest[: 35 - max(1, len(last))]:
        play(match, "turn", "move stock foundation")
    return match


# Priorities ---------------------------------------------------------------------------------------


def test_without_calls_the_reserve_goes_to_a_foundation_first() -> None:
    match = forced(deck("AH", "AC 4S 6C AD"), deck("9H", DULL_TOO))
    assert mover_may(match) == ["move reserve foundation"]


def test_without_calls_the_tableau_comes_second_in_free_choice() -> None:
    match = forced(deck("5H", "AC 4S 6C AD"), deck("9H", "AS 8S TC TS"))
    assert set(mover_may(match)) == {f"move {number} foundation" for number in (1, 4, 5)}


def test_without_calls_the_reserve_fills_the_spaces_third_and_any_of_them() -> None:
    match = forced(deck("5H 2D", "AC AS 6C 6S"), deck("9H", "8C 8S AD TS"))
    play(match, "move 1 foundation", "move 2 foundation", "move 7 foundation")
    assert mover_may(match) == ["move reserve 1", "move reserve 2", "move reserve 7"]
    play(match, "move reserve 2")
    assert mover_may(match) == ["move reserve foundation"], "2D, just turned up"


# Rulings ------------------------------------------------------------------------------------------


def test_ruling_1_a_card_cannot_be_put_where_it_does_not_fit() -> None:
    match = start(deck("5D", DULL), deck("9C", DULL_TOO))
    for text in ("move reserve 5", "move reserve foundation", "load reserve discard", "move 1 2"):
        with pytest.raises(IllegalAction, match="where it fits"):
            match.apply(0, text)


def test_ruling_2_calls_are_on_by_default_and_breaches_are_offered() -> None:
    match = start(deck("AH", DULL), deck("9H", DULL_TOO))
    assert set(mover_may(match)) == {"move reserve foundation", "turn"}
    choose(match, "turn")
    assert match.to_act == (1,)


def test_ruling_2_without_calls_only_correct_actions_are_offered_and_nobody_is_asked() -> None:
    match = forced(deck("AH 3D", DULL), deck("9H", DULL_TOO))
    assert mover_may(match) == ["move reserve foundation"]
    choose(match, "move reserve foundation")
    assert match.to_act == (0,)
    assert mover_may(match) == ["move reserve 1", "move reserve 2", "turn"]


def test_ruling_3_the_opponent_is_asked_after_every_action() -> None:
    match = start(deck("AH 3D", DULL), deck("9H", DULL_TOO))
    for text in ("move reserve foundation", "move reserve 1", "turn", "discard"):
        choose(match, text)
        assert match.to_act == (1,)
        assert legal(match, 1) == ["continue", "stop"]
        assert fact(match, "action") == text
        choose(match, "continue")
    assert fact(match, "mover") == 1


def test_ruling_3_nothing_tells_whether_the_action_was_a_breach() -> None:
    # AD is due on a foundation, KD is not: all else that anybody is shown is the same, but for the
    # order of the two in a list of cards.
    due, not_due = (
        start(deck("9C 2H", f"{card} 4S 6C 6S", "3H"), deck("JC", DULL_TOO))
        for card in ("AD", "KD")
    )
    choose(due, "turn")
    choose(not_due, "turn")
    for viewer in (0, 1):
        told_due, told_not = (
            f"{seen.zones} { {**seen.facts, 'deck_seen': ''} } {match.events(viewer)}"
            f"{legal(match, 1)}"
            for match in (due, not_due)
            for seen in [match.observe(viewer)]
        )
        assert told_due.replace("AD", "KD") == told_not
    choose(due, "stop")
    choose(not_due, "stop")
    assert [len(told(match, 0, "wrong-stop")) for match in (due, not_due)] == [0, 1]


def test_ruling_4_a_wrong_stop_costs_the_right_to_call_in_this_turn_and_the_mover_s_next() -> None:
    match = start(deck("3C", DULL), deck("9H", DULL_TOO))
    assert fact(match, "barred") == (0, 0)
    choose(match, "turn", "stop")
    assert told(match, 0, "wrong-stop") == [(1,)]
    assert (match.to_act, fact(match, "barred")) == ((0,), (0, 2))
    assert seen(match, 0, "turned-up"), "the action stands"
    choose(match, "discard")  # nobody is asked
    assert (match.to_act, fact(match, "barred")) == ((1,), (0, 1))
    choose(match, "turn")
    assert match.to_act == (0,), "seat 0 has not lost its right"
    choose(match, "continue", "discard", "continue")
    assert (match.to_act, fact(match, "barred")) == ((0,), (0, 1))
    choose(match, "turn", "discard")
    assert (match.to_act, fact(match, "barred")) == ((1,), (0, 0))
    play(match, "turn", "discard")
    choose(match, "turn")
    assert match.to_act == (1,)


def test_ruling_4_a_wrong_stop_at_the_end_of_a_turn_bars_from_the_next_one() -> None:
    match = start(deck("3C", DULL), deck("9H", DULL_TOO))
    play(match, "turn")
    choose(match, "discard", "stop")
    assert (match.to_act, fact(match, "barred")) == ((1,), (0, 1))
    play(match, "turn", "discard")
    choose(match, "turn", "discard")
    assert (match.to_act, fact(match, "barred")) == ((1,), (0, 0))


def test_ruling_4_no_points_are_lost_and_a_right_stop_bars_nobody() -> None:
    match = start(deck("AH", DULL), deck("9H", DULL_TOO))
    choose(match, "turn", "stop")
    assert fact(match, "barred") == (0, 0)
    choose(match, "turn", "stop")  # of seat 1, without a priority move: wrong
    assert (fact(match, "barred"), fact(match, "scores")) == ((2, 0), (0, 0))


def test_ruling_5_a_breach_is_taken_back_before_the_priority_moves() -> None:
    match = start(deck("AC 9H", "2D 4S 6C 6S"), deck("3S", "AD 8S TC TS"))
    choose(match, "turn", "stop")
    assert told(match, 1, "take-back") == [(0, "turn")]
    assert [event[1:] for event in told(match, 1, "carry-out")] == [
        ("move", "reserve", "foundation"),
        ("move", "5", "foundation"),
        ("move", "1", "foundation"),
        ("move", "reserve", "1"),  # the lowest space
        ("move", "reserve", "5"),
    ]
    assert foundation(match, "clubs") == cards("AC")
    assert foundation(match, "diamonds") == cards("AD 2D")
    assert pile(match, 1) == cards("9H")
    assert (match.to_act, fact(match, "mover")) == ((1,), 1)


def test_ruling_5_a_breach_that_buries_the_card_that_had_to_go_is_undone() -> None:
    match = start(deck("9H", "2D AH 3C 6S"), deck("KS", DULL_TOO))
    choose(match, "move 1 3", "stop")  # AH was due
    assert foundation(match, "hearts") == cards("AH")
    assert pile(match, 3) == cards("3C"), "2D went back"
    assert pile(match, 1) == cards("2D")
    assert pile(match, 2) == cards("9H"), "the space that AH left is filled"


def test_ruling_5_a_reserve_card_taken_back_lies_on_the_one_turned_up_below_it() -> None:
    match = start(deck("9H 5C QD", "TC 4S AH 6S"), deck("KS", DULL_TOO))
    choose(match, "move reserve 1")
    assert seen(match, 1, "reserve", 0) == cards("5C")
    choose(match, "stop")
    # AH goes to its foundation and 9H into the space.
    assert (pile(match, 1), pile(match, 3)) == (cards("TC"), cards("9H"))
    assert seen(match, 1, "reserve", 0) == cards("5C")
    assert match.observe(1).zone("reserve", 0).hidden == 11


def test_ruling_6_a_card_still_turned_up_at_a_stop_is_discarded() -> None:
    match = start(deck("9H", "TC 4S 3C AH", "QH"), deck("KS", DULL_TOO))
    play(match, "turn")
    choose(match, "move reserve 1", "stop")
    assert seen(match, 0, "discard", 0) == cards("QH")
    assert seen(match, 0, "turned-up") == ()
    assert fact(match, "mover") == 1


def test_ruling_6_it_is_played_first_if_it_fits_a_foundation() -> None:
    match = start(deck("9H", "TC 4S 3C AH", "AS"), deck("KS", DULL_TOO))
    play(match, "turn")
    choose(match, "move reserve 1", "stop")
    assert foundation(match, "spades") == cards("AS")
    assert seen(match, 0, "discard", 0) == ()
    carried = [event[1:] for event in told(match, 0, "carry-out")]
    assert carried == [
        ("move", "4", "foundation"),
        ("move", "stock", "foundation"),
        ("move", "reserve", "4"),
    ], "the turned-up card after the tableau, and before the spaces"


def test_ruling_7_a_breach_that_nobody_calls_stands_and_leaves_the_priority_due() -> None:
    match = start(deck("9H", "TC 4S 3C AH"), deck("KS", DULL_TOO))
    play(match, "turn")
    assert seen(match, 0, "turned-up")
    choose(match, "discard", "stop")  # a breach too
    assert foundation(match, "hearts") == cards("AH")
    assert told(match, 0, "wrong-stop") == []


def test_ruling_7_the_priority_move_itself_is_then_correct() -> None:
    match = start(deck("9H", "TC 4S 3C AH"), deck("KS", DULL_TOO))
    play(match, "turn")
    choose(match, "move 4 foundation", "stop")
    assert told(match, 0, "wrong-stop") == [(1,)]


def test_ruling_8_reserve_and_discard_pile_are_loaded_and_no_stock_or_empty_pile() -> None:
    match = start(deck("8C", "7C TC KD KH"), deck("8H", "9H 2S 7H 5S", "9C 3H"))
    assert fact(match, "mover") == 0
    assert loads(match) == {"load 5 reserve", "load 7 reserve"}, "the stock's top is 9C"
    play(match, "turn", "discard", "turn", "discard")
    assert loads(match) == {"load 5 reserve", "load 7 reserve"} | {
        "load reserve discard",
        "load 2 discard",
    }
    play(match, "load reserve discard")
    assert seen(match, 1, "discard", 1) == cards("9C 8C")
    assert loads(match) == {"load 5 reserve", "load 7 reserve", "load 1 discard"}
    play(match, "load 1 discard", "load 7 reserve")
    assert seen(match, 1, "discard", 1) == cards("9C 8C 7C")
    assert seen(match, 1, "reserve", 1)[-2:] == cards("8H 7H")


def test_ruling_8_loading_needs_the_same_suit_and_the_next_rank_and_no_ace_on_a_king() -> None:
    match = start(deck("QD", "AC QS AD QC"), deck("KC", DULL_TOO))
    assert loads(match) == {"load 4 reserve"}


def test_ruling_8_one_s_own_side_is_not_loaded() -> None:
    match = start(deck("8C", "7C 9C KD KH"), deck("JD", "4S 4C TC TS"))
    assert loads(match) == set()


def test_ruling_8_the_turned_up_card_may_be_loaded() -> None:
    match = start(deck("3H", DULL, "9C"), deck("TC", "8S KS 5C JS"))
    play(match, "turn")
    assert loads(match) == {"load stock reserve"}
    play(match, "load stock reserve")
    assert seen(match, 0, "reserve", 1)[-2:] == cards("TC 9C")
    assert seen(match, 0, "turned-up") == ()


@pytest.mark.parametrize("first", ["move 4 foundation", "move stock foundation"])
def test_ruling_9_the_turned_up_card_is_level_with_the_tableau(first: str) -> None:
    match = start(deck("5H", "KH 3D 6C AH", "AC"), deck("9H", "9D JS TC TS"))
    play(match, "turn")
    choose(match, first, "stop")
    assert told(match, 0, "wrong-stop") == [(1,)], "both orders are correct"


def test_ruling_9_the_turned_up_card_comes_before_the_spaces() -> None:
    match = start(deck("5H", "AH 3D 6C KS", "AC"), deck("9H", DULL_TOO))
    play(match, "turn", "move 1 foundation")
    choose(match, "move reserve 1", "stop")
    assert foundation(match, "clubs") == cards("AC")


def test_ruling_9_the_reserve_comes_before_the_turned_up_card() -> None:
    match = start(deck("AH", DULL, "AC"), deck("9H", DULL_TOO))
    play(match, "turn")
    choose(match, "move stock foundation", "stop")
    carried = [event[1:] for event in told(match, 0, "carry-out")]
    assert carried == [("move", "reserve", "foundation"), ("move", "stock", "foundation")]


def test_ruling_10_other_moves_may_be_made_while_a_card_is_turned_up_but_no_second_turn() -> None:
    match = start(deck("3D", DULL, "KH"), deck("9H", DULL_TOO))
    play(match, "turn")
    assert mover_may(match) == ["move reserve 1", "move reserve 2", "discard"]
    choose(match, "move reserve 2", "stop")
    assert told(match, 0, "wrong-stop") == [(1,)]


def test_ruling_11_with_an_empty_reserve_spaces_stay_and_any_card_may_go_there() -> None:
    clubs = " ".join(card for card in DECK if card[1] == "C")
    match = start(deck(clubs, "AD 2D 3D 4D", "KS"), deck("KD", "TH TS 9C 9D"))
    play(match, *["move reserve foundation"] * 13)
    play(match, *[f"move {number} foundation" for number in (1, 2, 3, 4)])
    choose(match, "turn", "stop")
    assert told(match, 0, "wrong-stop") == [(1,)], "nothing had to be done first"
    assert {f"move stock {number}" for number in (1, 2, 3, 4)} <= set(mover_may(match))
    play(match, "move 7 5", "move 5 1", "move stock 2")
    assert (pile(match, 1), pile(match, 2)) == (cards("9C"), cards("KS"))


def test_ruling_11_with_cards_in_the_reserve_anything_else_in_a_space_is_a_breach() -> None:
    match = start(deck("5H", "AC 4S 6C KS", "KH"), deck("9H", DULL_TOO))
    play(match, "turn", "move 1 foundation")
    before = table(match)
    choose(match, "move stock 1")
    assert table(match) != before
    choose(match, "stop")
    assert pile(match, 1) == cards("5H")
    assert seen(match, 0, "discard", 0) == cards("KH")


def test_ruling_12_the_turn_ends_with_a_discard_and_only_after_a_card_is_turned_up() -> None:
    match = start(deck("9H", DULL), deck("KS", DULL_TOO))
    assert not {"discard", "end"} & set(mover_may(match))
    play(match, "turn")
    assert "discard" in mover_may(match)
    assert not {"turn", "end"} & set(mover_may(match))
    play(match, "discard")
    assert (fact(match, "mover"), fact(match, "turn")) == (1, 2)


def test_ruling_14_stalemate_after_as_many_dry_turns_as_show_both_seats_all_cards() -> None:
    match = start(deck("9H", DULL), deck("KS", DULL_TOO))
    idle(match, 69)
    assert match.result is None
    assert fact(match, "dry_turns") == 69
    play(match, "turn")
    choose(match, "discard")
    assert match.result is None, "the opponent may still stop the last discard"
    choose(match, "continue")
    assert match.result is not None
    assert match.result.reason == "stalemate"
    assert (match.result.scores, match.result.ranks) == ([0, 0], [1, 1])


def test_ruling_14_moves_within_the_tableau_do_not_prevent_a_stalemate_but_others_do() -> None:
    match = start(deck("9H", "7D 4S 6C 6S"), deck("KS", "8C 8S TD TS"))
    idle(match, 4)
    assert fact(match, "dry_turns") == 4
    play(match, "move 1 5", "turn", "discard")
    assert fact(match, "dry_turns") == 5
    play(match, "turn", "discard")
    play(match, "move reserve 1", "turn", "discard")
    assert fact(match, "dry_turns") == 0


def test_ruling_14_a_move_counts_when_it_stands_and_so_do_those_that_a_stop_carries_out() -> None:
    match = start(deck("9H 5C", "TC 4S AH 6S"), deck("KS", DULL_TOO))
    choose(match, "move reserve 1")
    assert fact(match, "progress") == 0, "it may still be taken back"
    twin = match.clone()
    choose(match, "continue")
    assert fact(match, "progress") == 1
    choose(twin, "stop")
    assert (fact(twin, "turn"), fact(twin, "dry_turns")) == (2, 0)


def test_ruling_14_the_longer_stock_and_discard_pile_together_count() -> None:
    for seat_1_too, dry_turns in ((False, 70), (True, 68)):
        match = start(deck("9H", DULL, "5D"), deck("KS", DULL_TOO, "7D"))
        play(match, "turn", "move stock 3", "turn", "discard")
        if seat_1_too:
            play(match, "turn", "move stock 5", "turn", "discard")
        idle(match, dry_turns - 1)
        assert match.result is None
        idle(match, 1)
        assert match.result is not None
        assert match.result.reason == "stalemate"


def test_ruling_14_with_nothing_but_reserves_left_two_dry_turns_are_enough() -> None:
    match = start(nearly_empty_side("2C"), nearly_empty_side("2C"))
    empty_side(match, range(1, 5), (1, 2))
    play(match, "end")
    empty_side(match, range(5, 9), (3, 4))
    play(match, "end", "end")
    assert (match.result, fact(match, "dry_turns")) == (None, 1)
    play(match, "end")
    assert match.result is not None
    assert match.result.reason == "stalemate"


@pytest.mark.parametrize("max_turns", [2, 3, 40])
def test_ruling_15_a_hand_ends_after_max_turns(max_turns: int) -> None:
    match = start(deck("9H", DULL), deck("KS", DULL_TOO), max_turns=max_turns)
    idle(match, max_turns - 1)
    assert match.result is None
    idle(match, 1)
    assert match.result is not None
    assert match.result.reason == "turn-limit"


def test_ruling_16_the_question_comes_before_the_end_of_the_hand() -> None:
    match = going_out("KS")
    play(match, "turn")
    choose(match, "move stock 1")  # a breach: AC is due, and KS fits on a foundation
    assert match.to_act == (1,)
    twin = match.clone()
    choose(match, "continue")
    assert match.result is not None
    assert match.result.reason == "out"
    choose(twin, "stop")
    assert twin.result is not None, "the priority moves empty the mover's side all the same"
    assert foundation(twin, "spades")[-1] == "KS"
    assert foundation(twin, "clubs")[-1] == "KC"


def test_ruling_16_stopped_the_hand_goes_on() -> None:
    match = going_out("QS", "JH", "QH", "KH", "KS")
    play(match, "turn", "move stock 1", "turn", "move stock 1", "move 6 1")
    assert pile(match, 1) == cards("QS JH TS")
    play(match, "turn", "move stock 2", "turn", "move stock 3", "turn")
    choose(match, "move stock 4", "stop")
    assert match.result is None
    assert match.to_act == (1,)
    assert seen(match, 0, "discard", 0) == cards("KS")
    assert [event[1:] for event in told(match, 0, "carry-out")] == [
        ("move", "5", "foundation"),
        ("discard",),
    ]


# Examples -----------------------------------------------------------------------------------------

EXAMPLE_1 = (
    deck("AS 9C 2S 6S", "AH KC KD 8H", "4C 5C"),
    deck("3H", "7H 7D QH QS"),
)


def test_example_1_without_calls() -> None:
    match = forced(*EXAMPLE_1)
    for only in (
        "move reserve foundation",
        "move 1 foundation",
        "move reserve 1",
        "move reserve foundation",
    ):
        assert mover_may(match) == [only]
        play(match, only)
    moves = {"move 4 1", "move 7 2", "move 8 3", "move reserve 5", "move reserve 6"}
    assert set(mover_may(match)) == moves | {"turn"}
    play(match, "turn")
    assert set(mover_may(match)) == moves | {"discard"}


def test_example_2_with_calls() -> None:
    match = start(*EXAMPLE_1)
    assert set(mover_may(match)) == {
        "move 1 foundation",
        "move 7 2",
        "move 8 3",
        "move reserve foundation",
        "turn",
    }
    choose(match, "move 1 foundation", "continue")
    assert foundation(match, "hearts") == cards("AH")
    choose(match, "move reserve 1", "stop")
    assert foundation(match, "spades") == cards("AS 2S")
    assert pile(match, 1) == cards("9C")
    assert seen(match, 0, "reserve", 0) == cards("6S")
    assert match.to_act == (1,)
    assert fact(match, "mover") == 1


def test_example_3_a_wrong_stop_and_what_it_costs() -> None:
    match = start(deck("9C 6C", "KC KD 8H 8D"), deck("TD", "7H 7D QH QS"))
    choose(match, "move 7 1", "stop")
    assert told(match, 0, "wrong-stop") == [(1,)]
    choose(match, "move 8 2")  # a breach, for pile 7 is a space
    assert match.to_act == (0,)
    choose(match, "turn", "discard")
    play(match, "turn", "discard")
    for text in ("turn", "discard"):
        assert match.to_act == (0,)
        choose(match, text)
    assert match.to_act == (1,)


def test_example_4_a_discard_that_had_to_go_to_a_foundation() -> None:
    match = start(deck("AC 9H", "4S 6C 6S JD", "2C"), deck("KS", DULL_TOO))
    play(match, "move reserve foundation", "turn")
    choose(match, "discard", "stop")
    assert foundation(match, "clubs") == cards("AC 2C")
    assert seen(match, 0, "discard", 0) == ()
    assert match.to_act == (1,)


def test_example_5_a_card_turned_up_too_early() -> None:
    match = start(deck("KS 5H", "AD 6C 6S JD", "4S"), deck("KC", DULL_TOO))
    choose(match, "turn")
    assert seen(match, 1, "turned-up") == cards("4S")
    choose(match, "stop")
    assert seen(match, None, "stock", 0)[-1] == "4S"
    assert len(seen(match, None, "stock", 0)) == 35
    assert foundation(match, "diamonds") == cards("AD")
    assert pile(match, 1) == cards("KS")
    assert match.to_act == (1,)


def test_example_6_loading() -> None:
    match = start(deck("9C", "TC 7C KH 9H"), deck("8C", "JH JC 5S 5D", "TH"))
    play(match, "turn", "discard")
    assert fact(match, "mover") == 0
    assert loads(match) == {
        "load 2 reserve",
        "load 4 discard",
        "load 5 discard",
        "load reserve reserve",
    }
    play(match, "load reserve reserve")
    assert seen(match, 0, "reserve", 1)[-1] == "9C"
    assert "load 1 reserve" in loads(match)
    assert "load 2 reserve" not in loads(match)


def test_example_7_the_discard_pile_turned_over_is_the_stock_oldest_card_on_top() -> None:
    match = start(deck("3D", DULL), deck("9H", DULL_TOO))
    idle(match, 40)
    play(match, "move reserve 1")  # to avoid a stalemate
    idle(match, 30)
    discarded = seen(match, 0, "discard", 0)
    assert len(discarded) == 35
    assert seen(match, None, "stock", 0) == ()
    play(match, "turn")
    assert seen(match, 0, "turned-up") == discarded[:1]
    assert seen(match, 1, "stock", 0) == discarded[:0:-1], "its top last"
    assert seen(match, 0, "discard", 0) == ()
    play(match, "discard", "turn", "discard", "turn")
    assert seen(match, 0, "turned-up") == discarded[1:2]


def test_a_pile_turned_over_by_a_breach_is_turned_back() -> None:
    match = start(deck("3D", DULL), deck("9H", "AC 8S TC TS"))
    idle(match, 40)
    play(match, "move reserve 1")
    idle(match, 30)
    discarded = seen(match, 0, "discard", 0)
    choose(match, "turn", "stop")
    assert foundation(match, "clubs") == cards("AC")
    assert seen(match, None, "discard", 0) == discarded
    assert seen(match, None, "stock", 0) == ()


def test_example_8_going_out_scores_the_other_s_count_and_30() -> None:
    assert points(0, 2 * 2 + 20) == 24 + 30
    match = going_out()
    play(match, "turn", "move stock foundation")
    assert match.result is not None
    assert told(match, 1, "out") == [(0,)]
    assert told(match, 1, "score") == [(None, 2 * 13 + 35 + 30, 0)]
    assert (match.result.scores, match.result.ranks) == ([91, 0], [1, 2])


def test_the_start_of_a_match_in_the_documentation_is_true() -> None:
    match = RUSSIAN_BANK.start(deals=SeededDeals("sample/37"))
    rows = re.findall(r"^\| (\d) \| `(.+)` \|", DOCUMENT.read_text(), re.MULTILINE)
    assert len(rows) == 19
    for seat, text in rows:
        match.apply(int(seat), text)
    assert told(match, 0, "carry-out") == [(1, "move", "reserve", "4")]
    assert told(match, 0, "wrong-stop") == [(1,)]
    assert (match.to_act, fact(match, "barred")) == ((1,), (0, 1))


# Scoring, options, the end ------------------------------------------------------------------------


def test_the_lower_count_scores_the_difference_and_equal_counts_nothing() -> None:
    assert (points(10, 17), points(17, 10), points(9, 9)) == (7, 0, 0)
    match = start(deck("3D 5H", DULL, "5D"), deck("9H", DULL_TOO), max_turns=2)
    play(match, "move reserve 1", "turn", "move stock 3", "turn", "discard", "turn", "discard")
    assert match.result is not None
    assert match.result.scores == [2 + 1, 0], "a card of the reserve counts two"


def test_a_turned_up_card_is_not_out_of_the_hand() -> None:
    match = going_out()
    play(match, "turn")
    assert [seen(match, 0, zone, 0) for zone in ("reserve", "stock", "discard")] == [()] * 3
    assert match.result is None
    play(match, "discard")
    assert match.result is None
    assert fact(match, "mover") == 1


def test_the_match_is_over_after_its_hands_and_the_scores_add_up() -> None:
    gain = deck("3D", DULL), deck("9H", DULL_TOO)
    match = start(*gain, *gain, hands=2, max_turns=2)
    for hand in (1, 2):
        assert (fact(match, "hand"), fact(match, "turn")) == (hand, 1)
        assert fact(match, "scores") == (2 * (hand - 1), 0)
        play(match, "move reserve 1")
        idle(match, 2)
    assert match.result is not None
    assert (match.result.scores, match.result.ranks) == ([4, 0], [1, 2])


def test_the_match_is_over_when_a_score_reaches_the_target() -> None:
    gain = deck("3D", DULL), deck("9H", DULL_TOO)
    for target, hands in ((1, 1), (2, 1), (3, 2), (4, 2), (5, 3)):
        match = start(*gain * 5, hands=5, target=target, max_turns=2)
        while match.to_act:
            play(match, "move reserve 1")
            idle(match, 2)
        assert fact(match, "hand") == hands


def test_rights_to_call_dry_turns_and_turns_start_afresh_in_each_hand() -> None:
    dull = deck("9H", DULL), deck("KS", DULL_TOO)
    match = start(*dull, *dull, hands=2, max_turns=3)
    idle(match, 2)
    choose(match, "turn", "stop", "discard")
    assert fact(match, "hand") == 2
    assert (fact(match, "barred"), fact(match, "dry_turns"), fact(match, "turn")) == ((0, 0), 0, 1)
    assert (fact(match, "progress"), fact(match, "pile_moves")) == (0, 0)


@pytest.mark.parametrize(
    ("name", "wrong", "allowed"),
    [
        ("stop_calls", 1, "true or false"),
        ("hands", 0, "from 1 to 50"),
        ("hands", 51, "from 1 to 50"),
        ("target", 0, "from 1 to 10000"),
        ("target", 10_001, "from 1 to 10000"),
        ("max_turns", 1, "from 2 to 1000"),
        ("max_turns", 1001, "from 2 to 1000"),
    ],
)
def test_options_have_bounds(name: str, wrong: Any, allowed: str) -> None:
    with pytest.raises(ValueError, match=f"{name} must be .*{allowed}"):
        RUSSIAN_BANK.start(options={name: wrong})


def test_the_ladder_format_is_one_hand_for_two_with_calls() -> None:
    match = RUSSIAN_BANK.start()
    assert match.players == 2
    assert match.options == {"stop_calls": True, "hands": 1, "target": 300, "max_turns": 120}


# Information --------------------------------------------------------------------------------------


def test_face_down_cards_are_hidden_from_both_seats() -> None:
    match = start(deck("9H", DULL), deck("KS", DULL_TOO))
    for viewer in (0, 1):
        view = match.observe(viewer)
        for seat, reserve_top in enumerate(cards("9H KS")):
            assert view.zone("reserve", seat)[2:] == ((reserve_top,), 12)
            assert view.zone("stock", seat)[2:] == ((), 35)


def test_both_seats_see_the_same(seed: int) -> None:
    match = RUSSIAN_BANK.start(deals=SeededDeals(f"{seed}"))
    for _ in decisions(match, Random(seed)):
        assert match.observe(0) == match.observe(1)
    assert match.events(0) == match.events(1) == match.events(None)


def test_what_was_once_seen_stays_known() -> None:
    match = start(deck("KS 5H 2D", "AD 6C 6S JD", "4S"), deck("KC", DULL_TOO))
    choose(match, "turn", "stop")
    for viewer in (0, 1):
        assert match.observe(viewer).zone("stock", 0)[2:] == (cards("4S"), 34)
    play(match, "turn", "discard", "turn")
    assert match.observe(1).zone("stock", 0)[2:] == ((), 34)
    assert seen(match, 1, "turned-up") == cards("4S")


def test_loaded_cards_stay_known_when_one_above_them_leaves() -> None:
    match = start(deck("9C", "TC 7C 6C 9H"), deck("8C", "JH JC 7D 8D"))
    assert fact(match, "mover") == 1
    play(match, "turn", "discard", "load 2 reserve", "load 3 reserve", "turn", "discard")
    for viewer in (0, 1):
        assert match.observe(viewer).zone("reserve", 1)[2:] == (cards("8C 7C 6C"), 12)
    play(match, "move reserve 7")
    for viewer in (0, 1):
        assert match.observe(viewer).zone("reserve", 1)[2:] == (cards("8C 7C"), 12)


def test_a_reserve_card_that_was_turned_up_stays_known_under_the_one_taken_back() -> None:
    match = start(deck("2H 9H 5C", "TC 4S 3C 6S", "AH"), deck("KS", DULL_TOO))
    play(match, "move reserve 3", "turn", "move stock foundation")
    choose(match, "move reserve 1")  # 2H is due
    assert match.observe(1).zone("reserve", 0)[2:] == (cards("5C"), 10)
    choose(match, "stop")
    assert foundation(match, "hearts") == cards("AH 2H")
    for viewer in (0, 1):
        assert match.observe(viewer).zone("reserve", 0)[2:] == (cards("5C 9H"), 10)


def test_the_past_tells_what_was_turned_up() -> None:
    match = start(*EXAMPLE_1)
    play(match, "move reserve foundation", "turn")
    for viewer in (0, 1):
        assert told(match, viewer, "face-up") == [
            (0, *cards("AS AH KC KD 8H")),
            (1, *cards("3H 7H 7D QH QS")),
        ]
        assert told(match, viewer, "reveal") == [(0, "9C")]
        assert told(match, viewer, "turn-up") == [(0, "4C")]


def test_the_action_in_question_is_shown_with_its_card() -> None:
    match = start(*EXAMPLE_1)
    assert (fact(match, "action"), fact(match, "card")) == ("", "")
    for text, card in (("move reserve foundation", "AS"), ("turn", "4C"), ("discard", "4C")):
        choose(match, text)
        assert (fact(match, "action"), fact(match, "card")) == (text, card)
        choose(match, "continue")
        assert (fact(match, "action"), fact(match, "card")) == ("", "")


# Redealing what a seat cannot see -----------------------------------------------------------------


def hidden_of(match: Match, seat: int) -> set[str]:
    """Returns the cards of the seat's own deck that nobody has seen."""
    found: set[str] = set()
    for zone in ("reserve", "stock"):
        hidden = match.observe(0).zone(zone, seat).hidden
        found.update(seen(match, None, zone, seat)[:hidden])
    return found


def test_a_card_seen_of_a_deck_is_not_dealt_to_it_again_and_the_other_deck_may_have_it() -> None:
    match = start(deck("9H 5C", DULL), deck("KS", DULL_TOO))
    seen_of_0 = set(cards("9H 4C 4S 6C 6S"))
    seen_of_1 = set(cards("KS 8C 8S TC TS"))
    assert hidden_of(match, 0) == set(DECK) - seen_of_0
    assert hidden_of(match, 1) == set(DECK) - seen_of_1
    for number in range(50):
        other = match.redeal(0, Random(number))
        assert hidden_of(other, 0) == set(DECK) - seen_of_0
        assert hidden_of(other, 1) == set(DECK) - seen_of_1


def test_a_redeal_in_question_of_a_turn_takes_back_the_card_that_was_seen() -> None:
    match = start(deck("KS 5H", "AD 6C 6S JD", "4S"), deck("KC", DULL_TOO))
    choose(match, "turn")
    for number in range(20):
        other = match.redeal(1, Random(number))
        assert_looks_equal(match, other, 1)
        choose(other, "stop")
        assert seen(other, 0, "stock", 0) == cards("4S")


# In every match -----------------------------------------------------------------------------------


def test_foundations_are_always_in_order(seed: int) -> None:
    match = RUSSIAN_BANK.start(deals=SeededDeals(f"{seed}"))
    for _ in decisions(match, Random(seed)):
        pass
    for place, suit in enumerate(SUITS):
        for number in (1, 2):
            built = seen(match, 0, f"{suit}-{number}")
            assert built == DECK[13 * place :][: len(built)]


def test_a_stopped_breach_leads_where_the_priority_moves_alone_lead(seed: int) -> None:
    rng = Random(seed)
    match = RUSSIAN_BANK.start(deals=SeededDeals(f"{seed}"))
    compared = 0
    for seat in decisions(match, rng):
        if fact(match, "phase") == "call":
            continue
        stopped, correct = match.clone(), match.clone()
        past = len(match.events(None))
        stopped.apply(seat, rng.choice(match.legal_actions(seat)))
        if fact(stopped, "phase") != "call":
            continue  # the opponent cannot call
        choose(stopped, "stop")
        carried_out = [event for event in stopped.events(None, past) if event.verb == "carry-out"]
        for event in carried_out:
            play(correct, " ".join(map(str, event.arguments)))
        if carried_out:
            assert table(stopped) == table(correct)
            compared += 1
    assert compared


def test_without_calls_just_those_actions_are_offered_that_no_stop_can_touch(seed: int) -> None:
    rng = Random(seed)
    free = RUSSIAN_BANK.start(deals=SeededDeals(f"{seed}"))
    only = RUSSIAN_BANK.start(options={"stop_calls": False}, deals=SeededDeals(f"{seed}"))
    while only.to_act:
        seat = only.to_act[0]
        correct = legal(only, seat)
        tried = rng.choice(legal(free, seat))
        assert set(correct) <= set(legal(free, seat))
        twin = free.clone()
        choose(twin, tried, "stop")
        assert any(fact(twin, "barred")) == (tried in correct), "the Stop was wrong"
        text = rng.choice(correct)
        play(only, text)
        play(free, text)
    assert free.result == only.result
