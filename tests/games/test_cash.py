"""Cash: each ruling and each published example, and the invariants of every match."""

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from sevens_games import IllegalAction, Match, SeededDeals, StackedDeals, load
from sevens_games.cards.standard import DECK
from tests.support.game_redeals import possible, redealt, unseen
from tests.support.game_tables import (
    Announced,
    assert_looks_equal,
    cards,
    decisions,
    hands,
    legal,
    seen,
    stack,
    told,
)

CASH = load("cash")
HANDS = ("KC KD KH 2C", "2D 3D 4D 5D", "2H 3H 4H 5H", "6S 7S 8S 9S")
BOARD = "KS 6C 7C 8C"
SIX = (*HANDS, "2S 3S 4S 5S", "9C TC JC QC")
FOUR_KINGS = "KC KD KH KS"
FOUR_QUEENS = "QC QD QH QS"
GESTURES = ["blink", "cough", "frown", "nod", "shrug", "smile", "wink", "yawn"]


def start(
    *texts: str,
    board: str = BOARD,
    picks: Sequence[int] = (3, 0),
    deals: int = 1,
    **options: int,
) -> Match:
    """A match in which seat 0 is dealt to first; each deal deals these hands and this board."""
    texts = texts or HANDS
    order = stack(DECK, hands(*texts, each=4), cards(board))
    codes = [*picks, *[0] * (len(texts) // 2 - len(picks))]
    return CASH.start(
        players=len(texts),
        options={"max_deals": deals, **options},
        deals=StackedDeals([order] * deals, codes * deals),
    )


def tick(match: Match, *texts: str, rest: str = "pass still") -> None:
    """All seats choose: seat 0 the first of these, and so on; seats without a text pass."""
    for seat in range(match.players):
        text = texts[seat] if seat < len(texts) and texts[seat] else rest
        match.apply(seat, text)


def pass_all(match: Match, ticks: int) -> None:
    for _ in range(ticks):
        tick(match)


def letters(match: Match) -> tuple[object, ...]:
    return told(match, None, "letters")[-1][1:]


def with_four_kings(*texts: str, **options: int) -> Match:
    """Seat 0 has taken its fourth king, with a nod, in the first tick."""
    match = start(*texts, **options)
    tick(match, "swap 2C KS nod")
    return match


def called(match: Match, **calls: str) -> tuple[object, ...]:
    """Returns the letters after these calls, by names such as s1, in one tick."""
    tick(match, *[calls.get(f"s{seat}", "") for seat in range(match.players)])
    return letters(match)


# Setup and dealing --------------------------------------------------------------------------------


def test_four_cards_go_to_each_seat_and_the_next_four_are_the_board() -> None:
    match = CASH.start(deals=StackedDeals([DECK], [0, 1]))
    assert seen(match, 0, "hand", 0) == cards("AC 5C 9C KC")
    assert seen(match, 3, "hand", 3) == cards("4C 8C QC 3D")
    assert seen(match, 2, "board") == DECK[16:20]
    assert seen(match, None, "stock") == DECK[20:]
    assert match.to_act == (0, 1, 2, 3)


def test_partners_sit_opposite() -> None:
    assert CASH.teams(4) == (0, 1, 0, 1)
    assert CASH.teams(6) == (0, 1, 2, 0, 1, 2)
    assert CASH.teams(8) == (0, 1, 2, 3, 0, 1, 2, 3)


@pytest.mark.parametrize("players", [4, 6, 8])
def test_each_deal_is_one_shuffle_and_a_pick_for_each_team(players: int, seed: int) -> None:
    announced: list[int] = []
    deals = Announced(SeededDeals(f"{seed}"), announced)
    match = CASH.start(players=players, deals=deals)
    for _ in decisions(match, Random(seed)):
        pass
    made = match.deals
    assert announced == [*range(len(made.shuffles))]
    assert {tuple(sorted(order)) for order in made.shuffles} == {tuple(sorted(DECK))}
    assert len(made.picks) == len(made.shuffles) * players // 2
    assert max(made.picks) < 5


def test_the_deal_passes_to_the_next_seat() -> None:
    match = start(deals=3)
    for dealer in (3, 0, 1):
        assert match.observe(0).facts["dealer"] == dealer
        assert match.observe(0).facts["first"] == (dealer + 1) % 4
        tick(match, "counter 1")
    assert match.result is not None


# Rulings ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("first", "winner"), [(0, 0), (1, 1), (2, 3), (3, 3), (4, 0)])
def test_ruling_1_the_seat_that_reaches_first_goes_around_the_table(
    first: int, winner: int
) -> None:
    match = start()
    for _ in range(first):  # seat 2 keeps the board from being swept
        board = seen(match, 2, "board")
        mine = seen(match, 2, "hand", 2)
        other = next(card for card in board if card != "KS")
        tick(match, "", "", f"swap {mine[0]} {other} still")
    assert match.observe(0).facts["first"] == first % 4
    tick(match, "swap 2C KS still", "swap 2D KS still", "", "swap 6S KS still")
    assert [seat for seat, _ in told(match, None, "take")][-1] == winner
    assert {seat for seat, _ in told(match, None, "miss")} == {0, 1, 3} - {winner}


def test_ruling_2_others_see_the_board_alone() -> None:
    one, other = start(), start()
    tick(one, "", "swap 2D KS nod", "", "pass still")
    tick(other, "", "pass nod", "", "swap 6S 8C still")
    for match in (one, other):
        assert told(match, 0, "take", "miss", "swap") == []
        assert told(match, 0, "gesture") == [(0, "still"), (1, "nod"), (2, "still"), (3, "still")]
    assert told(one, 0, "gone", "come") == [(None, "KS"), (None, "2D")]
    assert seen(one, 0, "taken") == ("KS",)


def test_ruling_2_a_partner_sees_no_more() -> None:
    one, other = start(), start()
    tick(one, "swap 2C KS nod", "swap 2D 6C still")
    tick(other, "swap KC KS nod", "swap 2D 6C still")
    assert seen(one, 2, "hand", 0) == ()
    assert [event.verb for event in one.events(2)] == [event.verb for event in other.events(2)]


def test_ruling_3_a_team_knows_its_code_and_no_other() -> None:
    match = start()
    assert match.observe(0).facts["codes"] == match.observe(2).facts["codes"] == ("nod", "")
    assert match.observe(1).facts["codes"] == match.observe(3).facts["codes"] == ("", "blink")
    assert told(match, 2, "code") == [(None, 0, "nod")]


def test_ruling_4_any_gesture_may_be_shown_at_any_time() -> None:
    match = start()
    for gesture in ("still", *GESTURES[:5]):
        assert f"pass {gesture}" in legal(match, 1)
        assert f"swap 2D KS {gesture}" in legal(match, 1)
    with pytest.raises(IllegalAction):
        match.apply(1, "pass smile")


def test_ruling_5_the_sign_comes_with_the_swap_that_may_fail() -> None:
    match = start()
    tick(match, "swap 2C KS still", "swap 2D KS shrug")
    assert (1, "shrug") in told(match, 3, "gesture")
    assert told(match, 1, "miss") == [(1, "KS")]
    assert "KS" not in seen(match, 1, "hand", 1)


def test_ruling_6_a_counter_precedes_a_cash_of_the_same_tick() -> None:
    assert called(with_four_kings(), s1="counter 0", s2="cash") == (1, 0)


def test_ruling_7_no_swap_is_made_in_the_tick_of_a_call() -> None:
    match = start(deals=2)
    tick(match, "swap 2C KS nod", "counter 0")
    assert letters(match) == (0, 1)
    assert told(match, None, "take") == []
    assert (0, "nod") in told(match, 3, "gesture")


def test_ruling_8_a_deal_costs_a_team_one_letter_at_most() -> None:
    assert called(with_four_kings(), s1="counter 2", s2="cash") == (0, 1)
    assert called(start(), s0="cash", s2="cash") == (1, 0)


def test_ruling_8_a_deal_can_give_letters_to_both_teams() -> None:
    assert called(with_four_kings(), s1="counter 0", s3="counter 2") == (1, 1)


def test_ruling_9_a_cash_means_the_partners_four() -> None:
    assert called(with_four_kings(), s0="cash") == (1, 0)
    assert called(with_four_kings(), s2="cash") == (0, 1)


def test_ruling_9_a_counter_names_a_seat_and_not_its_partner() -> None:
    assert called(with_four_kings(), s1="counter 2") == (0, 1)
    assert called(with_four_kings(), s1="counter 0") == (1, 0)


def test_ruling_9_only_rivals_can_be_named() -> None:
    six = start(*SIX, picks=(0, 1, 2))
    assert [text for text in legal(six, 0) if text.startswith("counter")] == [
        "counter 1", "counter 2", "counter 4", "counter 5"
    ]  # fmt: skip


def test_ruling_10_a_right_cash_costs_all_other_teams_a_letter() -> None:
    assert called(with_four_kings(*SIX, picks=(0, 1, 2)), s3="cash") == (0, 1, 1)


def test_ruling_10_a_right_counter_costs_the_team_caught_alone() -> None:
    match = with_four_kings(*SIX, picks=(0, 1, 2))
    assert called(match, s3="cash", s1="counter 0") == (1, 0, 0)


def test_ruling_11_a_wrong_call_ends_the_deal_too() -> None:
    match = start(deals=2)
    tick(match, "counter 1")
    assert match.observe(0).facts["deal"] == 2
    assert told(match, 3, "wrong") == [(0,)]


def test_ruling_12_a_board_that_nobody_touches_is_swept() -> None:
    match = start()
    pass_all(match, 1)
    assert told(match, 1, "sweep") == [(None, "6C", "7C", "8C", "KS")]
    assert seen(match, 1, "swept") == cards("6C 7C 8C KS")
    assert match.observe(1).zone("stock").hidden == 28


def test_ruling_12_a_swap_that_fails_counts_for_nothing_but_one_succeeds() -> None:
    match = start()
    tick(match, "swap 2C KS still", "swap 2D KS still")
    assert told(match, 0, "sweep") == []


def test_ruling_12_the_sixth_tick_is_the_last_of_a_board() -> None:
    match = start()
    for number in range(1, 7):
        assert match.observe(0).facts["board_tick"] == number
        hand, board = seen(match, 0, "hand", 0), seen(match, 0, "board")
        tick(match, f"swap {hand[0]} {board[0]} still")
    assert match.observe(0).facts["board_tick"] == 1
    assert match.observe(0).facts["tick"] == 7
    assert len(told(match, 0, "sweep")) == 1


def test_ruling_13_when_the_stock_is_used_up_the_deal_ends_without_a_letter() -> None:
    match = start(deals=2)
    pass_all(match, 9)
    assert letters(match) == (0, 0)
    assert match.observe(0).facts["deal"] == 2


def test_ruling_13_four_completed_in_the_last_tick_come_too_late() -> None:
    match = start(deals=2)
    pass_all(match, 8)
    for _ in range(5):
        hand, board = seen(match, 3, "hand", 3), seen(match, 3, "board")
        tick(match, "", "", "", f"swap {hand[0]} {board[0]} still")
    tick(
        match, "", "", "", f"swap {seen(match, 3, 'hand', 3)[0]} {seen(match, 3, 'board')[0]} still"
    )
    assert letters(match) == (0, 0)
    assert match.observe(0).facts["deal"] == 2


@pytest.mark.parametrize(("players", "boards"), [(4, 9), (6, 7), (8, 5)])
def test_ruling_14_one_deck_serves_all_tables(players: int, boards: int) -> None:
    match = CASH.start(players=players, options={"max_deals": 1})
    pass_all(match, boards)
    assert match.result is not None
    assert match.result.ranks == [1] * players


def test_ruling_15_four_of_a_kind_that_were_dealt_count() -> None:
    match = start(FOUR_KINGS, *HANDS[1:], board="2C 6C 7C 8C")
    assert called(match, s2="cash") == (0, 1)


def test_ruling_16_the_code_is_always_a_gesture(seed: int) -> None:
    for number in range(20):
        match = CASH.start(options={"gestures": 2}, deals=SeededDeals(f"{seed}/{number}"))
        codes = match.observe(None).facts["codes"]
        assert isinstance(codes, tuple)
        assert set(codes) <= {"blink", "cough"}


# Examples -----------------------------------------------------------------------------------------


def test_example_1_codes_and_the_number_of_actions() -> None:
    match = start()
    assert match.observe(None).facts["codes"] == ("nod", "blink")
    assert len(legal(match, 0)) == 105


def test_example_2_the_first_tick() -> None:
    match = start()
    tick(match, "swap 2C KS nod", "swap 2D KS still", "swap 2H 6C cough", "pass still")
    assert seen(match, 0, "hand", 0) == cards("KC KD KH KS")
    assert seen(match, 1, "hand", 1) == cards("2D 3D 4D 5D")
    assert seen(match, 3, "board") == cards("2C 7C 8C 2H")
    assert told(match, 3, "gesture") == [(0, "nod"), (1, "still"), (2, "cough"), (3, "still")]
    assert told(match, 3, "gone", "come") == [(None, "6C", "KS"), (None, "2C", "2H")]
    assert match.observe(3).facts["first"] == 1


def test_example_7_several_cashes() -> None:
    both = start(FOUR_KINGS, FOUR_QUEENS, *HANDS[2:], board="2C 6C 7C 8C")
    assert called(both, s2="cash", s3="cash") == (1, 1)
    partners = start(FOUR_KINGS, HANDS[1], FOUR_QUEENS, HANDS[3], board="2C 6C 7C 8C")
    assert called(partners, s0="cash", s2="cash", s1="counter 0") == (1, 1)


def test_example_8_cards_that_were_swept_are_gone() -> None:
    match = start()
    pass_all(match, 8)
    assert "KS" in seen(match, 0, "swept")
    assert match.observe(0).zone("stock").hidden == 0
    pass_all(match, 1)
    assert match.result is not None
    assert (match.result.scores, match.result.reason) == ([0, 0, 0, 0], "limit")


# The end ------------------------------------------------------------------------------------------


def test_a_team_with_all_letters_ends_the_match_and_fewer_are_better() -> None:
    match = start(deals=20)
    for _ in range(3):
        tick(match, "counter 1")
    tick(match, "", "counter 2")
    assert match.result is None
    tick(match, "counter 1")
    assert match.result is not None
    assert (match.result.scores, match.result.ranks) == ([4, 1, 4, 1], [3, 1, 3, 1])
    assert match.result.reason == "letters"


def test_when_a_deal_is_over_all_hands_and_codes_are_shown() -> None:
    match = start(deals=2)
    tick(match, "counter 1")
    for viewer in range(4):
        assert told(match, viewer, "show") == [
            (seat, *sorted(cards(text), key=DECK.index)) for seat, text in enumerate(HANDS)
        ]
        assert set(told(match, viewer, "code")) >= {(None, 0, "nod"), (None, 1, "blink")}


def test_at_the_end_hands_and_codes_stay_in_view_and_the_stock_is_hidden() -> None:
    match = start()
    tick(match, "counter 1")
    assert match.result is not None
    assert seen(match, 0, "hand", 3) == cards("6S 7S 8S 9S")
    assert match.observe(0).facts["codes"] == ("nod", "blink")
    assert seen(match, 0, "stock") == ()


# Redealing what a seat cannot see -----------------------------------------------------------------


def test_a_card_that_went_is_in_another_hand() -> None:
    match = start()
    tick(match, "", "swap 2D KS still")
    twins = redealt(match, 0)
    for twin in twins:
        assert "KS" not in seen(twin, None, "stock")
    assert all("KS" in possible(twins, "hand", seat) for seat in (1, 2, 3))
    assert possible(twins, "hand", 1) == unseen(match, 0)


def test_cards_that_went_in_one_tick_are_in_different_hands() -> None:
    match = start()
    tick(match, "", "swap 2D KS still", "swap 2H 6C still")
    for twin in redealt(match, 0):
        assert not any({"KS", "6C"} <= set(seen(twin, None, "hand", seat)) for seat in (1, 2, 3))


def test_a_card_that_came_back_takes_its_swap_along() -> None:
    """Whoever took the king and put it back in the next tick took the six then."""
    match = start()
    tick(match, "", "swap 2D KS still")
    tick(match, "", "swap KS 6C still", "swap 2H 7C still")
    for twin in redealt(match, 0):
        swapped = {event.arguments[0] for event in twin.events(None) if event.verb == "take"}
        assert swapped == {"KS", "6C", "7C"}
        assert not any({"6C", "7C"} <= set(seen(twin, None, "hand", seat)) for seat in (1, 2, 3))


def test_a_card_that_a_seat_missed_was_taken_by_one_that_reached_before_it() -> None:
    match = start()
    tick(match, "", "swap 2D KS still", "swap 2H KS still")
    twins = redealt(match, 2)
    assert "KS" in possible(twins, "hand", 0)
    assert "KS" in possible(twins, "hand", 1)
    assert "KS" not in possible(twins, "hand", 3)


def test_other_teams_can_have_any_code() -> None:
    twins = redealt(start(*SIX, picks=(0, 1, 2)), 0)
    codes = [twin.observe(None).facts["codes"] for twin in twins]
    assert {code[0] for code in codes if isinstance(code, tuple)} == {"blink"}
    assert {code[2] for code in codes if isinstance(code, tuple)} == set(GESTURES[:5])


@pytest.mark.parametrize("players", [4, 8])
def test_redealt_swaps_lead_to_the_hands(players: int, seed: int) -> None:
    """In each tick a seat swaps once at most, and a card that it puts was in its hand."""
    rng = Random(seed)
    match = CASH.start(players=players, deals=SeededDeals(f"{seed}"))
    checked = 0
    for _ in decisions(match, rng):
        if len(told(match, None, "take")) > 4 and rng.random() < 0.2:
            check_swaps(match.redeal(rng.randrange(players), rng))
            checked += 1
    assert checked


def check_swaps(match: Match) -> None:
    state: Any = match._state
    held = [set(hand) for hand in state.hands]
    assert len({(swap.tick, swap.seat) for swap in state.swaps}) == len(state.swaps)
    for swap in reversed(state.swaps):
        assert swap.went in held[swap.seat]
        held[swap.seat] = held[swap.seat] - {swap.went} | {swap.came}
    assert {len(hand) for hand in held} == {4}


# In every match -----------------------------------------------------------------------------------


def test_choices_of_a_tick_look_alike_until_all_have_chosen() -> None:
    one, other = start(), start()
    one.apply(0, "swap 2C KS nod")
    other.apply(0, "cash")
    for seat in (1, 2, 3):
        assert_looks_equal(one, other, seat)


def test_the_format_of_ladders() -> None:
    match = CASH.start()
    assert match.players == 4
    assert match.options == {"letters": 4, "gestures": 5, "max_deals": 20}
