"""California Speed: each ruling and each example, and the invariants of every match."""

from collections import deque
from random import Random

import pytest

from sevens_games import IllegalAction, Match, SeededDeals, StackedDeals, WrongDeals, load
from sevens_games.cards.standard import DECK
from tests.support.game_tables import (
    assert_looks_equal,
    cards,
    decisions,
    hands,
    legal,
    seen,
    stack,
    told,
)

SPEED = load("california-speed")

# The four cards that are laid first do not match, in each hand; nor does the fifth.
NO_MATCH = ("2C 3C 4C 5C TC", "6C 7C 8C 9C JC")
# One pair, on cells 1 and 5. The next cards match nothing there; the next layout has matches.
ONE_PAIR = ("AC 2C 3C 4C TC JC JD JH", "AD 5C 6C 7C QC KC KD KH")
# Both seats keep laying pairs on cells 1 and 5, down to the last cards.
TO_THE_END = (
    "AC 2C 3C 4C AH 2H 3H 4H 5H 6H 7H 8C 8H 9C 9H TC TH JC JH QC QH KC KH 2D 3D 4D",
    "AD 5C 6C 7C AS 2S 3S 4S 5S 6S 7S 8D 8S 9D 9S TD TS JD JS QD QS KD KS 5D 6D 7D",
)
# Each hand has its ranks in order, twice; the other one begins six ranks higher, so that no layout
# ever has two equal cards.
NEVER_A_MATCH = (
    " ".join(f"{rank}{suit}" for suit in "CD" for rank in "A23456789TJQK"),
    " ".join(f"{rank}{suit}" for suit in "HS" for rank in "789TJQKA23456"),
)


def start(*texts: str, picks: tuple[int, ...] = (), **options: int | str) -> Match:
    """A match in which the hands begin with these cards, top first."""
    order = stack(DECK, hands(*texts, each=26))
    return SPEED.start(options=options, deals=StackedDeals([order], picks))


def tick(match: Match, first: str, second: str) -> None:
    match.apply(0, first)
    match.apply(1, second)


def both_wait(match: Match, ticks: int) -> None:
    for _ in range(ticks):
        tick(match, "wait", "wait")


def tops(match: Match) -> str:
    return " ".join(seen(match, 0, f"cell-{cell}", (cell - 1) // 4)[-1] for cell in range(1, 9))


def pile(match: Match, cell: int) -> tuple[str, ...]:
    return seen(match, 1, f"cell-{cell}", (cell - 1) // 4)


def open_cells(match: Match) -> tuple[object, ...]:
    found = match.observe(0).facts["open"]
    assert isinstance(found, tuple)
    for seat in match.to_act:
        assert legal(match, seat) == [*[f"cover {cell}" for cell in found], "wait"]
    return found


def hand(match: Match, seat: int) -> tuple[str, ...]:
    return seen(match, None, "hand", seat)


def fact(match: Match, name: str) -> object:
    return match.observe(0).facts[name]


# Setup and dealing --------------------------------------------------------------------------------


def test_the_deck_is_dealt_one_card_at_a_time_seat_0_first() -> None:
    order = stack(DECK, hands(*ONE_PAIR, each=26))
    match = SPEED.start(deals=StackedDeals([order]))
    assert match.deals.shuffles == [order]
    for seat in (0, 1):
        own = [card for cell in range(4 * seat + 1, 4 * seat + 5) for card in pile(match, cell)]
        assert [*own, *hand(match, seat)] == order[seat::2]


def test_each_seat_lays_its_four_top_cards_on_its_own_side_lowest_cell_first() -> None:
    match = start(*ONE_PAIR)
    assert tops(match) == "AC 2C 3C 4C AD 5C 6C 7C"
    assert told(match, 0, "layout") == [(None, 1, *cards("AC 2C 3C 4C AD 5C 6C 7C"))]
    assert [len(hand(match, seat)) for seat in (0, 1)] == [22, 22]


def test_both_seats_decide_in_each_tick_and_may_cover_open_cells_or_wait() -> None:
    match = start(*ONE_PAIR)
    assert list(match.to_act) == [0, 1]
    assert legal(match, 0) == legal(match, 1) == ["cover 1", "cover 5", "wait"]
    with pytest.raises(IllegalAction, match="covers an open cell"):
        match.apply(0, "cover 2")
    match.apply(1, "wait")
    assert match.to_act == (0,)


def test_three_and_four_of_a_kind_and_two_pairs_open_all_their_cells() -> None:
    match = start("AC AD 2C 3C", "AH AS 2D 4C")
    assert open_cells(match) == (1, 2, 3, 5, 6, 7)


def test_a_layout_without_a_match_is_picked_up_at_once() -> None:
    match = start(NO_MATCH[0] + " TD QC KC", NO_MATCH[1] + " JD QD KD")
    assert fact(match, "layouts") == 2
    assert tops(match) == "TC TD QC KC JC JD QD KD"
    assert hand(match, 0)[-4:] == cards("2C 3C 4C 5C")
    assert hand(match, 1)[-4:] == cards("6C 7C 8C 9C")
    assert told(match, 1, "pick-up") == [(0, *cards("2C 3C 4C 5C")), (1, *cards("6C 7C 8C 9C"))]


def test_the_whole_match_is_one_deal(seed: int) -> None:
    match = SPEED.start(deals=SeededDeals(f"speed {seed}"))
    for _ in decisions(match, Random(seed)):
        pass
    chance = SeededDeals(f"speed {seed}")
    chance.begin_deal()
    chance.shuffle(DECK)
    for _ in match.deals.picks:
        chance.pick(2)
    assert match.deals.shuffles == chance.shuffles
    assert match.deals.picks == chance.picks


# Rulings ------------------------------------------------------------------------------------------


def test_ruling_1_the_other_card_of_a_broken_match_stays_open_until_it_is_covered() -> None:
    match = start(*ONE_PAIR)
    tick(match, "cover 1", "wait")
    assert tops(match) == "TC 2C 3C 4C AD 5C 6C 7C"
    assert open_cells(match) == (5,)
    tick(match, "cover 5", "wait")
    assert fact(match, "layouts") > 1  # type: ignore[operator]


def test_ruling_1_a_cell_that_is_covered_is_no_longer_open() -> None:
    match = start("AC AD 2C 3C 9C", "AH 4C 5C 6C 8C")
    tick(match, "cover 1", "cover 5")
    assert open_cells(match) == (2,)


def test_ruling_2_cells_of_either_side_may_be_covered_and_the_side_picks_the_card_up() -> None:
    match = start(*ONE_PAIR)
    tick(match, "cover 5", "cover 1")
    picked_up = [cards for _, *cards in told(match, 0, "pick-up")[:2]]
    assert picked_up == [list(cards("AC QC 2C 3C 4C")), list(cards("AD TC 5C 6C 7C"))]


def test_ruling_3_a_tick_lays_at_most_one_card_of_each_seat() -> None:
    match = start(*ONE_PAIR)
    tick(match, "cover 1", "wait")
    assert [len(hand(match, seat)) for seat in (0, 1)] == [21, 22]
    match = start("AC AD 2C 3C TC", "AH AS 2D 4C JC")
    tick(match, "cover 1", "cover 6")
    assert [len(hand(match, seat)) for seat in (0, 1)] == [21, 21]
    assert (pile(match, 1), pile(match, 6)) == (cards("AC TC"), cards("AS JC"))


@pytest.mark.parametrize("contest", ["coin", "clock"])
@pytest.mark.parametrize("winner", [0, 1])
def test_ruling_4_a_pick_decides_who_gets_a_cell_that_both_chose(contest: str, winner: int) -> None:
    match = start(*ONE_PAIR, picks=(winner,), contest=contest)
    tick(match, "cover 5", "cover 5")
    assert match.deals.picks == [winner]
    assert pile(match, 5) == ("AD", ("TC", "QC")[winner])
    assert hand(match, 1 - winner)[0] == ("TC", "QC")[1 - winner]
    assert len(hand(match, winner)) == 21
    assert told(match, 0, "contest") == [(winner, 5)]
    assert told(match, 0, "lay") == [(winner, 5, ("TC", "QC")[winner])]
    assert open_cells(match) == (1,)


def test_ruling_4_nothing_else_asks_for_a_pick() -> None:
    match = start(*ONE_PAIR)
    tick(match, "wait", "wait")
    tick(match, "cover 1", "wait")
    assert match.deals.picks == []
    match = start(*ONE_PAIR)
    match.apply(0, "cover 1")
    with pytest.raises(WrongDeals):
        match.apply(1, "cover 1")


def test_ruling_5_a_card_laid_while_its_equal_is_covered_does_not_match_it() -> None:
    match = start("AC 2C 3C 4C 2D", "AH 2S 6C 7C QC")
    assert open_cells(match) == (1, 2, 5, 6)
    tick(match, "cover 2", "cover 6")
    assert tops(match) == "AC 2D 3C 4C AH QC 6C 7C"
    assert open_cells(match) == (1, 5)


def test_ruling_5_two_equal_cards_laid_in_one_tick_match() -> None:
    match = start("AC 2C 3C 4C TC", "AH 5C 6C 7C TD")
    tick(match, "cover 1", "cover 5")
    assert open_cells(match) == (1, 5)


def test_ruling_6_three_ticks_in_a_row_in_which_both_wait_end_the_layout() -> None:
    match = start(*ONE_PAIR)
    both_wait(match, 2)
    assert (fact(match, "layouts"), fact(match, "waits")) == (1, 2)
    both_wait(match, 1)
    assert told(match, 0, "pick-up")[:2] == [(0, *cards("AC 2C 3C 4C")), (1, *cards("AD 5C 6C 7C"))]
    assert (pile(match, 1), pile(match, 5)) == (("TC",), ("QC",))
    assert fact(match, "waits") == 0


def test_ruling_6_any_card_laid_starts_the_count_again() -> None:
    match = start(*ONE_PAIR)
    both_wait(match, 2)
    tick(match, "cover 1", "wait")
    assert fact(match, "waits") == 0
    both_wait(match, 2)
    tick(match, "wait", "cover 5")
    assert told(match, 0, "pick-up")[0] == (0, *cards("AC TC 2C 3C 4C"))


def test_ruling_6_one_seat_waiting_is_no_waiting_tick() -> None:
    match = start("AC AD 2C 3C TC", "AH AS 2D 4C JC")
    for cell in (1, 2):
        tick(match, "wait", f"cover {cell}")
        assert fact(match, "waits") == 0
    assert fact(match, "layouts") == 1


def test_ruling_7_piles_go_under_the_hand_lowest_cell_and_first_card_first() -> None:
    match = start("AC 2C 3C 4C TC 9C 9D", "AD 5C 6C 7C TD QC KC KD")
    before = hand(match, 0)[1:], hand(match, 1)[2:]
    tick(match, "cover 1", "cover 5")
    tick(match, "wait", "cover 1")
    both_wait(match, 3)
    assert fact(match, "layouts") == 2
    for seat, picked_up in ((0, "AC TC QC 2C 3C 4C"), (1, "AD TD 5C 6C 7C")):
        laid = [card for cell in range(4 * seat + 1, 4 * seat + 5) for card in pile(match, cell)]
        assert (*laid, *hand(match, seat)) == (*before[seat], *cards(picked_up))


def last_cards(*picks: int) -> Match:
    """Each hand has one card left, and cells 1 and 5 are open."""
    match = start(*TO_THE_END, picks=picks)
    for _ in range(21):
        tick(match, "cover 1", "cover 5")
    assert (hand(match, 0), hand(match, 1)) == (("4D",), ("7D",))
    assert {1, 5} <= set(open_cells(match))
    return match


def test_ruling_8_covering_with_the_last_card_wins() -> None:
    match = last_cards()
    tick(match, "wait", "cover 1")
    assert match.result is not None
    assert (match.result.scores, match.result.ranks) == ([1, 0], [2, 1])
    assert match.result.reason == "emptied"


def test_ruling_8_example_6_both_last_cards_at_once_are_a_tie() -> None:
    match = last_cards()
    tick(match, "cover 1", "cover 5")
    assert match.result is not None
    assert (match.result.scores, match.result.ranks) == ([0, 0], [1, 1])


def test_ruling_8_example_6_for_the_same_cell_the_pick_decides_the_match() -> None:
    match = last_cards(1)
    tick(match, "cover 1", "cover 1")
    assert match.result is not None
    assert (match.result.scores, match.result.ranks) == ([1, 0], [2, 1])


def test_ruling_8_a_layout_never_empties_a_hand(seed: int) -> None:
    rng = Random(seed)
    for number in range(10):
        match = SPEED.start(deals=SeededDeals(f"{seed}/{number}"))
        for _ in decisions(match, rng):
            assert all(hand(match, seat) for seat in (0, 1))


def test_ruling_9_without_any_match_all_layouts_are_laid_without_a_decision() -> None:
    match = start(*NEVER_A_MATCH, max_layouts=1000)
    assert match.result is not None
    assert (match.result.scores, match.result.ranks) == ([26, 26], [1, 1])
    assert match.result.reason == "limit"
    assert len(told(match, 0, "layout")) == fact(match, "layouts") == 1000
    assert open_cells(match) == ()


def test_ruling_9_a_match_of_one_layout_without_a_match_is_over_at_once() -> None:
    match = start(*NO_MATCH, max_layouts=1)
    assert match.to_act == ()
    assert match.result is not None
    assert match.result.scores == [26, 26]
    assert match.observe(0).zone("cell-1", 0).cards == ()


def test_ruling_9_example_5_at_the_limit_the_fewer_cards_win() -> None:
    match = start("AC AD 3C 4C", "8H 5C 6C 7C QC KC", max_layouts=1)
    tick(match, "wait", "cover 1")
    tick(match, "wait", "cover 2")
    assert match.result is not None
    assert (match.result.scores, match.result.ranks) == ([28, 24], [2, 1])
    assert match.result.reason == "limit"


def test_ruling_10_a_match_is_one_game_of_at_most_sixty_layouts() -> None:
    match = SPEED.start()
    assert (match.players, match.options) == (2, {"contest": "coin", "max_layouts": 60})


# Examples -----------------------------------------------------------------------------------------


def test_example_1_a_pair_covered_crosswise_and_the_next_layout() -> None:
    match = start(*ONE_PAIR)
    assert open_cells(match) == (1, 5)
    tick(match, "cover 5", "cover 1")
    assert hand(match, 0)[-5:] == cards("AC QC 2C 3C 4C")
    assert hand(match, 1)[-5:] == cards("AD TC 5C 6C 7C")
    assert (pile(match, 1), pile(match, 5)) == (("JC",), ("KC",))


def test_example_2_a_contest_and_a_card_left_alone() -> None:
    match = start("AC AD 3C 4C TC", "AH 5C 6C 7C QC", picks=(1, 0))
    tick(match, "cover 1", "cover 1")
    assert pile(match, 1) == cards("AC QC")
    assert hand(match, 0)[0] == "TC"
    tick(match, "cover 2", "cover 2")
    assert pile(match, 2) == cards("AD TC")
    assert open_cells(match) == (5,)


def test_example_3_a_card_laid_can_match_another() -> None:
    match = start("AC 2C 3C 4C 2D", "AH 5C 6C 7C")
    tick(match, "cover 5", "wait")
    assert open_cells(match) == (1, 2, 5)


# Options ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("layouts", [0, 1001, True, "60"])
def test_the_limit_of_layouts_is_an_integer_from_1_to_1000(layouts: object) -> None:
    with pytest.raises(ValueError, match="max_layouts must be an integer from 1 to 1000"):
        SPEED.start(options={"max_layouts": layouts})  # type: ignore[dict-item]


def test_a_contest_is_decided_by_coin_or_clock() -> None:
    with pytest.raises(ValueError, match="contest must be one of coin, clock"):
        SPEED.start(options={"contest": "speed"})


# Information --------------------------------------------------------------------------------------


def test_no_seat_sees_a_hand_not_even_its_own() -> None:
    match = start(*ONE_PAIR)
    both_wait(match, 3)
    for viewer in (0, 1):
        for owner in (0, 1):
            zone = match.observe(viewer).zone("hand", owner)
            assert (zone.cards, zone.hidden) == ((), len(hand(match, owner)))
    assert [len(hand(match, seat)) for seat in (0, 1)] == [22, 22]


def test_after_the_end_a_hand_is_still_hidden() -> None:
    match = last_cards()
    tick(match, "wait", "cover 1")
    assert match.observe(0).zone("hand", 0).hidden == 1
    assert hand(match, 0) == ("4D",)


def test_piles_are_public_down_to_their_first_card() -> None:
    match = start(*TO_THE_END)
    for _ in range(4):
        tick(match, "cover 1", "cover 5")
    for viewer in (0, 1, None):
        assert seen(match, viewer, "cell-1", 0) == cards("AC AH 2H 3H 4H")
        assert seen(match, viewer, "cell-5", 1) == cards("AD AS 2S 3S 4S")


class Memory:
    """The hands as known to somebody who has seen all events: empty for cards never shown."""

    def __init__(self) -> None:
        self.hands = [deque([""] * 26), deque([""] * 26)]
        self.heard = 0

    def listen(self, match: Match, seat: int) -> None:
        for event in match.events(seat, since=self.heard):
            self.heard += 1
            if event.verb == "layout":
                for known in self.hands:
                    for _ in range(4):
                        known.popleft()
            if event.verb == "lay":
                self.hands[event.actor or 0].popleft()
            if event.verb == "pick-up":
                self.hands[event.actor or 0] += map(str, event.arguments)


def test_whoever_remembers_the_events_knows_all_but_the_cards_never_shown(seed: int) -> None:
    rng = Random(seed)
    match = SPEED.start(deals=SeededDeals(f"{seed}"))
    memory = Memory()
    for _ in decisions(match, rng):
        memory.listen(match, 1)
        for seat in (0, 1):
            known, held = memory.hands[seat], hand(match, seat)
            assert len(known) == len(held)
            assert all(card in ("", there) for card, there in zip(known, held, strict=True))


# Redealing what a seat cannot see -----------------------------------------------------------------


def test_a_redeal_leaves_remembered_cards_where_they_are_and_mixes_the_others(seed: int) -> None:
    rng = Random(seed)
    match = SPEED.start(deals=SeededDeals(f"{seed}"))
    memory = Memory()
    for seat in decisions(match, rng):
        memory.listen(match, seat)
        redealt = match.redeal(seat, rng)
        assert_looks_equal(match, redealt, seat)
        for owner in (0, 1):
            known, held = memory.hands[owner], hand(redealt, owner)
            assert all(card in ("", there) for card, there in zip(known, held, strict=True))
        assert sorted([*hand(match, 0), *hand(match, 1)]) == sorted(
            [*hand(redealt, 0), *hand(redealt, 1)]
        )


# In every match -----------------------------------------------------------------------------------


def test_at_the_limit_scores_sum_to_52_and_else_a_hand_is_empty(seed: int) -> None:
    rng = Random(seed)
    for layouts in (1, 2, 5, 60):
        for number in range(40 if layouts < 60 else 5):
            match = SPEED.start(
                options={"max_layouts": layouts}, deals=SeededDeals(f"{seed}/{number}")
            )
            for _ in decisions(match, rng):
                assert fact(match, "layouts") <= layouts  # type: ignore[operator]
            assert match.result is not None
            if match.result.reason == "limit":
                assert sum(match.result.scores) == 52
                assert fact(match, "layouts") == layouts
            else:
                assert min(match.result.scores) == 0
