"""Crash: each ruling and each published example, and the invariants of every match."""

from itertools import combinations, pairwise
from random import Random

import pytest

from sevens_games import IllegalAction, Match, SeededDeals, StackedDeals, load
from sevens_games.cards import brag_strength
from sevens_games.cards.standard import DECK
from tests.support.game_redeals import possible, redealt, unseen
from tests.support.game_tables import (
    assert_looks_equal,
    cards,
    check_one_shuffle_a_deal,
    choose,
    decisions,
    hands,
    legal,
    seen,
    stack,
    told,
)

CRASH = load("crash")
SUITS = [" ".join(card for card in DECK if card[1] == suit) for suit in "CDHS"]

# Hands of the published example, and three answers to them.
FIRST = ["3C 3D 3H", "KC QD JH", "AC 9C 9S", "7C 7D 4S"]
ONE_ALL = ["AD AH AS", "4C 4D 4H", "JC QH KH", "8C 8D TS"]
TIED = ["AD AH AS", "JC QH KH", "8C 8D TS"]
BEATEN = ["AD AH AS", "8C 8D TS"]


def start(*texts: str, dealer: int | None = None, **options: int) -> Match:
    """A match whose first hands begin like this; seat 0 gets the first card."""
    order = stack(DECK, hands(*texts, each=13))
    again = options.get("deals", 1)
    return CRASH.start(
        players=len(texts), options={"deals": 1, **options}, deals=StackedDeals([order] * again)
    )


def in_order(text: str) -> str:
    return " ".join(sorted(cards(text), key=DECK.index))


def lay(match: Match, *by_seat: list[str]) -> None:
    """Lays these hands, and passes when they are used up."""
    for step in range(4):
        for seat, texts in enumerate(by_seat):
            text = f"hand {in_order(texts[step])}" if step < len(texts) else "pass"
            match.apply(seat, text)


def played(*by_seat: list[str], **options: int) -> Match:
    match = start(*[" ".join(texts) for texts in by_seat], **options)
    lay(match, *by_seat)
    return match


def points(match: Match) -> tuple[int, ...]:
    value = match.observe(0).facts["points"]
    assert isinstance(value, tuple)
    return tuple(int(number) for number in value)


# Setup and dealing --------------------------------------------------------------------------------


def test_thirteen_cards_go_to_each_seat_and_the_rest_is_out_of_play() -> None:
    match = CRASH.start(players=3, deals=StackedDeals([DECK]))
    assert seen(match, 0, "hand", 0) == DECK[:39:3]
    assert seen(match, 1, "hand", 1) == DECK[1:39:3]
    assert seen(match, None, "rest") == DECK[39:]
    assert match.to_act == (0, 1, 2)


def test_each_deal_is_one_shuffle_of_its_own(seed: int) -> None:
    check_one_shuffle_a_deal(CRASH, DECK, seed)


def test_the_deal_passes_to_the_next_seat() -> None:
    match = start("AC", "AD", "AH", deals=3)
    for dealer in (2, 0, 1):
        assert match.observe(0).facts["dealer"] == dealer
        lay(match, [], [], [])


# Rulings ------------------------------------------------------------------------------------------


def test_ruling_1_a_hand_is_not_stronger_than_the_one_before() -> None:
    match = start("7C 7D 4S 8C 8D 4H KC QD JH", "AD")
    match.apply(0, "hand 8C 8D 4H")
    match.apply(1, "pass")
    assert "hand 7C 7D 4S" in legal(match, 0)
    with pytest.raises(IllegalAction, match="not stronger than its hand before"):
        match.apply(0, "hand KC QD JH")
    assert all(brag_strength(cards(text[5:])) <= brag_strength(cards("8C 8D 4H"))
               for text in legal(match, 0) if text != "pass")  # fmt: skip


def test_ruling_1_an_equal_hand_may_follow() -> None:
    match = start("8C 8D 4H 8H 8S 4C", "AD")
    match.apply(0, "hand 8C 8D 4H")
    match.apply(1, "pass")
    assert "hand 4C 8H 8S" in legal(match, 0)


def test_ruling_1_no_decision_has_more_than_287_actions() -> None:
    match = start(*SUITS)
    assert [len(legal(match, seat)) for seat in range(4)] == [287] * 4


def test_ruling_2_a_seat_may_lay_fewer_hands_than_it_could() -> None:
    match = start(*SUITS)
    for seat in range(4):
        match.apply(seat, "pass")
    assert [legal(match, seat) for seat in range(4)] == [["pass"]] * 4


def test_ruling_2_a_strong_hand_that_was_kept_cannot_be_laid_any_more() -> None:
    match = start("3C 3D 3H 8C 8D 4H", "AD")
    match.apply(0, "hand 8C 8D 4H")
    match.apply(1, "pass")
    assert "hand 3C 3D 3H" not in legal(match, 0)


def test_ruling_3_ace_two_three_beats_ace_king_queen() -> None:
    assert points(played(["AC 2D 3H"], ["AS KD QH"])) == (1, 0)
    assert points(played(["KC QD JH"], ["AS KD QH"])) == (0, 1)


def test_ruling_4_nobody_scores_for_equal_strongest_hands() -> None:
    match = played(["KC QD JH"], ["KD QH JS"], ["4C 5D 6H"])
    assert points(match) == (0, 0, 0)
    assert told(match, 0, "no-winner") == [(None, 1), (None, 2), (None, 3), (None, 4)]


def test_ruling_4_equal_hands_below_the_strongest_do_not_matter() -> None:
    assert points(played(["KC QD JH"], ["KD QH JS"], ["AC AD AH"])) == (0, 0, 1)


def test_ruling_5_a_crash_scores_one_point_more() -> None:
    match = played(FIRST, BEATEN)
    assert points(match) == (5, 0)
    assert told(match, 1, "crash") == [(0,)]


def test_ruling_5_three_hands_and_a_tie_are_no_crash() -> None:
    match = played(FIRST, TIED)
    assert points(match) == (3, 0)
    assert told(match, 1, "crash") == []


def test_ruling_6_four_of_a_rank_are_a_prial_and_a_card_for_another_hand() -> None:
    match = start("9C 9D 9H 9S 4C 4D", "AD")
    match.apply(0, "hand 9C 9D 9H")
    match.apply(1, "pass")
    assert "hand 4C 4D 9S" in legal(match, 0)


def test_ruling_7_a_hand_is_at_least_a_pair(seed: int) -> None:
    match = CRASH.start(deals=SeededDeals(f"{seed}"))
    for seat in range(4):
        held = combinations(seen(match, seat, "hand", seat), 3)
        pairs = brag_strength(cards("2C 2D 3C"))
        assert legal(match, seat) == [
            *[f"hand {' '.join(three)}" for three in held if brag_strength(three) >= pairs],
            "pass",
        ]


@pytest.mark.parametrize("text", ["AC 2D KH", "2C 3C 5D"])
def test_ruling_7_three_cards_without_a_pair_are_no_hand(text: str) -> None:
    assert f"hand {in_order(text)}" not in legal(start(text, "AD"), 0)


def test_ruling_8_cards_not_dealt_are_never_shown(seed: int) -> None:
    match = CRASH.start(players=2, deals=SeededDeals(f"{seed}"))
    for _ in decisions(match, Random(seed)):
        assert match.observe(0).zone("rest").hidden == 26
    assert (seen(match, 0, "rest"), match.observe(0).zone("rest").hidden) == ((), 26)


def test_ruling_9_a_target_ends_the_match_after_the_deal_that_reaches_it() -> None:
    match = start(" ".join(FIRST), " ".join(BEATEN), deals=3, target=5)
    lay(match, FIRST, BEATEN)
    assert match.result is not None
    assert (match.result.scores, match.result.ranks) == ([5, 0], [1, 2])
    assert match.result.reason == "target"


def test_ruling_9_the_number_of_deals_limits_a_match_with_a_target() -> None:
    match = start("AC", "AD", deals=3, target=5)
    for _ in range(3):
        lay(match, [], [])
    assert match.result is not None
    assert (match.result.ranks, match.result.reason) == ([1, 1], "played-out")


def test_ruling_10_all_seats_choose_in_all_four_steps_even_those_that_can_only_pass() -> None:
    match = start(*SUITS)
    assert match.ask_forced
    for step in range(1, 5):
        assert match.observe(0).facts["step"] == step
        assert match.to_act == (0, 1, 2, 3)
        for seat in range(4):
            match.apply(seat, "pass")
    assert match.result is not None


# Examples -----------------------------------------------------------------------------------------


def test_example_3_after_the_lowest_running_flush_a_flush_may_follow() -> None:
    match = start(*SUITS)
    for seat, suit in enumerate("CDHS"):
        match.apply(seat, f"hand 2{suit} 3{suit} 4{suit}")
    assert "hand 5H 6H 8H" in legal(match, 2)
    assert "hand 5H 6H 7H" not in legal(match, 2)


def test_example_4_best_is_compared_with_best() -> None:
    match = played(FIRST, ONE_ALL)
    assert points(match) == (1, 3)
    assert told(match, 0, "win") == [
        (0, 1, "prial"), (1, 2, "prial"), (1, 3, "run"), (1, 4, "pair")
    ]  # fmt: skip


def test_example_5_if_everybody_passes_nobody_scores() -> None:
    match = played([], [], [])
    assert points(match) == (0, 0, 0)
    assert match.result is not None
    assert match.result.ranks == [1, 1, 1]


# The view of a seat -------------------------------------------------------------------------------


def test_until_the_last_step_nothing_tells_what_others_have_laid_or_that_they_passed() -> None:
    laying, passing = start(" ".join(FIRST), "AD"), start(" ".join(FIRST), "AD")
    for step in range(3):
        laying.apply(0, f"hand {in_order(FIRST[step])}")
        passing.apply(0, "pass")
        for match in (laying, passing):
            match.apply(1, "pass")
        assert_looks_equal(laying, passing, 1)


def test_a_seat_sees_its_own_hands_and_its_unused_cards_first() -> None:
    match = start(" ".join(FIRST), "AD")
    choose(match, "hand 3C 3D 3H", "pass")
    assert seen(match, 0, "hand-1", 0) == cards("3C 3D 3H")
    assert seen(match, 0, "hand", 0)[-3:] == cards("3C 3D 3H")
    with pytest.raises(KeyError):
        match.observe(1).zone("hand-1", 0)
    assert match.observe(1).zone("hand", 0).hidden == 13


def test_after_the_last_step_all_hands_are_shown_and_no_other_card() -> None:
    match = played(FIRST, BEATEN)
    for viewer in (0, 1):
        shown = [(seat, number, " ".join(map(str, three)))
                 for seat, number, *three in told(match, viewer, "show")]  # fmt: skip
        assert shown == [
            *[(0, number, in_order(text)) for number, text in enumerate(FIRST, 1)],
            *[(1, number, in_order(text)) for number, text in enumerate(BEATEN, 1)],
        ]
        assert len(seen(match, viewer, "shown", 0)) == 12
    assert len(seen(match, 1, "hand", 0)) == 12
    assert match.observe(1).zone("hand", 0).hidden == 1


def test_the_hands_of_the_deal_before_stay_in_view() -> None:
    match = start(" ".join(FIRST), " ".join(BEATEN), deals=2)
    lay(match, FIRST, BEATEN)
    assert seen(match, 1, "shown", 0)[:3] == cards("3C 3D 3H")
    assert seen(match, 1, "hand", 0) == ()


# Redealing what a seat cannot see -----------------------------------------------------------------


def test_other_seats_can_have_laid_any_hand_or_passed() -> None:
    match = start(" ".join(FIRST), "AD", deals=1)
    choose(match, "hand 3C 3D 3H", "pass")
    twins = redealt(match, 1, times=1000)
    assert possible(twins, "hand", 0) == unseen(match, 1)
    laid = {seen(twin, None, "hand-1", 0) for twin in twins}
    assert () in laid
    assert len(laid) > 50


def test_at_the_end_only_cards_that_were_not_shown_are_redealt() -> None:
    match = played(FIRST, BEATEN)
    twins = redealt(match, 1, times=100)
    assert {seen(twin, None, "hand-2", 0) for twin in twins} == {cards(in_order(FIRST[1]))}
    assert len({seen(twin, None, "hand", 0) for twin in twins}) > 10


# In every match -----------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_deal_has_four_decisions_a_seat_and_at_most_five_points(players: int, seed: int) -> None:
    match = CRASH.start(players=players, deals=SeededDeals(f"{seed}"))
    assert len([*decisions(match, Random(seed))]) == 20 * 4 * players
    totals = [(0,) * players, *[score[1:] for score in told(match, None, "score")]]
    for before, after in pairwise(totals):
        assert 0 <= sum(map(int, after)) - sum(map(int, before)) <= 5  # type: ignore[call-overload]


def test_the_format_of_ladders_is_twenty_deals_for_four() -> None:
    match = CRASH.start()
    assert (match.players, match.options) == (4, {"deals": 20, "target": 0})
