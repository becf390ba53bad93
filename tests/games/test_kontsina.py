"""Kontsina: each ruling and each example, and the invariants of every match."""

from collections import Counter
from itertools import combinations
from random import Random

import pytest

from sevens_games import IllegalAction, Match, SeededDeals, StackedDeals, load
from sevens_games.cards.standard import DECK
from tests.support.game_redeals import always, possible, redealt, unseen
from tests.support.game_tables import (
    ANY,
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

KONTSINA = load("kontsina")

PLAYS = 48  # in a deal
NUMBER = {rank: value for value, rank in enumerate("A23456789T", start=1)}

# Thirteen captures by the first seat, of 26 cards; then one by the second, which takes the rest.
RANKS = "A23456789TJQK"
PAIRS = [
    "match AS AH",
    *[text for rank in RANKS[1:] for text in (f"lay {rank}H", f"match {rank}S {rank}H")],
    "match KD KC",
]
TABLE_OF_PAIRS = "AH KC QC JC"


def deck(table: str, script: list[str], players: int = 2) -> list[str]:
    """Returns a deck that deals these cards to the table, and to each seat the cards it plays in
    the script. The k-th card dealt to the hands is the k-th played."""
    plays = [text.split()[1] for text in script if not text.startswith("take")]
    plays += [ANY] * (PLAYS - len(plays))
    on_table = [*cards(table), *[ANY] * (4 - len(cards(table)))]
    return stack(DECK, plays[: 4 * players], on_table, plays[4 * players :])


def start(*shuffles: list[str], players: int = 2, target: int = 21) -> Match:
    options = {"target": target}
    return KONTSINA.start(players=players, options=options, deals=StackedDeals(shuffles))


def position(table: str, *in_hand: str, players: int = 2) -> Match:
    """Returns the first turn of a match with these cards on the table and in the hands."""
    by_seat = [*in_hand, *[""] * (players - len(in_hand))]
    on_table = [*cards(table), *[ANY] * (4 - len(cards(table)))]
    return start(stack(DECK, hands(*by_seat, each=4), on_table), players=players)


def after(table: str, *script: str, players: int = 2) -> Match:
    """Returns a match after these choices."""
    match = start(deck(table, [*script], players), players=players)
    choose(match, *script)
    return match


def lay_the_rest(match: Match) -> None:
    """Lays the other cards of this deal; nobody captures any more."""
    deals = len(match.deals.shuffles)
    while match.to_act and len(match.deals.shuffles) == deals:
        choose(match, legal(match, match.to_act[0])[0])  # laying comes first


def played(table: str, *script: str, players: int = 2, target: int = 1) -> Match:
    """Plays the first deal to its end: after the script, everybody lays. With a target of 1 it is
    usually the whole match; if not, arbitrary deals follow."""
    match = start(deck(table, [*script], players), list(DECK), players=players, target=target)
    choose(match, *script)
    lay_the_rest(match)
    return match


def points_told(match: Match) -> list[list[object]]:
    return [points for _, *points in told(match, None, "score")]


def combinations_of(match: Match, card: str) -> list[tuple[str, ...]]:
    """Returns all combinations that the card can capture, found by trying all sets of table
    cards."""
    numbers = [other for other in seen(match, None, "table") if other[0] in NUMBER]
    return [
        together
        for count in range(2, 8)  # seven at most: AAAA222 makes ten
        for together in combinations(numbers, count)
        if card[0] in NUMBER and sum(NUMBER[c[0]] for c in together) == NUMBER[card[0]]
    ]


# Setup and dealing --------------------------------------------------------------------------------


def test_four_cards_go_to_each_seat_one_at_a_time_from_the_seat_after_the_dealer() -> None:
    top = cards("AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AD 2D 3D")
    match = start(stack(DECK, top), players=3)
    assert match.observe(0).facts["dealer"] == 2
    assert seen(match, 0, "hand", 0) == cards("AC 4C 7C TC")
    assert seen(match, 1, "hand", 1) == cards("2C 5C 8C JC")
    assert seen(match, 2, "hand", 2) == cards("3C 6C 9C QC")
    assert seen(match, 0, "table") == cards("KC AD 2D 3D")
    assert match.to_act == (0,)


def test_hands_and_table_are_listed_in_canonical_order() -> None:
    match = position("KS 2D AC 5H", "QS JD 3D 9C")
    assert seen(match, 0, "hand", 0) == cards("9C 3D JD QS")
    assert seen(match, 0, "table") == cards("AC 2D 5H KS")
    choose(match, "lay JD")
    assert seen(match, 0, "table") == cards("AC 2D JD 5H KS")


@pytest.mark.parametrize(("players", "rounds"), [(2, 6), (3, 4), (4, 3)])
def test_new_hands_come_from_the_stock_until_it_comes_out_even(players: int, rounds: int) -> None:
    match = start(list(DECK), list(DECK), players=players)
    for left in range(rounds - 1, -1, -1):
        assert match.to_act == (0,), "the seat after the dealer plays first each time"
        assert [len(seen(match, None, "hand", seat)) for seat in range(players)] == [4] * players
        assert match.observe(0).zone("stock").hidden == 4 * players * left
        in_stock = seen(match, None, "stock")
        for _ in range(4 * players):
            choose(match, legal(match, match.to_act[0])[0])
        if left:
            for seat in range(players):
                dealt = in_stock[seat : 4 * players : players]
                assert seen(match, None, "hand", seat) == tuple(sorted(dealt, key=DECK.index))
    assert match.observe(0).facts["deal"] == 2


def test_the_table_gets_no_cards_when_new_hands_are_dealt() -> None:
    match = start(list(DECK), players=4)
    for _ in range(16):
        choose(match, legal(match, match.to_act[0])[0])
    assert len(seen(match, 0, "table")) == 4 + 16


def test_the_deal_passes_to_the_next_seat_and_the_next_deal_follows_at_once() -> None:
    match = start(*[list(DECK)] * 5, players=3)
    for deal, dealer in enumerate((2, 0, 1, 2), start=1):
        assert (match.observe(1).facts["deal"], match.observe(1).facts["dealer"]) == (deal, dealer)
        assert match.to_act == ((dealer + 1) % 3,)
        assert len(match.deals.shuffles) == deal
        lay_the_rest(match)


def test_the_seat_after_the_dealer_gets_the_first_card_of_later_deals_too() -> None:
    match = start(list(DECK), stack(DECK, cards("KS"), [ANY] * 7, cards("QS")))
    lay_the_rest(match)
    assert match.observe(1).facts["dealer"] == 0
    assert "KS" in seen(match, 1, "hand", 1)
    assert match.to_act == (1,)
    assert "QS" in seen(match, 1, "table")


def test_a_new_deal_forgets_what_was_played_and_captured() -> None:
    match = start(deck("2D", ["match 2C 2D"]), list(DECK))
    choose(match, "match 2C 2D")
    assert match.observe(1).facts["captured_last"] == 0
    lay_the_rest(match)
    for viewer in (0, 1, None):
        view = match.observe(viewer)
        assert view.facts["captured_last"] == -1
        assert len(view.zone("table").cards) == 4
        for seat in (0, 1):
            assert view.zone("pile", seat).cards == view.zone("played", seat).cards == ()


def test_each_deal_asks_for_one_shuffle_of_the_deck_with_its_own_chance(seed: int) -> None:
    match = check_one_shuffle_a_deal(KONTSINA, DECK, seed)
    assert len(match.deals.shuffles) == match.observe(None).facts["deal"]


# Flow ---------------------------------------------------------------------------------------------


def test_a_turn_is_one_card_and_then_it_is_the_next_seats() -> None:
    match = position("5D", "5C", players=3)
    choose(match, "match 5C 5D")
    assert match.to_act == (1,)
    choose(match, legal(match, 1)[0])
    assert match.to_act == (2,)
    choose(match, legal(match, 2)[0])
    assert match.to_act == (0,)


def test_a_laid_card_goes_to_the_table_and_can_be_captured() -> None:
    match = after("AC", "lay 9H", "match 9S 9H")
    assert seen(match, 0, "pile", 1) == cards("9H 9S")
    assert "9H" not in seen(match, 0, "table")


def test_a_match_captures_both_cards() -> None:
    match = after("QD 2C 3C 4C", "match QH QD")
    assert seen(match, 1, "pile", 0) == cards("QD QH")
    assert seen(match, 1, "table") == cards("2C 3C 4C")
    assert match.observe(1).facts["captured_last"] == 0
    assert "QH" not in seen(match, None, "hand", 0)


def test_a_combination_captures_the_card_and_all_cards_taken() -> None:
    match = after("2C 3D 5H KS", "combine TC", "take 2C", "take 3D", "take 5H")
    assert seen(match, 1, "pile", 0) == cards("2C 3D 5H TC")
    assert seen(match, 1, "table") == cards("KS")
    assert told(match, 1, "capture") == [(0, *cards("2C 3D 5H TC"))]
    assert match.to_act == (1,)


def test_while_a_seat_combines_the_card_stays_in_its_hand_and_those_taken_on_the_table() -> None:
    match = after("2C 3D 5H KS", "combine TC", "take 2C")
    for viewer in (0, 1, None):
        view = match.observe(viewer)
        assert view.zone("table").cards == cards("2C 3D 5H KS")
        assert view.zone("pile", 0).cards == view.zone("played", 0).cards == ()
        assert "TC" in view.zone("hand", 0).cards
        assert len(view.zone("hand", 0).cards) + view.zone("hand", 0).hidden == 4
        assert (view.facts["combining"], view.facts["taken"]) == ("TC", ("2C",))
        assert view.facts["phase"] == "take"


def test_a_combine_cannot_be_taken_back_and_nobody_acts_in_between() -> None:
    match = after("2C 3D 5H KS", "combine TC")
    assert match.to_act == (0,)
    assert legal(match, 0) == ["take 2C"]
    choose(match, "take 2C")
    assert match.to_act == (0,)
    assert legal(match, 0) == ["take 3D"]
    with pytest.raises(IllegalAction, match="canonical order"):
        match.apply(0, "lay TC")


def test_after_a_combination_nothing_is_being_combined() -> None:
    match = after("4D 5D", "combine 9C", "take 4D", "take 5D")
    facts = match.observe(0).facts
    assert (facts["combining"], facts["taken"], facts["phase"]) == ("", (), "play")


# Rulings ------------------------------------------------------------------------------------------


def test_ruling_1_a_card_that_matches_or_makes_a_sum_may_be_laid() -> None:
    match = position("5D 4D 9S JD", "9C")
    assert {"lay 9C", "match 9C 9S", "combine 9C"} <= set(legal(match, 0))
    choose(match, "lay 9C")
    assert seen(match, 0, "table") == cards("9C 4D 5D JD 9S")
    assert seen(match, 0, "pile", 0) == ()


def test_ruling_2_a_card_captures_one_match_or_one_combination() -> None:
    table = "3C 6C 4D 5D"
    match = after(table, "combine 9H", "take 3C", "take 6C")
    assert seen(match, 0, "pile", 0) == cards("3C 6C 9H")
    assert seen(match, 0, "table") == cards("4D 5D")
    match = after("9S 9D 4D 5D", "match 9H 9S")
    assert seen(match, 0, "pile", 0) == cards("9S 9H")
    assert seen(match, 0, "table") == cards("4D 5D 9D")


def test_ruling_3_one_card_of_equal_value_is_no_combination() -> None:
    match = position("9S KC QC JC", "9C")
    assert "match 9C 9S" in legal(match, 0)
    assert "combine 9C" not in legal(match, 0)
    match = after("9S 4D 5D KC", "combine 9C")
    assert legal(match, 0) == ["take 4D"], "the nine comes later, but is no part of a sum of nine"


def test_ruling_4_a_ten_is_a_number_card_and_an_ace_is_one() -> None:
    match = position("AH 9S KD QD", "TC KC AC JC")
    assert [text for text in legal(match, 0) if not text.startswith("lay")] == [
        *["match AC AH", "match KC KD", "combine TC"]
    ]
    match = position("AH 2C QD KD", "JC QC KC 3C")  # an ace is not eleven, nor fourteen
    assert [text for text in legal(match, 0) if text.startswith("combine")] == ["combine 3C"]


@pytest.mark.parametrize("face", ["JC", "QC", "KC"])
def test_ruling_4_face_cards_combine_nothing_and_are_in_no_combination(face: str) -> None:
    match = position("5D 6D JD KD", face, "AC AS")
    assert f"combine {face}" not in legal(match, 0)
    match = after("KD 4D 6D QS", "combine TC")
    assert legal(match, 0) == ["take 4D"]
    choose(match, "take 4D")
    assert legal(match, 0) == ["take 6D"]


def test_ruling_5_each_combination_has_one_way_of_being_named(seed: int) -> None:
    """With the cards chosen one by one, exactly the existing combinations can be named."""
    rng = Random(seed)
    looked_at = 0
    for number in range(3):
        match = KONTSINA.start(players=rng.choice([2, 3, 4]), deals=SeededDeals(f"{seed}/{number}"))
        for seat in decisions(match, rng):
            if match.observe(None).facts["phase"] == "take" or len(seen(match, 0, "table")) > 12:
                continue
            for card in seen(match, seat, "hand", seat):
                expected = combinations_of(match, card)
                assert (f"combine {card}" in legal(match, seat)) == bool(expected)
                if expected:
                    looked_at += 1
                    combining = match.clone()
                    combining.apply(seat, f"combine {card}")
                    assert Counter(named_from(combining, seat)) == Counter(expected)
    assert looked_at > 20


def named_from(match: Match, seat: int) -> list[tuple[str, ...]]:
    """Returns the combinations that can be named from here on."""
    if match.observe(None).facts["phase"] != "take":
        return [()]
    named = []
    for text in legal(match, seat):
        further = match.clone()
        further.apply(seat, text)
        done = not further.to_act or len(further.deals.shuffles) > len(match.deals.shuffles)
        rest = [()] if done else named_from(further, seat)
        named += [(text.removeprefix("take "), *others) for others in rest]
    return named


def test_ruling_6_clearing_the_table_brings_only_its_cards_and_the_next_seat_can_only_lay() -> None:
    match = after("2C 3D AH 4H", "combine TC", "take 2C", "take 3D", "take AH", "take 4H")
    assert seen(match, 0, "table") == ()
    assert len(seen(match, 0, "pile", 0)) == 5
    assert all(text.startswith("lay ") for text in legal(match, 1))
    assert match.observe(0).facts["totals"] == (0, 0)


# The first seat has 6 clubs, the second the 2C, and the third takes all the rest at the end.
CLUBS = [
    *["match 3C 3D", "lay 7D", "lay 2D"],
    *["match 4C 4D", "match 2C 2D", "lay AS"],
    *["match 5C 5D", "lay 8D", "lay KD"],
    *["match 6C 6D", "lay KS", "match KC KD"],
    *["match 7C 7D", "lay QS", "lay JS"],
    *["match 8C 8D", "lay QH", "match QC QH"],
]
TABLE_OF_CLUBS = "3D 4D 5D 6D"


def test_ruling_7_if_two_seats_have_most_clubs_nobody_scores_them() -> None:
    match = played(TABLE_OF_CLUBS, *CLUBS, players=3)
    assert points_told(match) == [[0, 1, 3]]  # the 2C; most cards and the TD
    with_one_club_less = [*CLUBS[:15], "lay 8C", *CLUBS[16:]]
    match = played(TABLE_OF_CLUBS, *with_one_club_less, players=3)
    assert points_told(match) == [[0, 1, 4]]


def test_ruling_7_if_two_seats_have_most_cards_nobody_scores_them() -> None:
    match = played(TABLE_OF_PAIRS, *PAIRS)
    assert [len(seen(match, 0, "pile", seat)) for seat in (0, 1)] == [26, 26]
    assert points_told(match) == [[0, 3]]  # most clubs, the 2C and the TD
    one_capture_less = [*PAIRS[:24], "lay KS", "match KD KC"]
    match = played(TABLE_OF_PAIRS, *one_capture_less)
    assert [len(seen(match, 0, "pile", seat)) for seat in (0, 1)] == [24, 28]
    assert points_told(match) == [[0, 5]]


def test_ruling_8_without_a_capture_in_the_deal_the_cards_are_nobodys() -> None:
    match = played("2C TD")
    assert points_told(match) == [[0, 0]]
    assert told(match, 0, "take-rest") == []
    assert match.observe(0).facts["deal"] == 2


def test_ruling_9_reaching_the_target_in_mid_deal_ends_nothing() -> None:
    match = start(deck("2D", ["match 2C 2D"]), target=1)
    choose(match, "match 2C 2D")  # the 2C alone is worth a point
    assert match.result is None
    assert match.to_act == (1,)
    assert match.observe(0).facts["totals"] == (0, 0)
    lay_the_rest(match)
    assert match.result is not None
    assert (match.result.scores, match.result.reason) == ([5, 0], "target")


def test_ruling_9_in_a_tie_break_all_seats_play_on_and_all_scores_count() -> None:
    match = at_23_to_23()
    sweep(match, 2)  # the third seat's 9 points become 14; the tie stands
    assert match.observe(0).facts["totals"] == (23, 23, 14)
    assert match.result is None


@pytest.mark.parametrize(("target", "reason"), [(1000, "limit"), (5, "target")])
def test_ruling_10_a_match_ends_after_40_deals_in_any_case(target: int, reason: str) -> None:
    last = stack(DECK, hands("", "2C", each=4, first=1), cards("2D"))
    match = start(*[list(DECK)] * 39, last, target=target)
    for _ in range(39):
        lay_the_rest(match)
    assert match.observe(0).facts["deal"] == 40
    choose(match, "match 2C 2D")
    assert match.result is None
    lay_the_rest(match)
    assert match.result is not None
    assert (match.result.scores, match.result.ranks) == ([0, 5], [2, 1])
    assert match.result.reason == reason


# Examples -----------------------------------------------------------------------------------------


def test_example_1_a_nine_can_match_or_combine() -> None:
    match = position("5D 4D 9S JD", "9C JC KC AC")
    lays = [f"lay {card}" for card in cards("AC 9C JC KC")]
    assert legal(match, 0) == [*lays, "match 9C 9S", "match JC JD", "combine 9C"]
    choose(match, "combine 9C")
    assert legal(match, 0) == ["take 4D"]
    choose(match, "take 4D")
    assert legal(match, 0) == ["take 5D"]
    choose(match, "take 5D")
    assert seen(match, 0, "pile", 0) == cards("4D 5D 9C")
    assert seen(match, 0, "table") == cards("JD 9S")


def test_example_2_a_four_goes_on_with_a_two_or_with_a_five() -> None:
    match = after("5D 4C 3S 2H", "combine 9C")
    assert legal(match, 0) == ["take 4C"]
    choose(match, "take 4C")
    assert legal(match, 0) == ["take 5D", "take 2H"]
    choose(match, "take 2H")
    assert legal(match, 0) == ["take 3S"]
    choose(match, "take 3S")
    assert seen(match, 0, "pile", 0) == cards("4C 2H 3S 9C")


def test_example_3_a_nine_captures_one_of_two_nines() -> None:
    match = position("9S 9H KC QC", "9D")
    assert [text for text in legal(match, 0) if "9D" in text] == [
        *["lay 9D", "match 9D 9H", "match 9D 9S"]
    ]
    choose(match, "match 9D 9H")
    assert seen(match, 0, "table") == cards("QC KC 9S")


def test_example_4_two_aces_make_a_two_and_an_ace_and_a_nine_make_a_ten() -> None:
    match = position("AH AD 9S KD", "2C TC KC 8C")
    assert [text for text in legal(match, 0) if not text.startswith("lay")] == [
        *["match KC KD", "combine 2C", "combine TC"]
    ]
    ten = match.clone()
    choose(ten, "combine TC")
    assert legal(ten, 0) == ["take AD", "take AH"]
    choose(match, "combine 2C")
    assert legal(match, 0) == ["take AD"]


def test_example_5_the_only_captor_of_a_deal_gets_all_that_is_left_and_five_points() -> None:
    match = played("2D TD", "match 2C 2D")
    assert points_told(match) == [[5, 0]]
    assert len(seen(match, 0, "pile", 0)) == 52
    [(taker, *rest)] = told(match, 1, "take-rest")
    assert taker == 0
    assert len(rest) == 50
    assert seen(match, 0, "table") == ()


def sweep(match: Match, seat: int) -> None:
    """This seat alone captures: five points."""
    while match.to_act != (seat,):
        choose(match, legal(match, match.to_act[0])[0])
    choose(match, ("match 2C 2D", "match TC TD", "match 4S 4H")[seat])
    lay_the_rest(match)


def share(match: Match) -> None:
    """The first seat gets the 2C, the second the TD, and the third all the rest: 1, 1, 3."""
    for captures in (["match 2C 2D", "match TC TD"], ["match 4S 4H"]):
        for _ in range(3):
            texts = legal(match, match.to_act[0])
            choose(match, next((text for text in texts if text in captures), texts[0]))
    lay_the_rest(match)


def at_23_to_23() -> Match:
    """In all deals seat 0 holds the 2C, seat 1 the TC, and seat 2 the 4S."""
    decks = [
        stack(DECK, hands("2C", "TC", "4S", each=4, first=deal % 3), cards("2D TD 4H QC"))
        for deal in range(13)
    ]
    match = start(*decks, players=3)
    for seat in (0, 1) * 4:
        sweep(match, seat)
    assert match.observe(0).facts["totals"] == (20, 20, 0)
    for _ in range(3):
        share(match)
    return match


def test_example_6_at_23_to_23_there_is_another_deal() -> None:
    match = at_23_to_23()
    assert match.observe(0).facts["totals"] == (23, 23, 9)
    assert match.observe(0).facts["deal"] == 12
    assert match.result is None
    sweep(match, 1)
    assert match.result is not None
    assert (match.result.scores, match.result.ranks) == ([23, 28, 9], [2, 1, 3])
    assert match.result.reason == "target"


def test_example_7_three_seats_that_only_lay_tie_after_40_deals_without_a_point() -> None:
    match = KONTSINA.start(players=3)
    count = 0
    while match.to_act:
        choose(match, legal(match, match.to_act[0])[0])
        count += 1
    assert count == 40 * PLAYS
    assert match.result is not None
    assert (match.result.scores, match.result.ranks) == ([0, 0, 0], [1, 1, 1])
    assert match.result.reason == "limit"


# Scoring ------------------------------------------------------------------------------------------


def test_the_cards_left_go_to_the_seat_that_captured_last() -> None:
    match = played(TABLE_OF_PAIRS, *PAIRS)
    [(taker, *rest)] = told(match, 0, "take-rest")
    assert taker == 1
    assert len(rest) == 24
    assert seen(match, 0, "pile", 1)[-24:] == tuple(rest)


def test_the_points_of_a_deal_follow_from_the_piles(seed: int) -> None:
    rng = Random(seed)
    for number in range(30):
        players = rng.choice([2, 3, 4])
        options = {"target": 1}
        match = KONTSINA.start(
            players=players, options=options, deals=SeededDeals(f"{seed}/{number}")
        )
        for _ in decisions(match, rng):
            pass
        piles = [seen(match, None, "pile", seat) for seat in range(players)]
        clubs = [sum(card[1] == "C" for card in pile) for pile in piles]
        expected = [("2C" in pile) + ("TD" in pile) for pile in piles]
        for counts, worth in ((clubs, 1), (list(map(len, piles)), 2)):
            if counts.count(max(counts)) == 1:
                expected[counts.index(max(counts))] += worth
        assert points_told(match)[-1] == expected
        assert sum(map(len, piles)) == 52


# Options, information -----------------------------------------------------------------------------


@pytest.mark.parametrize("target", [0, 1001, True, "21"])
def test_the_target_is_an_integer_from_1_to_1000(target: object) -> None:
    with pytest.raises(ValueError, match="target must be an integer from 1 to 1000"):
        KONTSINA.start(options={"target": target})  # type: ignore[dict-item]


def test_the_ladder_format_is_two_players_and_21_points() -> None:
    match = KONTSINA.start()
    assert (match.players, match.options) == (2, {"target": 21})


@pytest.mark.parametrize("players", [1, 5])
def test_there_are_two_to_four_players(players: int) -> None:
    with pytest.raises(ValueError, match="2, 3, 4"):
        KONTSINA.start(players=players)


def test_the_target_is_the_total_that_ends_the_match() -> None:
    decks = [deck("2D", ["match 2C 2D"])] * 2
    match = start(*decks, target=5)
    choose(match, "match 2C 2D")
    lay_the_rest(match)
    assert match.result is not None
    match = start(*decks, target=6)
    choose(match, "match 2C 2D")
    lay_the_rest(match)
    assert match.result is None


def test_a_card_that_is_not_in_hand_is_refused_with_a_sentence() -> None:
    match = position("5D", "5C")
    with pytest.raises(IllegalAction, match="card of the hand is laid"):
        match.apply(0, "match 5S 5D")
    assert match.to_act == (0,)


def test_the_other_hands_and_the_stock_are_hidden() -> None:
    match = after("5D 2H", "lay 9C", "lay 3H", players=3)
    view = match.observe(0)
    assert (view.zone("hand", 1).cards, view.zone("hand", 1).hidden) == ((), 3)
    assert (view.zone("hand", 2).cards, view.zone("hand", 2).hidden) == ((), 4)
    assert (view.zone("stock").cards, view.zone("stock").hidden) == ((), 36)
    assert len(seen(match, None, "hand", 1)) == 3
    assert len(seen(match, None, "stock")) == 36
    assert {owner for owner, *_ in told(match, 0, "hand")} == {0}


def test_all_plays_and_captures_are_public_for_good() -> None:
    match = after("AC 9D KC QC", "lay 9H", "match 9S 9D", "lay 3C")
    for viewer in (0, 1, None):
        assert seen(match, viewer, "played", 0) == cards("9H 3C")
        assert seen(match, viewer, "played", 1) == cards("9S")
        assert seen(match, viewer, "pile", 1) == cards("9D 9S")
        assert told(match, viewer, "lay") == [(0, "9H"), (0, "3C")]
        assert told(match, viewer, "match") == [(1, "9S", "9D")]


# Redealing what a seat cannot see -----------------------------------------------------------------


def test_the_card_that_somebody_combines_with_stays_in_its_hand() -> None:
    match = after("2C 3D 5H KS", "combine TC")
    twins = redealt(match, 1)
    assert possible(twins, "hand", 0) == unseen(match, 1) | {"TC"}
    assert always(twins, "hand", 0) == {"TC"}
    assert {len(seen(twin, None, "hand", 0)) for twin in twins} == {4}


def test_a_seat_that_lays_a_card_tells_nothing_about_its_others() -> None:
    """It may hold a card that would have captured."""
    match = after("9D KD QD JD", "lay 2C")
    assert "9S" in possible(redealt(match, 1), "hand", 0)


def test_at_the_end_of_the_stock_the_opponents_hand_is_known() -> None:
    match = start(list(DECK))
    for _ in range(42):
        choose(match, legal(match, match.to_act[0])[0])
    for viewer in (0, 1):
        assert match.redeal(viewer, Random(0)).observe(None) == match.observe(None)


# In every match -----------------------------------------------------------------------------------
