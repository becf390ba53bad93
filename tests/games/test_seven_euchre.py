"""Seven Euchre: each ruling, each published example, and the invariants of random play."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, pairwise
from random import Random
from typing import Any

import pytest

from sevens_games import IllegalAction, Match, SeededDeals, StackedDeals, load
from tests.support.game_tables import (
    ANY,
    assert_looks_equal,
    cards,
    choose,
    hands,
    legal,
    seen,
    stack,
    told,
)

SEVEN_EUCHRE = load("seven-euchre")

# Suits and strains in the order of the bids; the cards of each suit, the lowest first.
SUITS = {
    "coffin": "7F 8F 9F TF JF QF KF",
    "time": "6T 7T 8T 9T TT JT QT",
    "star": "5S 6S 7S 8S 9S TS JS",
    "coin": "4C 5C 6C 7C 8C 9C TC",
    "book": "3B 4B 5B 6B 7B 8B 9B",
    "onion": "2O 3O 4O 5O 6O 7O 8O",
    "heart": "AH 2H 3H 4H 5H 6H 7H",
}
STRAINS = [*SUITS, "notrump"]
DECK = cards(" ".join(SUITS.values()))

# The trumps, the highest first. Those of Book are printed in the rules.
TRUMPS = {
    "coffin": "7F KF QF JF TF 9F 8F 7T 7S 7C 7B 7O 7H",
    "time": "7T QT JT TT 9T 8T 7F 7S 7C 7B 7O 7H 6T",
    "star": "7S JS TS 9S 8S 7F 7T 7C 7B 7O 7H 6S 5S",
    "coin": "7C TC 9C 8C 7F 7T 7S 7B 7O 7H 6C 5C 4C",
    "book": "7B 9B 8B 7F 7T 7S 7C 7O 7H 6B 5B 4B 3B",
    "onion": "7O 8O 7F 7T 7S 7C 7B 7H 6O 5O 4O 3O 2O",
    "heart": "7H 7F 7T 7S 7C 7B 7O 6H 5H 4H 3H 2H AH",
    "notrump": "",
}

# Points for contracts of 7 to 12 tricks.
TABLE = {
    "coffin": (7, 15, 23, 31, 39, 47),
    "time": (8, 16, 24, 32, 40, 48),
    "star": (9, 17, 25, 33, 41, 49),
    "coin": (10, 18, 26, 34, 42, 50),
    "book": (11, 19, 27, 35, 43, 51),
    "onion": (12, 20, 28, 36, 44, 52),
    "heart": (13, 21, 29, 37, 45, 53),
    "notrump": (14, 22, 30, 38, 46, 54),
}

# By strain, a hand that takes all tricks if it leads its cards in this order.
SURE = {strain: " ".join(cards(trumps)[:12]) for strain, trumps in TRUMPS.items()}
SURE["notrump"] = "KF QF JF TF 9F 8F 7F QT JT TT 9T 8T"

# The hands of seats 0 and 1, in the order of play: eight tricks for Star, then four for seat 1.
EIGHT_TRICKS = "7S JS TS 9S 8S 7F 7T 7C AH 2H 3H 2O"
FOUR_TRICKS = "7B 7O 7H 6S 5S 8F 9F TF 6H KF QF JF"

THREE_PASS = ("pass",) * 3
ALL_PASS = ("pass",) * 4


def deal(*by_seat: str, centre: str = ANY, first: int = 0) -> list[str]:
    """A shuffle that gives the seats these cards and any others; `first` is after the dealer."""
    texts = [*by_seat, *[""] * (4 - len(by_seat))]
    return stack(DECK, hands(*texts, each=12, first=first), (centre,))


def start(*shuffles: list[str], **options: int) -> Match:
    return SEVEN_EUCHRE.start(options=options, deals=StackedDeals(shuffles))


def facts(match: Match, *names: str) -> list[Any]:
    all_facts = match.observe(None).facts
    return [all_facts[name] for name in names]


def legal_now(match: Match) -> list[str]:
    return legal(match, match.to_act[0])


def contract(match: Match, bid: str) -> None:
    """The seat to act bids, the others pass, and it discards the card that it has taken."""
    choose(match, bid)
    while facts(match, "phase") == ["auction"]:
        choose(match, "pass")
    choose(match, "discard " + seen(match, None, "exchanged")[0])


def play(match: Match, plays: str) -> None:
    choose(match, *[f"play {card}" for card in cards(plays)])


def play_tricks(match: Match, **plans: str) -> None:
    """Plays twelve tricks. A seat plays the first card of its plan (`seat0="…"`) that it may play,
    and without a plan the first card that it may play."""
    for _ in range(48):
        may = legal_now(match)
        plan = [f"play {card}" for card in cards(plans.get(f"seat{match.to_act[0]}", ""))]
        choose(match, next((text for text in plan if text in may), may[0]))


def eight_tricks(bid: str, **options: int) -> Match:
    """After a deal in which the declarer's team, team 0, took eight tricks; Star was trump."""
    second_deal = deal("", SURE["book"], first=1)
    match = start(deal(EIGHT_TRICKS, FOUR_TRICKS), second_deal, **options)
    contract(match, bid)
    play_tricks(match, seat0=EIGHT_TRICKS, seat1=FOUR_TRICKS)
    assert [("take-trick", seat) for seat in [0] * 8 + [1] * 4] == [
        (event.verb, event.actor) for event in match.events(None) if event.verb == "take-trick"
    ]
    return match


def scores(match: Match) -> tuple[list[int], list[int], str]:
    assert match.result is not None
    return match.result.scores, match.result.ranks, match.result.reason


def suit_of(card: str, strain: str) -> str:
    return "trump" if card in cards(TRUMPS[strain]) else card[1]


def winner(strain: str, trick: str) -> object:
    """Returns the seat that takes this trick, led by seat 0. No other seat holds more cards of the
    suit led."""
    played = cards(trick)
    suit = [card for card in DECK if suit_of(card, strain) == suit_of(played[0], strain)]
    others = [card for card in suit if card not in played]
    spare = others[11] if len(others) > 11 else ANY
    match = start(deal(" ".join([played[0], *others[:11]]), *played[1:], centre=spare))
    contract(match, f"bid 7 {strain}")
    play(match, trick)
    return match.to_act[0]


# Auction ------------------------------------------------------------------------------------------


def test_bids_rise_from_seven_coffin_by_strain_and_then_by_tricks() -> None:
    opening = legal_now(start(deal()))
    assert opening[:5] == ["pass", "bid 7 coffin", "bid 7 time", "bid 7 star", "bid 7 coin"]
    assert opening[7:11] == ["bid 7 heart", "bid 7 notrump", "bid 8 coffin", "bid 8 time"]
    assert opening[1:] == [f"bid {n} {strain}" for n in range(7, 13) for strain in STRAINS]


def test_a_bid_must_be_higher_than_the_last_one() -> None:
    match = start(deal())
    opening = legal_now(match)
    choose(match, "bid 8 coin")
    assert legal_now(match) == ["pass", *opening[opening.index("bid 8 book") :]]
    with pytest.raises(IllegalAction, match=r"Seat 1 .*'bid 8 star'.* higher than the last one"):
        choose(match, "bid 8 star")
    choose(match, "pass", "bid 9 coffin")
    assert legal_now(match) == ["pass", *opening[opening.index("bid 9 time") :]]


def test_the_seat_after_the_dealer_calls_first_and_then_all_in_turn() -> None:
    match = start(deal())
    callers: list[int] = []
    for text in ("pass", "bid 7 star", "bid 8 star", "pass", "bid 9 star"):
        callers += match.to_act
        choose(match, text)
    assert facts(match, "dealer") == [3]
    assert callers == [0, 1, 2, 3, 0]


def test_three_passes_in_a_row_after_a_bid_end_the_auction() -> None:
    match = start(deal())
    choose(match, "pass", "bid 7 coffin", "pass", "bid 8 time", "pass", "pass")
    assert facts(match, "phase", "declarer", "trump") == ["auction", -1, ""]
    choose(match, "pass")
    assert match.to_act == (3,)
    assert facts(match, "phase", "declarer", "trump") == ["exchange", 3, "T"]
    assert facts(match, "bid_tricks", "bid_strain") == [8, "time"]


def test_twelve_no_trump_ends_the_auction_at_once() -> None:
    match = start(deal())
    choose(match, "bid 12 heart")
    assert legal_now(match) == ["pass", "bid 12 notrump"]
    choose(match, "bid 12 notrump")
    assert match.to_act == (1,)
    assert facts(match, "phase", "declarer") == ["exchange", 1]


def test_a_seat_that_has_passed_may_bid_later() -> None:
    match = start(deal())
    choose(match, "pass", "bid 7 coffin", "pass", "pass", "bid 7 time", *THREE_PASS)
    assert facts(match, "declarer", "bid_strain") == [0, "time"]


def test_the_dealer_may_open_after_three_passes() -> None:
    match = start(deal())
    choose(match, *THREE_PASS)
    assert match.to_act == (3,)
    assert len(legal_now(match)) == 49
    choose(match, "bid 9 onion", *THREE_PASS)
    assert facts(match, "declarer") == [3]


def test_an_auction_of_all_bids_comes_to_its_end() -> None:  # ruling 5
    match = start(deal())
    every_bid = legal_now(match)[1:]
    assert len(every_bid) == 48
    for bid in every_bid:
        choose(match, *THREE_PASS[:2], bid)
    assert facts(match, "phase", "bid_tricks", "bid_strain") == ["exchange", 12, "notrump"]


def test_a_seat_may_bid_over_its_partner() -> None:  # ruling 6
    match = start(deal())
    choose(match, "bid 7 coin", "pass", "bid 7 book", *THREE_PASS)
    assert facts(match, "declarer", "bid_strain") == [2, "book"]


def test_nobody_is_asked_to_bid_over_its_own_bid() -> None:  # ruling 6
    match = start(deal())
    choose(match, "bid 7 coin", *THREE_PASS)
    assert facts(match, "phase", "calls") == ["exchange", ("bid 7 coin", *THREE_PASS)]


# Second auction -----------------------------------------------------------------------------------


def test_four_passes_turn_up_the_centre_card_and_open_a_second_auction() -> None:
    match = start(deal(centre="4C"))
    assert [match.observe(seat).zone("centre")[2:] for seat in range(4)] == [((), 1)] * 4
    choose(match, *ALL_PASS)
    assert match.to_act == (0,)
    assert facts(match, "phase") == ["second-auction"]
    assert legal_now(match) == ["pass", *(f"bid {n}" for n in range(7, 13))]
    for seat in range(4):
        assert seen(match, seat, "centre") == ("4C",)
        assert told(match, seat, "turn-up") == [(None, "4C")]


def test_a_number_must_be_higher_than_the_last_one() -> None:
    match = start(deal(centre="4C"))
    choose(match, *ALL_PASS, "bid 9", "pass")
    assert legal_now(match) == ["pass", "bid 10", "bid 11", "bid 12"]
    with pytest.raises(IllegalAction, match=r"Seat 2 .*'bid 9'.* higher than the last one"):
        choose(match, "bid 9")


def test_three_passes_in_a_row_after_a_number_end_the_second_auction() -> None:
    match = start(deal(centre="4C"))
    choose(match, *ALL_PASS, "pass", "bid 8", "bid 9", "pass", "pass")
    assert facts(match, "phase") == ["second-auction"]
    choose(match, "pass")
    assert match.to_act == (2,)
    assert facts(match, "phase", "declarer", "bid_tricks") == ["play", 2, 9]


def test_a_bid_of_twelve_ends_the_second_auction_at_once() -> None:
    match = start(deal(centre="4C"))
    choose(match, *ALL_PASS, "pass", "bid 12")
    assert facts(match, "phase", "declarer") == ["play", 1]


def test_the_dealer_may_open_the_second_auction_after_three_passes() -> None:
    match = start(deal(centre="4C"))
    choose(match, *ALL_PASS, *THREE_PASS)
    assert match.to_act == (3,)
    choose(match, "bid 7", *THREE_PASS)
    assert facts(match, "phase", "declarer") == ["play", 3]


def test_there_is_no_exchange_after_the_second_auction() -> None:
    match = start(deal(centre="4C"), max_deals=1)
    choose(match, *ALL_PASS, "bid 7", *THREE_PASS)
    assert len(seen(match, 0, "hand", 0)) == 12
    assert seen(match, 0, "exchanged") == seen(match, 0, "discard") == ()
    play_tricks(match)
    assert seen(match, 1, "centre") == ("4C",)
    assert "4C" not in [card for _, card in told(match, 1, "play")]


def test_a_seven_turned_up_forces_its_printed_suit() -> None:  # ruling 4
    match = start(deal(centre="7B"))
    choose(match, *ALL_PASS, "bid 7", *THREE_PASS)
    assert facts(match, "bid_strain", "trump") == ["book", "B"]


@pytest.mark.parametrize("bid", ["bid 7 notrump", "bid 12 notrump", "bid 8 coin"])
def test_no_strain_can_be_named_in_the_second_auction(bid: str) -> None:  # ruling 4
    match = start(deal(centre="4C"))
    choose(match, *ALL_PASS)
    with pytest.raises(IllegalAction, match="Seat 0"):
        choose(match, bid)


@pytest.mark.parametrize("strain", SUITS)
def test_a_contract_of_the_second_auction_pays_by_the_suit_turned_up(strain: str) -> None:
    # Ruling 7. The lowest trump of the suit lies in the centre; seat 0 has the other twelve.
    lowest = [card for card in cards(TRUMPS[strain]) if card[1] == SUITS[strain][1]][-1]
    hand = TRUMPS[strain].replace(lowest, "")
    match = start(deal(hand, centre=lowest), max_deals=1)
    choose(match, *ALL_PASS, "bid 8", *THREE_PASS)
    play_tricks(match, seat0=hand)
    assert facts(match, "totals") == [(12 + TABLE[strain][1], 0)]


def test_a_deal_that_all_pass_twice_is_over_without_points() -> None:
    match = start(deal(), deal(first=1))
    choose(match, *ALL_PASS, *ALL_PASS)
    assert match.to_act == (1,)
    assert facts(match, "deal", "dealer", "totals", "phase") == [2, 0, (0, 0), "auction"]
    assert facts(match, "calls", "bidder", "trump") == [(), -1, ""]
    assert match.observe(1).zone("centre")[2:] == ((), 1)


# Exchange -----------------------------------------------------------------------------------------


def test_any_of_the_thirteen_cards_may_be_discarded() -> None:  # ruling 8
    match = start(deal("", "7F 7T 7S 7C 7B 7O 7H 8F 8T 8S 8C 8B", centre="8O"))
    choose(match, "pass", "bid 7 heart", *THREE_PASS)
    hand = cards("7F 8F 7T 8T 7S 8S 7C 8C 7B 8B 7O 8O 7H")
    assert seen(match, 1, "exchanged") == ("8O",)
    assert legal_now(match) == [f"discard {card}" for card in hand]
    for card in hand:
        after = match.clone()
        choose(after, f"discard {card}")
        assert seen(after, 1, "discard") == (card,)
        assert legal(after, 1) == [f"play {other}" for other in hand if other != card]


def test_the_discard_is_out_of_play() -> None:
    match = start(deal("KF", centre="7O"), max_deals=1)
    choose(match, "bid 7 heart", *THREE_PASS, "discard KF")
    play_tricks(match)
    played = [card for _, card in told(match, 1, "play")]
    assert Counter([*played, "KF"]) == Counter(DECK)


# Play ---------------------------------------------------------------------------------------------


def test_the_declarer_leads_and_then_each_tricks_winner() -> None:
    match = start(deal("QF", "JF", "8F", "9F"))
    choose(match, "bid 7 coffin", "pass")
    contract(match, "bid 7 notrump")
    assert match.to_act == (2,)
    play(match, "8F 9F QF")
    assert match.to_act == (1,)
    play(match, "JF")
    assert match.to_act == (0,)
    assert facts(match, "leader", "leaders", "taken") == [0, (2,), (1, 0)]


@pytest.mark.parametrize("strain", SUITS)
def test_the_trump_suits_own_seven_is_highest_and_the_others_rank_as_sevens(strain: str) -> None:
    plain = [card for card in DECK if suit_of(card, strain) != "trump"]
    for higher, lower in pairwise(cards(TRUMPS[strain])):
        assert winner(strain, f"{higher} {lower} {plain[0]} {plain[1]}") == 0
        assert winner(strain, f"{lower} {higher} {plain[0]} {plain[1]}") == 1


def test_book_trumps_rank_as_printed() -> None:
    order = cards("7B 9B 8B 7F 7T 7S 7C 7O 7H 6B 5B 4B 3B")
    for four in zip(order, order[1:], order[2:], order[3:], strict=False):
        first, second, third, fourth = four
        assert winner("book", f"{third} {first} {fourth} {second}") == 1
        assert winner("book", f"{fourth} {third} {second} {first}") == 3


@pytest.mark.parametrize("suit", SUITS)
def test_at_no_trump_all_cards_of_a_suit_rank_from_low_to_high(suit: str) -> None:
    plain = [card for card in DECK if card not in cards(SUITS[suit])]
    for lower, higher in pairwise(cards(SUITS[suit])):
        assert winner("notrump", f"{lower} {higher} {plain[0]} {plain[-1]}") == 1
        assert winner("notrump", f"{higher} {lower} {plain[0]} {plain[-1]}") == 0


def test_the_highest_trump_wins() -> None:
    assert winner("coin", "KF 4C 5C QF") == 2
    assert winner("coin", "KF TC 7H 8F") == 1
    assert winner("coin", "KF 4C 8F 7O") == 3


def test_without_a_trump_the_highest_card_of_the_suit_led_wins() -> None:
    assert winner("coin", "8F QT 9F JS") == 2
    assert winner("notrump", "AH KF 7F QT") == 0


def test_a_hand_without_a_coin_must_play_its_seven_if_a_coin_trump_is_led() -> None:
    match = start(deal("TC 9C 8C 6C 5C 4C", "7O 2O 3O 4O 5O 6O 8O AH 2H 3H 4H 5H", centre="7C"))
    contract(match, "bid 7 coin")
    play(match, "TC")
    assert legal_now(match) == ["play 7O"]


def test_a_seven_led_is_a_trump_lead() -> None:
    match = start(deal("7O", "3B 8O 6O 2O KF QF JF TF 9F 8F QT JT"))
    contract(match, "bid 7 book")
    play(match, "7O")
    assert legal_now(match) == ["play 3B"]


def test_a_seven_is_no_card_of_its_printed_suit_under_another_trump() -> None:
    match = start(deal("8O", "7O 3B KF QF JF TF 9F 8F QT JT TT 9T"))
    contract(match, "bid 7 book")
    play(match, "8O")
    assert len(legal_now(match)) == 12


def test_at_no_trump_a_seven_is_a_card_of_its_printed_suit() -> None:
    match = start(deal("6O", "7O 7B KF QF JF TF 9F 8F QT JT TT 9T"))
    contract(match, "bid 7 notrump")
    play(match, "6O")
    assert legal_now(match) == ["play 7O"]
    assert winner("notrump", "6O 7B 7H 7F") == 0


def test_a_seat_must_follow_suit() -> None:
    match = start(deal("KF", "QF 8F QT"))
    contract(match, "bid 7 star")
    play(match, "KF")
    before = match.observe(None)
    with pytest.raises(IllegalAction, match=r"Seat 1 .*'play QT'.* the suit led"):
        play(match, "QT")
    assert match.observe(None) == before
    assert "play QF" in legal_now(match)
    assert "play 8F" in legal_now(match)


def test_a_seat_that_cannot_follow_may_play_any_card() -> None:
    match = start(deal("KF", "6T 7T 8T 9T TT JT QT 5S 6S 7S 8S 9S"))
    contract(match, "bid 7 star")
    play(match, "KF")
    assert legal_now(match) == [f"play {c}" for c in cards("6T 7T 8T 9T TT JT QT 5S 6S 7S 8S 9S")]


# Scoring ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("tricks", range(7, 13))
@pytest.mark.parametrize("strain", STRAINS)
def test_a_contract_made_pays_by_the_table(strain: str, tricks: int) -> None:  # ruling 1
    match = start(deal(SURE[strain]), max_deals=1)
    contract(match, f"bid {tricks} {strain}")
    play_tricks(match, seat0=SURE[strain])
    assert facts(match, "taken", "totals") == [(12, 0), (12 + TABLE[strain][tricks - 7], 0)]
    assert told(match, 3, "made") == [(0, 12)]


def test_tricks_above_the_contract_bring_a_point_each_and_no_more() -> None:
    assert facts(eight_tricks("bid 7 star"), "totals") == [(8 + 9, 4)]
    assert facts(eight_tricks("bid 8 star"), "totals") == [(8 + 17, 4)]


def test_star_ten_with_eight_tricks_pays_the_others_two_times_four() -> None:
    match = eight_tricks("bid 10 star")
    assert facts(match, "totals") == [(8, 4 + 2 * 4)]
    assert told(match, 3, "failed") == [(0, 8)]


def test_a_failed_declarers_team_keeps_its_trick_points() -> None:  # ruling 3
    for bid in range(9, 13):
        match = eight_tricks(f"bid {bid} star")
        assert facts(match, "totals") == [(8, 4 + (bid - 8) * 4)]


def test_a_declarer_without_a_trick_pays_seven_times_twelve() -> None:
    match = start(deal("AH", SURE["star"]), max_deals=1)
    contract(match, "bid 7 star")
    play_tricks(match, seat0="AH", seat1=SURE["star"])
    assert facts(match, "taken", "totals") == [(0, 12), (0, 12 + 7 * 12)]


def test_the_partners_tricks_count_for_the_contract() -> None:
    match = start(deal("", "AH", "", SURE["star"]), max_deals=1)
    choose(match, "pass")
    contract(match, "bid 12 star")
    play_tricks(match, seat1="AH", seat3=SURE["star"])
    assert facts(match, "declarer", "taken", "totals") == [1, (0, 12), (0, 12 + 49)]


# The end ------------------------------------------------------------------------------------------


def test_teammates_sit_opposite_and_share_score_and_rank() -> None:
    assert SEVEN_EUCHRE.teams(4) == (0, 1, 0, 1)
    match = eight_tricks("bid 8 star", target=25)
    assert scores(match) == ([25, 4, 25, 4], [1, 3, 1, 3], "target")


def test_a_total_below_the_target_does_not_end_the_match() -> None:
    match = eight_tricks("bid 8 star", target=26)
    assert match.to_act == (1,)
    assert facts(match, "deal", "dealer", "totals") == [2, 0, (25, 4)]


def test_if_both_teams_reach_the_target_the_higher_total_wins() -> None:  # ruling 2
    match = eight_tricks("bid 10 star", target=8)
    assert scores(match) == ([8, 12, 8, 12], [3, 1, 3, 1], "target")


def test_a_tie_at_the_target_is_played_on() -> None:
    match = eight_tricks("bid 9 star", target=8)  # 8 for tricks; 4 for tricks and 1 x 4
    assert facts(match, "deal", "totals") == [2, (8, 8)]
    contract(match, "bid 7 book")
    play_tricks(match, seat1=SURE["book"])
    assert scores(match) == ([8, 31, 8, 31], [3, 1, 3, 1], "target")


def test_a_tie_after_the_last_deal_is_a_draw() -> None:  # ruling 5
    match = eight_tricks("bid 9 star", target=8, max_deals=1)
    assert scores(match) == ([8] * 4, [1] * 4, "limit")


def test_after_the_last_deal_the_higher_total_wins() -> None:
    match = eight_tricks("bid 10 star", max_deals=1)
    assert scores(match) == ([8, 12, 8, 12], [3, 1, 3, 1], "limit")


def test_a_target_reached_in_the_last_deal_is_the_reason() -> None:
    match = eight_tricks("bid 10 star", target=12, max_deals=1)
    assert scores(match) == ([8, 12, 8, 12], [3, 1, 3, 1], "target")


def test_a_passed_out_deal_is_a_deal() -> None:  # ruling 5
    match = start(deal(), deal(first=1), max_deals=2)
    choose(match, *ALL_PASS, *ALL_PASS)
    assert match.result is None
    choose(match, *ALL_PASS, *ALL_PASS)
    assert scores(match) == ([0] * 4, [1] * 4, "limit")


def test_the_ladder_plays_to_a_hundred_points_or_forty_deals() -> None:
    match = SEVEN_EUCHRE.start()
    assert (match.players, match.options) == (4, {"target": 100, "max_deals": 40})


@pytest.mark.parametrize("option", ["target", "max_deals"])
def test_options_are_at_least_one(option: str) -> None:
    with pytest.raises(ValueError, match=f"{option} must be an integer of at least 1, not 0"):
        SEVEN_EUCHRE.start(options={option: 0})


# Hidden information -------------------------------------------------------------------------------


def cards_named(match: Match, viewer: int) -> set[object]:
    """Returns all cards whose codes the viewer receives."""
    zones = [card for zone in match.observe(viewer).zones for card in zone.cards]
    words = [word for event in match.events(viewer) for word in event.arguments]
    return {word for word in [*zones, *words] if word in DECK}


def test_only_the_declarer_sees_the_card_it_took_and_its_discard() -> None:
    match = start(deal("KF", centre="7B"))
    choose(match, "bid 7 star", *THREE_PASS)
    assert [match.observe(seat).zone("hand", 0).hidden for seat in range(4)] == [0, 13, 13, 13]
    choose(match, "discard KF")
    assert seen(match, 0, "exchanged") == ("7B",)
    assert seen(match, 0, "discard") == ("KF",)
    assert told(match, 0, "take-centre", "discard") == [(0, "7B"), (0, "KF")]
    for seat in (1, 2, 3):
        assert told(match, seat, "take-centre", "discard") == [(0,), (0,)]
        assert match.observe(seat).zone("discard")[2:] == ((), 1)
        assert match.observe(seat).zone("hand", 0)[2:] == ((), 12)
        assert cards_named(match, seat) == set(seen(match, seat, "hand", seat))


def test_the_discard_stays_hidden_when_the_match_is_over() -> None:
    match = eight_tricks("bid 10 star", max_deals=1)
    assert match.result is not None
    for seat in (1, 2, 3):
        assert match.observe(seat).zone("discard")[2:] == ((), 1)
        assert not cards_named(match, seat) & set(seen(match, 0, "discard"))


@pytest.mark.parametrize("max_deals", [1, 2])
def test_the_hands_of_a_passed_out_deal_are_never_shown(max_deals: int) -> None:
    match = start(deal(centre="7B"), deal(centre="7B", first=1), max_deals=max_deals)
    own = [set(seen(match, seat, "hand", seat)) for seat in range(4)]
    choose(match, *ALL_PASS, *ALL_PASS)
    for seat in range(4):
        assert len(told(match, seat, "passed-out")) == 1
        in_the_next_deal = set(seen(match, seat, "hand", seat))
        assert cards_named(match, seat) == own[seat] | in_the_next_deal | {"7B"}


def test_everybody_is_told_the_course_of_a_deal() -> None:
    match = eight_tricks("bid 10 star", target=12)
    for seat in range(4):
        assert told(match, seat, "deal") == [(3, 1)]
        assert told(match, seat, "contract") == [(0, 10, "star")]
        assert told(match, seat, "take-trick") == [(0,)] * 8 + [(1,)] * 4
        assert told(match, seat, "failed", "score") == [(0, 8), (None, 8, 12)]
        assert seen(match, seat, "played", 0) == cards(EIGHT_TRICKS)
        assert facts(match, "leaders") == [(0,) * 9 + (1,) * 3]


# Random play --------------------------------------------------------------------------------------


def some_choice(match: Match, rng: Random) -> str:
    """Returns a choice; seats bid rarely and low, so that contracts are made, failed and passed
    out."""
    may = legal_now(match)
    if may[0] == "pass":
        return may[0] if rng.random() < 0.85 else rng.choice(may[:6])
    return rng.choice(may)


def random_deal(rng: Random) -> Iterator[Match]:
    """Yields a match of one deal, before each choice and at its end."""
    match = SEVEN_EUCHRE.start(options={"max_deals": 1}, deals=SeededDeals(rng.randbytes(8)))
    yield match
    while match.to_act:
        choose(match, some_choice(match, rng))
        yield match


def test_the_points_of_every_deal_follow_from_contract_and_tricks(seed: int) -> None:
    rng = Random(seed)
    endings: Counter[str] = Counter()
    for _ in range(200):
        *_, match = random_deal(rng)
        declarer, bid, strain = facts(match, "declarer", "bid_tricks", "bid_strain")
        taken, totals = facts(match, "taken", "totals")
        if declarer == -1:
            endings["passed-out"] += 1
            assert (taken, totals) == ((0, 0), (0, 0))
            continue
        assert Counter(seat % 2 for (seat,) in told(match, 0, "take-trick")) == Counter(
            {0: taken[0], 1: taken[1]}
        )
        assert len(told(match, 0, "play")) == 48
        won, lost = taken[declarer % 2], taken[1 - declarer % 2]
        assert won + lost == 12
        endings["made" if won >= bid else "failed"] += 1
        pays = (TABLE[strain][bid - 7], 0) if won >= bid else (0, (bid - won) * lost)
        assert totals[declarer % 2] == won + pays[0]
        assert totals[1 - declarer % 2] == lost + pays[1]
    assert set(endings) == {"made", "failed", "passed-out"}


def dealt_again(match: Match, twin: Match) -> Match:
    """Returns a match that deals the cards of `twin`, with the choices of `match`; the declarer
    discards the same cards as in `twin`."""
    had = [
        [*seen(twin, None, "hand", seat), *seen(twin, None, "played", seat)] for seat in range(4)
    ]
    exchanged, discarded = seen(twin, None, "exchanged"), seen(twin, None, "discard")
    for card in exchanged:
        declarer = had[twin.observe(None).facts["declarer"]]
        declarer += discarded
        declarer.remove(card)
    [centre] = exchanged or seen(twin, None, "centre")
    again = start(deal(*map(" ".join, had), centre=centre), max_deals=1)
    for event in match.events(None):
        if event.verb in ("pass", "bid", "discard", "play"):
            words = discarded if event.verb == "discard" else event.arguments
            choose(again, " ".join([event.verb, *words]))
    return again


def test_a_redealt_match_could_have_come_from_the_shuffle_by_the_same_choices(seed: int) -> None:
    rng = Random(seed)
    phases: Counter[object] = Counter()
    for _ in range(60):
        for match in random_deal(rng):
            [phase] = facts(match, "phase")
            if phase == "play" and rng.random() < 0.9:
                continue
            viewer = rng.randrange(4)
            twin = match.redeal(viewer, rng)
            assert_looks_equal(match, twin, viewer)
            again = dealt_again(match, twin)
            assert_looks_equal(match, again, viewer)
            assert again.observe(None) == twin.observe(None)
            if twin.observe(None) != match.observe(None):
                phases[phase] += 1
    assert set(phases) == {"auction", "second-auction", "exchange", "play", "over"}


def test_any_card_can_be_the_discard_and_any_the_declarer_has_had_the_one_it_took(
    seed: int,
) -> None:
    rng = Random(seed)
    match = SEVEN_EUCHRE.start()
    contract(match, "bid 7 coin")
    choose(match, legal_now(match)[0])
    lead = seen(match, 2, "trick")
    unseen = set(DECK) - set(seen(match, 2, "hand", 2)) - set(lead)
    twins = [match.redeal(2, rng) for _ in range(1000)]
    assert {seen(twin, None, "discard") for twin in twins} == {(card,) for card in unseen}
    assert {seen(twin, None, "exchanged") for twin in twins} == {(c,) for c in unseen} | {lead}
    assert any(seen(t, None, "exchanged") == seen(t, None, "discard") for t in twins)


def possible_hands(match: Match, viewer: int) -> set[tuple[tuple[str, ...], ...]]:
    """Returns all possible holdings of the others between two tricks, by seat, with the discard
    last: a seat that did not follow suit has no card of that suit."""
    leaders, strain = facts(match, "leaders", "bid_strain")
    played = [seen(match, viewer, "played", seat) for seat in range(4)]
    suits = [[suit_of(card, strain) for card in by_seat] for by_seat in played]
    voids = [
        {suits[leader][k] for k, leader in enumerate(leaders) if own[k] != suits[leader][k]}
        for own in suits
    ]
    own_hand = seen(match, viewer, "hand", viewer)
    unseen = [c for c in DECK if c not in own_hand and not any(c in cs for cs in played)]
    deals: list[tuple[tuple[str, ...], ...]] = [()]
    for seat in range(4):
        if seat == viewer:
            deals = [(*hands, own_hand) for hands in deals]
            continue
        deals = [
            (*hands, hand)
            for hands in deals
            for hand in combinations([c for c in unseen if not any(c in h for h in hands)], 2)
            if not any(suit_of(card, strain) in voids[seat] for card in hand)
        ]
    return {(*hands, tuple(c for c in unseen if not any(c in h for h in hands))) for hands in deals}


def before_the_last_two_tricks(rng: Random) -> tuple[Match, int]:
    """Returns a position with few enough possible hands to try them all, and the seat after the
    declarer, which must consider them."""
    for _ in range(1000):
        for match in random_deal(rng):
            declarer, leaders = facts(match, "declarer", "leaders")
            if len(leaders) == 10 and not seen(match, None, "trick") and told(match, 0, "discard"):
                viewer = (declarer + 1) % 4
                if 20 <= len(possible_hands(match, viewer)) <= 100:
                    return match, viewer
    raise AssertionError("No such position in a thousand deals.")


def test_before_the_last_two_tricks_exactly_the_possible_hands_come_up(seed: int) -> None:
    rng = Random(seed)
    match, viewer = before_the_last_two_tricks(rng)
    possible = possible_hands(match, viewer)
    twins = [match.redeal(viewer, rng) for _ in range(50 * len(possible))]
    places = [*[("hand", seat) for seat in range(4)], ("discard", None)]
    assert possible == {tuple(seen(twin, None, *place) for place in places) for twin in twins}
