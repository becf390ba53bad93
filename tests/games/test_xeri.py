"""Xeri: each ruling and each published example, and the invariants of every match."""

from random import Random

import pytest

from sevens_games import Deals, IllegalAction, Match, SeededDeals, StackedDeals, load
from sevens_games.cards.standard import DECK
from tests.support.game_redeals import possible, redealt, unseen
from tests.support.game_tables import (
    ANY,
    cards,
    choose,
    decisions,
    legal,
    seen,
    stack,
    told,
)

XERI = load("xeri")

# A whole hand. The seat that plays first wins 26 cards with one xeri, the aces, KC, KD, TD and 2C;
# the other captures all that it captures with jacks, and takes the last sixteen cards.
PILE = "2C KC KD TD"
PLAYS = """
    3C AC AD  AH AS  QC TC JC
    3D 4C 5C 6C 7C 8C 9C 2D 4D 5D 6D 7D 8D 9D 2H 4H 4S
    QD 2S JD  QH JH  QS JS
    KH 3H TH 5H KS 6H TS 7H 3S 8H 5S 9H 6S 8S 7S 9S
"""
# The first seat wins it 19:13. With KC and 7H in each other's places it wins 18:14; with two more
# pairs 16:16 is a tie; with one more it loses 14:18.
BY_FOUR = {"KC": "7H", "7H": "KC"}
TIED = {**BY_FOUR, "KD": "8H", "8H": "KD", "2C": "6H", "6H": "2C"}
LOST = {**TIED, "TD": "9H", "9H": "TD"}
# The first seat's last card captures the last sixteen but one, and the very last card lies alone.
LONE_CARD = {"8S": "9S", "9S": "8S", "7S": "9H", "9H": "7S"}


def deal(pile: str, plays: str = "") -> list[str]:
    """Returns a deck that deals this first pile, and to each seat the cards it is to play. Cards
    are dealt in the order in which the seats play, so the k-th card dealt is the k-th played."""
    script = [*cards(plays), *[ANY] * (48 - len(cards(plays)))]
    return stack(DECK, script[:12], cards(pile), script[12:])


def start(*shuffles: list[str], deals: int = 1) -> Match:
    return XERI.start(options={"deals": deals}, deals=StackedDeals(shuffles))


def play(match: Match, plays: str) -> None:
    choose(match, *[f"play {card}" for card in cards(plays)])


def exchanged(text: str, other: dict[str, str]) -> str:
    return " ".join(other.get(card, card) for card in cards(text))


def played(*hands: dict[str, str]) -> Match:
    """Returns a finished match of the hand above, each time with other cards exchanged."""
    scripts = [(exchanged(PILE, other), exchanged(PLAYS, other)) for other in hands]
    match = start(*[deal(*script) for script in scripts], deals=len(hands))
    for _, plays in scripts:
        play(match, plays)
    return match


def after(pile: str, plays: str, extra: str = "") -> Match:
    """Returns a match in which these cards have been played; the cards `extra` are to be played
    next."""
    match = start(deal(pile, f"{plays} {extra}"))
    play(match, plays)
    return match


def with_rejected_piles() -> Match:
    """Nobody was dealt QC 7D AC JH QS 9H or 9S; AC JH and QS are now in the stock."""
    first = deal("QC 7D AC JH", "2C 3C 4C 5C 6C 7C 8C 9C TC KC 2D 3D 4D QS 9H 9S")
    rest = [card for card in DECK if card in first[12:]]
    return start(
        first, stack(rest, cards("QS 7D 9H 9S")), stack(rest, cards("9H 9S 7D QC 8D 8H 8S 6D"))
    )


def finish_hand(match: Match, rng: Random | None = None) -> None:
    """Plays to the end of the deal: the first card each time, or at random."""
    deal_number = match.observe(None).facts["deal"]
    while match.to_act and match.observe(None).facts["deal"] == deal_number:
        options = match.legal_actions(match.to_act[0])
        match.apply(match.to_act[0], rng.choice(options) if rng else options[0])


def points_told(match: Match) -> list[tuple[int, int]]:
    return [(a, b) for _, a, b in told(match, None, "score")]  # type: ignore[misc]


def xeris_of(match: Match) -> tuple[int, int]:
    takers = [seat for seat, _ in told(match, None, "xeri")]
    return takers.count(0), takers.count(1)


def points_of(match: Match) -> list[int]:
    """Returns the points of the won cards alone, by seat."""
    return [
        sum(
            (card[0] in "AKQJT") + (card in ("TD", "2C")) for card in seen(match, None, "won", seat)
        )
        for seat in (0, 1)
    ]


def all_shuffles(chance: Deals, deals: int) -> list[list[str]]:
    """Returns the shuffles of a match: 52 cards, then 40 in canonical order until the first pile
    stands."""
    for _ in range(deals):
        chance.begin_deal()
        rest = list(chance.shuffle(DECK))[12:]
        while rest[3][0] == "J" or rest[3][0] == rest[2][0]:
            rest = list(chance.shuffle([card for card in DECK if card in rest]))
    return chance.shuffles


# Setup and dealing --------------------------------------------------------------------------------


def test_six_cards_go_to_each_seat_one_at_a_time_the_non_dealer_first() -> None:
    match = start(stack(DECK, cards("AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KH KC KD 2H")))
    assert seen(match, 0, "hand", 0) == cards("AC 3C 5C 7C 9C JC")
    assert seen(match, 1, "hand", 1) == cards("2C 4C 6C 8C TC QC")
    assert match.to_act == (0,)


def test_a_hand_is_listed_in_canonical_order() -> None:
    match = start(stack(DECK, cards("KS -- JD -- 2D -- TH -- AC -- 3D --"), cards("4C 5C 6C 7C")))
    assert seen(match, 0, "hand", 0) == cards("AC 2D 3D JD TH KS")
    assert legal(match, 0) == [f"play {card}" for card in cards("AC 2D 3D JD TH KS")]


def test_the_next_four_cards_are_the_pile_and_the_last_of_them_is_its_top() -> None:
    match = after("QC 7D AC 9D", "2H")
    assert seen(match, 1, "pile") == cards("QC 7D AC 9D 2H")
    play_on = after("QC 7D AC 9D", "9H")
    assert seen(play_on, 1, "pile") == ()


def test_new_hands_come_from_the_top_of_the_stock_and_none_goes_to_the_pile() -> None:
    first, second = "2C 3C 4C 5C 6C 7C 8C 9C TC AC 2D 3D", "4D QD 5D QH 6D QS 7D 8D 9D KS TD JC"
    match = start(deal("KC KD KH QC", f"{first} {second}"))
    play(match, first)
    assert seen(match, 0, "hand", 0) == cards("4D 5D 6D 7D 9D TD")
    assert seen(match, 1, "hand", 1) == cards("JC 8D QD QH QS KS")
    assert seen(match, 0, "pile") == cards(f"KC KD KH QC {first}")
    assert match.to_act == (0,)
    assert match.observe(0).zone("stock").hidden == 24


def test_the_deal_passes_to_the_other_seat_and_the_non_dealer_leads() -> None:
    match = start(deal(PILE, PLAYS), deal(PILE, PLAYS), deal(PILE, PLAYS), deals=3)
    for dealer in (1, 0, 1):
        assert match.observe(0).facts["dealer"] == dealer
        assert match.to_act == (1 - dealer,)
        play(match, PLAYS)


def test_the_next_hand_is_dealt_at_once() -> None:
    again = deal(PILE, PLAYS)
    match = start(again, again, deals=2)
    play(match, PLAYS)
    assert match.deals.shuffles == [again, again]


def test_each_deal_has_its_own_chance_and_a_rejected_pile_belongs_to_it(seed: int) -> None:
    match = XERI.start(deals=SeededDeals(f"xeri {seed}"))
    for _ in decisions(match, Random(seed)):
        pass
    assert match.deals.shuffles == all_shuffles(SeededDeals(f"xeri {seed}"), deals=5)


# Flow and rulings ---------------------------------------------------------------------------------


def test_ruling_1_a_matching_card_captures_but_another_may_be_played() -> None:
    match = start(deal("QC 7D AC 9D", "9C 2C 5H 3C"))
    assert {"play 9C", "play 5H"} <= set(legal(match, 0))
    twin = match.clone()
    play(match, "9C")
    assert seen(match, 0, "won", 0) == cards("QC 7D AC 9D 9C")
    play(twin, "5H")
    assert seen(twin, 0, "won", 0) == ()
    assert seen(twin, 0, "pile") == cards("QC 7D AC 9D 5H")


def test_a_jack_captures_any_pile() -> None:
    match = after("QC 7D AC 9D", "JS")
    assert seen(match, 0, "won", 0) == cards("QC 7D AC 9D JS")
    assert told(match, None, "xeri") == []


def test_ruling_2_a_jack_on_an_empty_pile_lies_there_and_can_be_captured_by_a_jack() -> None:
    match = after("QC 7D AC 9D", "9C JD")
    assert seen(match, 0, "pile") == ("JD",)
    assert seen(match, 0, "won", 1) == ()
    assert match.observe(0).facts["captured_last"] == 0
    match = after("QC 7D AC 9D", "9C JD JC")
    assert seen(match, 0, "won", 0) == cards("QC 7D AC 9D 9C JD JC")
    assert match.observe(0).facts["xeris"] == (1, 0)


def test_ruling_2_a_jack_that_lies_there_is_not_captured_by_another_card() -> None:
    match = after("QC 7D AC 9D", "9C JD 5H")
    assert seen(match, 0, "pile") == cards("JD 5H")


def test_ruling_3_two_cards_of_one_rank_are_no_xeri() -> None:
    match = after("QC 7D AC 9D", "9C 2H 3C 3D")
    assert seen(match, 1, "won", 1) == cards("2H 3C 3D")
    assert match.observe(1).facts["xeris"] == (0, 0)


def test_ruling_3_the_first_pile_is_never_captured_xeri() -> None:
    match = after("QC 7D 9H AC", "AD")
    assert match.observe(0).facts["xeris"] == (0, 0)
    assert told(match, 1, "capture") == [(0, 5)]


def test_ruling_4_a_xeri_with_a_jack_on_a_jack_scores_ten() -> None:
    # Jacks in the places of the two aces of the xeri: the first seat's points stay the same.
    match = played({"AH": "JH", "JH": "AH", "AS": "JS", "JS": "AS"})
    assert cards("JH JS") == seen(match, 0, "won", 0)[7:9]
    assert told(match, 0, "xeri") == [(0, 2)]
    assert told(match, 0, "score") == [(None, 19, 13)]


def test_ruling_5_the_pile_and_the_stock_are_reshuffled_and_the_hands_stay() -> None:
    first = deal("QC 7D AC JH", "9C 2H")
    rest = [card for card in DECK if card in first[12:]]
    second = stack(rest, cards("QC 7D 5H 5S"))
    third = stack(rest, cards("5H 5S 7D QC"))
    match = start(first, second, third)
    assert match.deals.shuffles == [first, second, third]
    assert seen(match, 0, "hand", 0) == tuple(sorted(first[0:12:2], key=DECK.index))
    assert seen(match, 1, "hand", 1) == tuple(sorted(first[1:12:2], key=DECK.index))
    assert seen(match, 0, "pile") == cards("5H 5S 7D QC")
    assert seen(match, None, "stock") == tuple(third[4:])


@pytest.mark.parametrize("pile", ["JC JD 2H 3S", "7C 7D 2H 3S", "2H 7C 7D 3S", "JH 2C JS 9C"])
def test_ruling_5_a_jack_or_a_pair_lower_down_stands(pile: str) -> None:
    match = start(deal(pile))
    assert seen(match, 0, "pile") == cards(pile)
    assert seen(match, 0, "rejected") == ()


def test_ruling_5_there_is_no_limit_on_new_piles() -> None:
    first = deal("QC 7D AC JH")
    rest = [card for card in DECK if card in first[12:]]
    jack_on_top = stack(rest, cards("QC 7D AC JH"))
    match = start(first, *[jack_on_top] * 30, stack(rest, cards("QC 7D JH AC")))
    assert len(match.deals.shuffles) == 32
    assert seen(match, 0, "pile") == cards("QC 7D JH AC")


@pytest.mark.parametrize("viewer", [0, 1, None])
def test_ruling_6_all_cards_of_first_piles_are_public_the_rejected_ones_too(
    viewer: int | None,
) -> None:
    match = with_rejected_piles()
    assert seen(match, viewer, "rejected") == cards("QC 7D AC JH QS 7D 9H 9S")
    assert seen(match, viewer, "pile") == cards("9H 9S 7D QC")
    assert told(match, viewer, "first-pile") == [
        (None, *cards("QC 7D AC JH")),
        (None, *cards("QS 7D 9H 9S")),
        (None, *cards("9H 9S 7D QC")),
    ]


def test_ruling_6_the_rejected_piles_of_a_deal_are_not_those_of_the_next() -> None:
    first = deal("QC 7D AC JH")
    rest = [card for card in DECK if card in first[12:]]
    match = start(first, stack(rest, cards("QC 7D JH AC")), deal(PILE), deals=2)
    finish_hand(match)
    assert match.observe(0).facts["deal"] == 2
    assert seen(match, 0, "rejected") == ()


def test_a_new_deal_forgets_what_was_played_and_won() -> None:
    match = start(deal(PILE, PLAYS), deal(PILE), deals=2)
    play(match, PLAYS)
    for viewer in (0, 1, None):
        view = match.observe(viewer)
        assert (view.facts["captured_last"], view.facts["xeris"]) == (-1, (0, 0))
        assert view.zone("pile").cards == cards(PILE)
        for seat in (0, 1):
            assert view.zone("won", seat).cards == view.zone("played", seat).cards == ()


def test_ruling_7_somebody_always_captures(seed: int) -> None:
    # Four jacks are redealt. With three in the first pile there is still one to be played.
    first = deal("JC JD JH JS")
    rest = [card for card in DECK if card in first[12:]]
    match = start(first, stack(rest, cards("JC JD JH KS")))
    assert seen(match, 0, "pile") == cards("JC JD JH KS")
    finish_hand(match, Random(seed))
    assert match.result is not None
    assert "JS" in seen(match, 0, "won", 0) + seen(match, 0, "won", 1)
    assert told(match, 0, "capture", "xeri")


def test_ruling_8_nobody_gets_the_three_points_at_26_to_26() -> None:
    match = played({})
    assert [len(seen(match, 0, "won", seat)) for seat in (0, 1)] == [26, 26]
    assert told(match, 0, "score") == [(None, 19, 13)]


def test_ruling_8_more_cards_than_the_opponent_score_three_points() -> None:
    # The first seat's big capture fails, and the other seat's next jack takes those cards too.
    match = played({"4S": "9S", "9S": "4S"})
    assert [len(seen(match, 0, "won", seat)) for seat in (0, 1)] == [9, 43]
    assert told(match, 0, "score") == [(None, 19, 13 + 3)]


def test_ruling_9_equal_hands_won_are_decided_by_the_points_of_all_hands() -> None:
    match = played({}, BY_FOUR)  # 19:13, then 14:18
    assert match.result is not None
    assert match.result.scores == [1, 1]
    assert match.observe(0).facts["points"] == (33, 31)
    assert match.result.ranks == [1, 2]


def test_ruling_9_hands_won_count_before_points() -> None:
    match = played(LONE_CARD, {}, LOST)
    assert told(match, 0, "score") == [(None, 26, 9), (None, 13, 19), (None, 14, 18)]
    assert match.result is not None
    assert (match.result.scores, match.result.ranks) == ([1, 2], [2, 1])


def test_ruling_9_with_equal_hands_won_and_equal_points_the_seats_tie() -> None:
    match = played({}, {})
    assert match.result is not None
    assert (match.result.scores, match.result.ranks) == ([1, 1], [1, 1])
    assert match.observe(0).facts["points"] == (32, 32)


def test_ruling_10_all_past_plays_are_public() -> None:
    match = after("QC 7D AC 9D", "2H 3H 3C 4C 5C")
    for viewer in (0, 1, None):
        assert seen(match, viewer, "won", 0) == cards("QC 7D AC 9D 2H 3H 3C")
        assert seen(match, viewer, "played", 0) == cards("2H 3C 5C")
        assert seen(match, viewer, "played", 1) == cards("3H 4C")
        assert told(match, viewer, "play") == [
            (0, "2H"), (1, "3H"), (0, "3C"), (1, "4C"), (0, "5C")
        ]  # fmt: skip


# Examples -----------------------------------------------------------------------------------------


def test_example_1_a_capture_of_five_cards_and_then_a_xeri() -> None:
    match = after("QC 7D AC 9D", "9C", "2H 2C")
    assert seen(match, 0, "won", 0) == cards("QC 7D AC 9D 9C")
    assert match.observe(0).facts["xeris"] == (0, 0)
    play(match, "2H")
    assert seen(match, 0, "pile") == ("2H",)
    play(match, "2C")
    assert match.observe(0).facts["xeris"] == (1, 0)
    assert seen(match, 0, "won", 0) == cards("QC 7D AC 9D 9C 2H 2C")


def test_example_2_a_jack_captures_a_lone_jack_xeri_but_no_other_lone_card() -> None:
    match = after("QC 7D AC 9D", "9C JD JC")
    assert match.observe(0).facts["xeris"] == (1, 0)
    match = after("QC 7D AC 9D", "9C 4H JC")
    assert match.observe(0).facts["xeris"] == (0, 0)
    assert seen(match, 0, "won", 0) == cards("QC 7D AC 9D 9C 4H JC")


def test_example_3_only_the_top_card_is_matched() -> None:
    match = after("QC 7D AC 9D", "9C 8D 5C 8S")
    assert seen(match, 0, "pile") == cards("8D 5C 8S")
    assert seen(match, 0, "won", 1) == ()


@pytest.mark.parametrize("pile", ["QC 7D AC JH", "QC 7D 9H 9S"])
def test_example_4_a_jack_or_a_pair_on_top_is_redealt(pile: str) -> None:
    first = deal(pile)
    rest = [card for card in DECK if card in first[12:]]
    match = start(first, stack(rest, cards(pile)[::-1]))
    assert seen(match, 0, "rejected") == cards(pile)
    assert seen(match, 0, "pile") == cards(pile)[::-1]


def test_example_4_a_pair_at_the_bottom_stands() -> None:
    assert seen(start(deal("9H 9S 7D QC")), 0, "pile") == cards("9H 9S 7D QC")


def test_example_5_a_hand_of_26_to_26_cards_is_won_with_19_to_13_points() -> None:
    match = played({})
    won = seen(match, 0, "won", 0)
    assert {card for card in won if card[0] in "AKQJT"} == set(cards("AC AD AH AS KC KD TD"))
    assert len(won) == 26
    assert "2C" in won
    assert match.observe(0).facts["xeris"] == (1, 0)
    assert told(match, 0, "score") == [(None, 19, 13)]
    assert match.observe(0).facts["hands_won"] == (1, 0)


def test_example_6_a_tied_hand_and_one_hand_each_leave_it_to_the_points() -> None:
    match = played({}, BY_FOUR, TIED)
    assert told(match, 0, "score") == [(None, 19, 13), (None, 14, 18), (None, 16, 16)]
    assert match.result is not None
    assert (match.result.scores, match.result.ranks) == ([1, 1], [1, 2])
    assert match.result.reason == "played-out"


# Scoring ------------------------------------------------------------------------------------------


def test_the_cards_left_go_to_the_seat_that_captured_last_without_a_xeri() -> None:
    match = played({})
    assert told(match, 0, "take-rest") == [(1, 16)]
    assert seen(match, 0, "won", 1)[-16:] == cards(PLAYS)[-16:]
    assert told(match, 0, "xeri") == [(0, 2)]


def test_a_lone_card_left_over_is_no_xeri() -> None:
    match = played(LONE_CARD)
    assert told(match, 0, "capture")[-1] == (0, 15)
    assert told(match, 0, "take-rest") == [(0, 1)]
    assert seen(match, 0, "won", 0)[-1] == "8S"
    assert told(match, 0, "xeri") == [(0, 2)]
    assert told(match, 0, "score") == [(None, 19 + 3 + 4, 13 - 4)]


# Options, information -----------------------------------------------------------------------------


@pytest.mark.parametrize("deals", [0, 101, True, "5"])
def test_the_number_of_deals_is_an_integer_from_1_to_100(deals: object) -> None:
    with pytest.raises(ValueError, match="deals must be an integer from 1 to 100"):
        XERI.start(options={"deals": deals})  # type: ignore[dict-item]


def test_the_ladder_format_is_five_deals_for_two() -> None:
    match = XERI.start()
    assert (match.players, match.options) == (2, {"deals": 5})
    with pytest.raises(ValueError, match="2"):
        XERI.start(players=3)


def test_a_card_that_is_not_in_hand_is_refused_with_a_sentence() -> None:
    match = start(deal("QC 7D AC 9D", "2H 3H"))
    with pytest.raises(IllegalAction, match="plays a card of its hand"):
        match.apply(0, "play 3H")
    assert match.to_act == (0,)


def test_the_opponents_hand_and_the_stock_are_hidden() -> None:
    match = after("QC 7D AC 9D", "2H 3H 4H")
    view = match.observe(0)
    assert (view.zone("hand", 1).cards, view.zone("hand", 1).hidden) == ((), 5)
    assert (view.zone("stock").cards, view.zone("stock").hidden) == ((), 36)
    assert len(seen(match, None, "hand", 1)) == 5
    assert len(seen(match, None, "stock")) == 36
    assert [owner for owner, *_ in told(match, 0, "hand")] == [0]


# Redealing what a seat cannot see -----------------------------------------------------------------


@pytest.mark.parametrize("plays", ["", "2C", "2C 3C 4C 5C 6C 7C 8C 9C TC KC"])
def test_while_the_first_hands_last_they_hold_no_card_of_a_rejected_pile(plays: str) -> None:
    match = with_rejected_piles()
    play(match, plays)
    for viewer in (0, 1):
        rejected = set(cards("AC JH QS"))
        hidden = unseen(match, viewer)
        assert rejected < hidden
        twins = redealt(match, viewer)
        assert possible(twins, "hand", 1 - viewer) == hidden - rejected
        assert possible(twins, "stock", None) == hidden


def test_later_hands_can_hold_cards_of_a_rejected_pile() -> None:
    match = with_rejected_piles()
    play(match, "2C 3C 4C 5C 6C 7C 8C 9C TC KC 2D 3D")
    for viewer in (0, 1):
        hidden = unseen(match, viewer)
        assert set(cards("AC JH QS")) & hidden
        assert possible(redealt(match, viewer), "hand", 1 - viewer) == hidden


def test_the_last_card_of_a_first_hand_can_be_any_that_was_not_seen() -> None:
    match = with_rejected_piles()
    play(match, "2C 3C 4C 5C 6C 7C 8C 9C TC KC 2D")
    hidden = unseen(match, 0)
    counts = dict.fromkeys(hidden, 0)
    for number in range(2000):
        [card] = seen(match.redeal(0, Random(number)), None, "hand", 1)
        counts[card] += 1
    assert {card for card in hidden if counts[card] == 0} == set(cards("AC JH QS"))
    assert max(counts.values()) < 3 * 2000 / (len(hidden) - 3)


def test_at_the_end_of_the_stock_the_opponents_hand_is_known() -> None:
    match = after(PILE, " ".join(cards(PLAYS)[:44]), " ".join(cards(PLAYS)[44:]))
    for viewer in (0, 1):
        redealt = match.redeal(viewer, Random(0))
        assert redealt.observe(None) == match.observe(None)


# In every match -----------------------------------------------------------------------------------


def test_a_match_has_48_decisions_a_deal_even_if_it_is_decided_earlier(seed: int) -> None:
    rng = Random(seed)
    decided_early = 0
    for number in range(30):
        match = XERI.start(deals=SeededDeals(f"{seed}/{number}"))
        count, hands_won = 0, (0, 0)
        for _ in decisions(match, rng):
            count += 1
            hands_won = match.observe(None).facts["hands_won"]  # type: ignore[assignment]
        assert count == 240
        decided_early += max(hands_won) >= 3
    assert decided_early


def test_the_points_of_a_hand_add_up_to_25_or_22_and_ten_for_each_xeri(seed: int) -> None:
    rng = Random(seed)
    for number in range(100):
        match = XERI.start(options={"deals": 1}, deals=SeededDeals(f"{seed}/{number}"))
        for _ in decisions(match, rng):
            pass
        won = [len(seen(match, None, "won", seat)) for seat in (0, 1)]
        xeris = xeris_of(match)
        for seat, points in enumerate(points_told(match)[0]):
            most = 3 * (won[seat] > 26)
            assert points == points_of(match)[seat] + most + 10 * xeris[seat]
        assert sum(won) == 52
        assert seen(match, 0, "pile") == ()
        assert sum(points_told(match)[0]) == (22 if won[0] == 26 else 25) + 10 * sum(xeris)
