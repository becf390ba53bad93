"""Dingo: each ruling and each published example, and the invariants of every match."""

from collections import Counter
from collections.abc import Sequence
from random import Random

import pytest

from sevens_games import IllegalAction, Match, SeededDeals, StackedDeals, load
from sevens_games.cards.standard import DECK
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

DINGO = load("dingo")
PACK = [card for card in DECK if card[1] != "D" or card == "AD"]
HEARTS = [f"{rank}H" for rank in "23456789TJQK"]
FIRST_DEALER = 3

# A deal as far as the hunts: the ordering to shuffle, and the 28 choices.
Script = tuple[list[str], list[str]]


def preparation(*texts: str, dealer: int = FIRST_DEALER, discards: str = "") -> Script:
    """Returns a deal in which the seats end with these hands. The rest is filled up: the hands with
    aces and black cards, the discards with hearts, so that only the dingoes named are hunted.

    To the left, one card goes round the table; across, two are given back; to the right, three
    change hands: so each of the dealer and the two seats after it gets its first card.
    """
    kept = [list(cards(text)) for text in texts]
    thrown = list(cards(discards))
    named = {card for hand in (*kept, thrown) for card in hand}
    hearts = [card for card in HEARTS if card not in named]
    thrown += hearts[: 16 - len(thrown)]
    spare = [card for card in (*PACK[::-1], *hearts) if card not in {*named, *thrown}]
    spare.sort(key=lambda card: card[0] != "A")
    for hand in kept:
        hand += [spare.pop(0) for _ in range(6 - len(hand))]
    thrown += spare
    seats = [(dealer + turn) % 4 for turn in range(4)]
    a, b, c, _ = seats
    x, y, z = kept[c][0], kept[a][0], kept[b][0]
    dealt = [[*hand, *thrown[seat::4]] for seat, hand in enumerate(kept)]
    for seat, gets, gives in ((a, y, x), (b, z, y), (c, x, z)):
        dealt[seat][dealt[seat].index(gets)] = gives
    rounds = [[f"discard {thrown[seat + 4 * turn]}" for seat in seats] for turn in range(4)]
    gifts = [[x, x, x, x], [x, y, x, y], [x, y, z, x]]
    choices = rounds[0]
    for given, discarded in zip(gifts, rounds[1:], strict=True):
        choices += [f"give {card}" for card in given] + discarded
    order = hands(*[" ".join(hand) for hand in dealt], each=10, first=(dealer + 1) % 4)
    return order, choices


def hunting(*texts: str, discards: str = "") -> Match:
    """A match of one deal at the first decision of its hunts, the seats having these hands."""
    order, choices = preparation(*texts, discards=discards)
    match = start(order)
    choose(match, *choices)
    for seat, text in enumerate(texts):
        held = {*seen(match, None, "hand", seat), *seen(match, None, "played", seat)}
        assert set(cards(text)) <= held
    return match


def start(*shuffles: Sequence[str]) -> Match:
    deals = StackedDeals(stack(PACK, order) for order in shuffles)
    return DINGO.start(options={"deals": len(shuffles)}, deals=deals)


def play_out(match: Match, wolves: str = "") -> Match:
    """Plays the hunts of this deal: these wolves are played, and otherwise every seat passes."""
    wanted = {"play", *cards(wolves)}
    while match.observe(None).facts["phase"] in ("hunt", "ace-hunt"):
        [seat] = match.to_act
        plays = [text for text in legal(match, seat) if set(text.split()) <= wanted]
        match.apply(seat, max(plays, key=len, default="pass"))
    return match


def scores_told(match: Match) -> list[tuple[int, ...]]:
    return [tuple(scores) for _, *scores in told(match, None, "score")]  # type: ignore[arg-type]


def fact(match: Match, name: str) -> object:
    return match.observe(0).facts[name]


def pile(match: Match, name: str, seat: int) -> set[str]:
    """Returns the seat's pile of that name, with the rabbits that it caught."""
    rabbits = [f"{rank}D" for rank in "23456789TJQK"]
    caught = match.observe(None).facts["caught"]
    assert isinstance(caught, tuple)
    own = [rabbit for rabbit, by in zip(rabbits, caught, strict=False) if by == seat]
    return {*seen(match, None, name, seat), *(own if name == "score" else [])}


# Setup and dealing --------------------------------------------------------------------------------


def test_the_pack_of_forty_is_dealt_one_at_a_time_from_the_seat_after_the_dealer() -> None:
    match = start(PACK)
    for seat in range(4):
        assert seen(match, seat, "hand", seat) == tuple(PACK[seat::4])
    assert match.deals.shuffles == [PACK]
    assert len(PACK) == 40


def test_hands_and_legal_actions_are_in_canonical_order() -> None:
    match = start(hands("", "", "", "KS AH 3C AD 2S 9H TC AC 4C 2H", each=10))
    assert seen(match, 3, "hand", 3) == cards("AC 3C 4C TC AD AH 2H 9H 2S KS")
    assert legal(match, 3) == [f"discard {card}" for card in cards("3C 4C TC 2H 9H 2S KS")]


def test_the_rabbits_lie_open_from_2d_to_kd() -> None:
    match = start(PACK)
    for viewer in (0, 3, None):
        rabbits = tuple(f"{rank}D" for rank in "23456789TJQK")
        assert match.observe(viewer).facts["rabbits"] == rabbits


def test_the_first_deal_begins_with_seat_3_and_the_second_with_seat_0() -> None:
    first, second = preparation(*[""] * 4), preparation(*[""] * 4, dealer=0)
    match = start(first[0], second[0])
    actors = []
    for text in first[1]:
        actors.append(match.to_act[0])
        choose(match, text)
    assert actors == [3, 0, 1, 2] * 7
    play_out(match)
    assert (fact(match, "dealer"), fact(match, "deal")) == (0, 2)
    assert second[0][0] in seen(match, 1, "hand", 1)
    actors = [seat for seat, _ in zip(decisions(match, Random(0)), range(4), strict=False)]
    assert actors == [0, 1, 2, 3]


def test_a_new_deal_forgets_the_piles_of_the_one_before() -> None:
    first = preparation("5H", "5C", "", "")
    match = start(first[0], PACK)
    choose(match, *first[1])
    play_out(match, "5C AC AS")
    view = match.observe(None)
    piles = ("table", "discards", "played", "score", "penalty", "given", "received")
    assert all(zone.cards == () for zone in view.zones if zone.name in piles)
    assert (view.facts["caught"], view.facts["hunt"], view.facts["scores"]) == ((), "", (0,) * 4)


def test_each_deal_has_its_own_chance(seed: int) -> None:
    match = check_one_shuffle_a_deal(DINGO, PACK, seed)
    assert len(match.deals.shuffles) == 4


# Preparation --------------------------------------------------------------------------------------


def test_seven_steps_discard_and_give_in_turn_left_across_and_right() -> None:
    match = DINGO.start(options={"deals": 1}, deals=SeededDeals("steps"))
    steps = []
    for step in range(1, 8):
        assert fact(match, "step") == step
        steps.append((fact(match, "phase"), fact(match, "give_to")))
        for seat in (3, 0, 1, 2):
            assert match.to_act == (seat,)
            before = seen(match, None, "hand", seat)
            choose(match, legal(match, seat)[0])
            event = match.events(None)[-1]
            if event.verb == "receive":
                to = (seat + {"left": 1, "across": 2, "right": 3}[str(steps[-1][1])]) % 4
                assert event.actor == seat
                assert event.arguments == before[:1]
                assert before[0] in seen(match, to, "hand", to)
    discard = ("discard", "")
    assert steps == [
        discard, ("give", "left"), discard, ("give", "across"), discard, ("give", "right"), discard
    ]  # fmt: skip
    assert fact(match, "step") == 0
    assert {len(seen(match, None, "hand", seat)) for seat in range(4)} <= {5, 6}


def test_all_discards_stay_public() -> None:
    match = start(PACK)
    thrown = []
    for _ in range(4):
        thrown.append(legal(match, match.to_act[0])[0].split()[1])
        choose(match, f"discard {thrown[-1]}")
    for viewer in (0, 1, 2, 3, None):
        assert seen(match, viewer, "discards") == tuple(thrown)
        assert [card for _, card in told(match, viewer, "discard")] == thrown


def test_ruling_9_aces_are_not_discarded_but_may_be_given() -> None:
    order = hands("", "", "", "AC AD AH AS 2C 3C 4C 5C 6C 7C", each=10)
    match = start(stack(PACK, order))
    assert legal(match, 3) == [f"discard {card}" for card in cards("2C 3C 4C 5C 6C 7C")]
    with pytest.raises(IllegalAction, match="never an ace"):
        match.apply(3, "discard AC")
    for _ in range(4):
        choose(match, legal(match, match.to_act[0])[0])
    assert {"give AC", "give AD", "give AH", "give AS"} <= set(legal(match, 3))
    choose(match, "give AD")
    assert "AD" in seen(match, 0, "hand", 0)


def test_ruling_9_a_card_just_received_may_be_given_on() -> None:
    order, choices = preparation("", "", "", "")
    match = start(order)
    choose(match, *choices[:4])
    card = choices[4].split()[1]
    for seat in (3, 0, 1, 2):
        assert f"give {card}" in legal(match, seat)
        choose(match, f"give {card}")
    assert card in seen(match, 3, "hand", 3)
    assert seen(match, 3, "given", 3) == seen(match, 3, "received", 3) == (card,)


@pytest.mark.parametrize(("gifts", "informed"), [(4, {0, 1, 2}), (12, {1, 2}), (20, {2})])
def test_who_has_seen_its_card_before_giving(gifts: int, informed: set[int]) -> None:
    """The example: in the third exchange, only the dealer's right-hand neighbour."""
    order, choices = preparation("", "", "", "")
    match = start(order)
    choose(match, *choices[:gifts])
    with_news = set()
    for _ in range(4):
        [seat] = match.to_act
        step = len(seen(match, seat, "given", seat))
        if len(seen(match, seat, "received", seat)) > step:
            with_news.add(seat)
        choose(match, legal(match, seat)[0])
    assert with_news == informed


# The hunts from 2 to K ----------------------------------------------------------------------------


def test_a_discarded_dingo_is_not_hunted_and_its_rabbit_is_discarded() -> None:
    match = hunting("", "", "9H", "", discards="2H")
    assert fact(match, "hunt") == "9"
    assert fact(match, "caught") == (-1,) * 7
    assert fact(match, "rabbits") == cards("9D TD JD QD KD")
    assert told(match, 0, "escape")[0] == (None, "2D")


def test_ruling_2_the_dingo_is_played_without_a_decision() -> None:
    match = hunting("", "5C", "5H", "5S")
    assert told(match, 0, "dingo") == [(2, "5H")]
    assert seen(match, 0, "table") == ("5H",)
    assert fact(match, "dingo_player") == 2
    assert match.to_act == (3,)


def test_ruling_3_every_seat_in_turn_is_asked_whether_it_holds_a_wolf_or_not() -> None:
    match = hunting("", "5H", "", "5C 5S")
    assert match.to_act == (2,)
    assert legal(match, 2) == ["pass"]
    assert match.ask_forced
    choose(match, "pass")
    assert match.to_act == (3,)
    choose(match, "play 5C")
    assert (match.to_act, legal(match, 0)) == ((0,), ["pass"])
    choose(match, "pass")
    assert fact(match, "hunt") == "A"
    assert match.ask_forced


def test_ruling_3_nobody_is_asked_when_both_wolves_are_discarded() -> None:
    match = hunting("5H 9H", "9C", "", "", discards="5C 5S")
    assert fact(match, "hunt") == "9"
    assert pile(match, "penalty", 0) == {"5H"}


def test_ruling_3_with_one_wolf_discarded_the_others_are_asked_until_the_other_one_comes() -> None:
    match = hunting("5H", "", "5S", "", discards="5C")
    choose(match, "pass", "play 5S")
    assert fact(match, "hunt") == "A"
    assert pile(match, "score", 2) == {"5S", "5D"}


def test_preparation_does_not_ask_forced_choices_beyond_need() -> None:
    assert not start(PACK).ask_forced


def test_ruling_4_a_seat_plays_one_of_its_two_wolves() -> None:
    match = hunting("6H", "6C 6S", "", "")
    assert legal(match, 1) == ["pass", "play 6C", "play 6S"]
    with pytest.raises(IllegalAction, match="one black card of the rank"):
        match.apply(1, "play 6C 6S")


def test_example_both_wolves_in_one_hand_catch_as_one() -> None:
    match = hunting("6H", "6C 6S", "", "")
    choose(match, "play 6S", "pass", "pass")
    assert pile(match, "score", 1) == {"6S", "6D"}
    assert pile(match, "score", 0) == {"6H"}
    play_out(match)
    assert "6C" in seen(match, 3, "hand", 1)


def test_ruling_5_the_dingo_players_own_wolves_keep_out() -> None:
    match = hunting("6H 6C 6S", "", "", "")
    for seat in (1, 2, 3):
        assert legal(match, seat) == ["pass"]
        choose(match, "pass")
    assert fact(match, "hunt") == "A"
    assert pile(match, "penalty", 0) == {"6H"}
    play_out(match)
    assert set(cards("6C 6S")) <= set(seen(match, 1, "hand", 0))


def test_ruling_8_example_the_second_wolf_goes_to_its_player_with_the_rabbit() -> None:
    match = hunting("5H", "5C", "5S", "")
    choose(match, "play 5C", "play 5S")
    assert fact(match, "hunt") == "A", "the fourth seat is not asked"
    assert pile(match, "score", 2) == {"5S", "5D"}
    assert pile(match, "score", 0) == {"5H", "5C"}
    assert pile(match, "score", 1) == set()
    assert told(match, 3, "catch") == [(2, "5D")]


def test_one_wolf_takes_the_rabbit_and_the_dingo_scores_for_its_player() -> None:
    match = hunting("", "5H", "", "5C")
    choose(match, "pass", "play 5C", "pass")
    assert pile(match, "score", 3) == {"5C", "5D"}
    assert pile(match, "score", 1) == {"5H"}
    assert fact(match, "scores") == (0, 1, 0, 2)


def test_example_all_pass_and_the_dingo_is_a_penalty() -> None:
    match = hunting("9H", "9C", "9S", "")
    choose(match, "pass", "pass", "pass")
    assert pile(match, "penalty", 0) == {"9H"}
    assert fact(match, "hunt") == "A"
    assert fact(match, "caught") == (-1,) * 12
    assert fact(match, "scores") == (-1, 0, 0, 0)


def test_tens_and_court_cards_count_two_points() -> None:
    match = hunting("TH JH AH AD", "TC", "QH", "KH QC KC")
    play_out(match, "TC QC")
    assert pile(match, "score", 1) == {"TC", "TD"}
    assert pile(match, "penalty", 0) == {"JH", "AH", "AD"}
    assert match.result is not None
    assert match.result.scores == [2 - 2 - 3 - 3, 2 + 2, 2, 2 + 2 - 2]


# The hunt of the aces -----------------------------------------------------------------------------


def test_the_other_seats_are_asked_in_turn_and_then_the_dingo_player_itself() -> None:
    match = hunting("", "AH AC", "AS", "AD")
    asked = []
    while match.to_act:
        asked.append(match.to_act[0])
        choose(match, "pass")
    assert asked == [2, 3, 0, 1]


def test_a_seat_with_both_black_aces_may_play_one_or_both() -> None:
    match = hunting("AH", "AC AS", "AD", "")
    assert legal(match, 1) == ["pass", "play AC", "play AS", "play AC AS"]
    choose(match, "play AC AS")
    assert match.result is not None
    assert pile(match, "score", 1) == {"AC", "AS"}
    assert seen(match, 0, "played", 1) == cards("AC AS")
    assert match.result.scores == [3, 6, 10, 0]


def test_nobody_is_asked_once_both_black_aces_are_out() -> None:
    match = hunting("AH", "AC", "AS", "AD")
    choose(match, "play AC", "play AS")
    assert match.result is not None
    assert match.result.scores == [3, 3, 3, 10]


def test_ruling_6_ad_is_played_in_its_holders_turn_without_a_decision() -> None:
    match = hunting("AH", "AS", "AC AD", "")
    choose(match, "play AS", "play AC")
    assert told(match, 0, "rabbit") == [(2, "AD")]
    assert pile(match, "score", 2) == {"AC", "AD"}


def test_ruling_6_example_ad_is_too_late_if_a_black_ace_comes_after_its_holders_turn() -> None:
    match = hunting("AH", "AD", "AS", "AC")
    choose(match, "pass", "play AS", "play AC")
    assert told(match, 0, "rabbit") == []
    assert told(match, 0, "show") == [(1, "AD")]
    assert pile(match, "penalty", 1) == {"AD"}
    assert match.result is not None
    assert match.result.scores == [3, -3, 3, 3]


def test_ruling_6_ad_is_a_penalty_if_a_black_ace_never_comes() -> None:
    match = hunting("AH", "AC", "AS", "AD")
    choose(match, "play AC", "pass", "pass", "pass")
    assert pile(match, "penalty", 3) == {"AD"}
    assert match.result is not None
    assert match.result.scores == [3, 3, 0, -3]


def test_example_the_dingo_player_plays_ac_last_and_ad_follows() -> None:
    match = hunting("AH AC AD", "", "AS", "")
    choose(match, "pass", "play AS", "pass", "play AC")
    assert pile(match, "score", 0) == {"AH", "AC", "AD"}
    assert match.result is not None
    assert match.result.scores == [3 + 3 + 10, 0, 3, 0]


def test_ruling_7_the_dingo_players_own_black_ace_saves_ah() -> None:
    match = hunting("AH AC", "", "AS", "AD")
    choose(match, "pass", "pass", "pass", "play AC")
    assert pile(match, "score", 0) == {"AH", "AC"}
    assert pile(match, "penalty", 0) == set()


def test_ah_alone_is_a_penalty_of_three() -> None:
    match = hunting("AH AC", "", "AS", "AD")
    choose(match, "pass", "pass", "pass", "pass")
    assert pile(match, "penalty", 0) == {"AH"}
    assert match.result is not None
    assert match.result.scores == [-3, 0, 0, -3]


def test_ruling_11_no_red_card_is_ever_left_over(seed: int) -> None:
    rng = Random(seed)
    for number in range(50):
        match = DINGO.start(options={"deals": 1}, deals=SeededDeals(f"{seed}/{number}"))
        for _ in decisions(match, rng):
            pass
        left = [card for seat in range(4) for card in seen(match, None, "hand", seat)]
        assert {card[1] for card in left} <= {"C", "S"}


# Scoring ------------------------------------------------------------------------------------------


def test_ruling_1_by_default_each_seat_deals_once() -> None:
    match = DINGO.start()
    assert (match.players, match.options) == (4, {"deals": 4})
    for _ in decisions(match, Random(0)):
        pass
    assert [seat for seat, _ in told(match, 0, "deal")] == [3, 0, 1, 2]


def test_ruling_12_in_one_deal_the_highest_rabbit_orders_equal_scores() -> None:
    match = hunting("5C", "7C", "5H 7H", "AC AD AH AS")
    play_out(match, "5C 7C AC AS")
    assert match.result is not None
    assert match.result.scores == [2, 2, 2, 19]
    assert match.result.ranks == [3, 2, 4, 1]


def test_ruling_12_without_any_rabbit_equal_scores_tie() -> None:
    match = play_out(hunting("", "", "", "AC AD AH AS"), "AC AS")
    assert match.result is not None
    assert match.result.ranks == [2, 2, 2, 1]


def test_ruling_12_ad_is_the_highest_rabbit() -> None:
    match = hunting("TC QC KC", "TH QH AH", "AC AS", "KH AD")
    play_out(match, "TC QC KC AC AS")
    assert match.result is not None
    assert match.result.scores == [12, 7, 6, 12]
    assert match.result.ranks == [2, 3, 4, 1]


def test_ruling_12_ad_in_a_penalty_pile_does_not_count() -> None:
    match = hunting("5H 6H 7H AD", "6C JH AS", "7C AH", "5C AC")
    play_out(match, "5C 6C 7C")
    assert pile(match, "penalty", 0) == {"AD"}
    assert match.result is not None
    assert match.result.scores == [0, 0, -1, 2]
    assert match.result.ranks == [3, 2, 4, 1]


def test_ruling_12_example_over_two_deals_equal_totals_tie() -> None:
    first = preparation("2H TC", "AH TH JH 3H", "AD 2C", "AC AS")
    second = preparation("2H 4H", "AH AC 3H", "AD 2C", "AS 4C JH", dealer=0)
    match = start(first[0], second[0])
    choose(match, *first[1])
    play_out(match, "2C TC AC AS")
    assert fact(match, "totals") == (5, 2, -1, 6)
    choose(match, *second[1])
    play_out(match, "2C 4C AC")
    assert scores_told(match) == [(5, 2, -1, 6), (2, 5, -1, 0)]
    assert match.result is not None
    assert match.result.scores == [7, 7, -2, 6]
    assert match.result.ranks == [1, 1, 4, 3]
    assert match.result.reason == "played-out"
    assert fact(match, "totals") == (7, 7, -2, 6)


@pytest.mark.parametrize("deals", [0, 101, True, "4"])
def test_the_number_of_deals_is_an_integer_from_1_to_100(deals: object) -> None:
    with pytest.raises(ValueError, match="deals must be an integer from 1 to 100"):
        DINGO.start(options={"deals": deals})  # type: ignore[dict-item]


# Information --------------------------------------------------------------------------------------


def test_ruling_10_a_gift_is_known_to_its_giver_and_its_receiver_only() -> None:
    order, choices = preparation("", "", "", "")
    match = start(order)
    choose(match, *choices[:5])
    card = choices[4].split()[1]
    for viewer in (3, None):
        assert told(match, viewer, "give") == [(3, card)]
        assert seen(match, viewer, "given", 3) == (card,)
    for viewer in (0, None):
        assert told(match, viewer, "receive") == [(3, card)]
        assert seen(match, viewer, "received", 0) == (card,)
    for viewer in (0, 1, 2):
        assert told(match, viewer, "give") == [(3,)]
    for viewer in (1, 2, 3):
        assert told(match, viewer, "receive") == []
    for viewer in (1, 2):
        assert not any(
            zone.cards
            for zone in match.observe(viewer).zones
            if zone.name in ("given", "received") or (zone.name, zone.owner) == ("hand", 0)
        )


def test_the_cards_left_are_shown_at_the_end_of_a_deal() -> None:
    first = preparation("", "", "", "AC AD AH AS")
    match = start(first[0], PACK)
    choose(match, *first[1])
    hands_left = [seen(match, None, "hand", seat) for seat in (0, 1, 2)]
    play_out(match, "AC AS")
    for viewer in (0, 1, 2, 3):
        shown = {seat: tuple(left) for seat, *left in told(match, viewer, "left")}
        assert [shown[seat] for seat in (0, 1, 2)] == hands_left
        assert match.observe(viewer).zone("hand", (viewer + 1) % 4).hidden == 10


def test_at_the_end_of_the_match_all_hands_are_open() -> None:
    match = play_out(hunting("", "", "", "AC AD AH AS"))
    for viewer in range(4):
        assert all(zone.hidden == 0 for zone in match.observe(viewer).zones)


def play_first(match: Match, turns: int) -> None:
    for _ in range(turns):
        choose(match, legal(match, match.to_act[0])[0])


def test_a_card_given_is_known_to_be_there_until_its_receiver_gives() -> None:
    match = start(PACK)
    play_first(match, 5)  # the fifth is the first gift, from seat 3 to seat 0
    given = seen(match, 3, "given", 3)
    assert seen(match, 3, "hand", 0) == given
    assert match.observe(3).zone("hand", 0).hidden == 9
    choose(match, legal(match, 0)[-1])
    assert seen(match, 3, "hand", 0) == ()
    assert given[0] in seen(match, None, "hand", 0)


def test_a_card_given_is_known_to_be_there_until_it_is_discarded() -> None:
    match = start(PACK)
    play_first(match, 24)
    # To the right, the receivers have already given, except the last one.
    for giver, receiver in ((0, 3), (1, 0), (2, 1)):
        assert seen(match, giver, "hand", receiver) == seen(match, giver, "given", giver)[-1:]
    assert seen(match, 3, "hand", 2) == ()
    [card] = seen(match, 0, "hand", 3)
    choose(match, f"discard {card}")
    assert seen(match, 0, "hand", 3) == ()


# Redealing what a seat cannot see -----------------------------------------------------------------


def places(match: Match, viewer: int, card: str, trials: int = 400) -> Counter[int]:
    """Returns the number of redealt matches in which each seat but the viewer holds the card."""
    found: Counter[int] = Counter()
    for number in range(trials):
        redealt = match.redeal(viewer, Random(number))
        assert_looks_equal(match, redealt, viewer)
        found.update(
            seat
            for seat in range(4)
            if card in seen(redealt, None, "hand", seat) and seat != viewer
        )
    return found


def past_of(match: Match, choices: Sequence[tuple[int, str]]) -> tuple[list[str], list[str]]:
    """Returns a past that leads to this match: the order of the shuffle, and the choices."""
    held = [list(seen(match, None, "hand", seat)) for seat in range(4)]
    given = [list(seen(match, None, "given", seat)) for seat in range(4)]
    for seat in range(4):
        held[seat] += seen(match, None, "played", seat)
    texts = [
        f"give {given[seat].pop(0)}" if text.startswith("give") else text for seat, text in choices
    ]
    dealer = match.observe(None).facts["dealer"]
    assert isinstance(dealer, int)
    for turn, (seat, _) in reversed(list(enumerate(choices))):
        text, card = texts[turn], texts[turn].split()[-1]
        if text.startswith("discard"):
            held[seat].append(card)
        if text.startswith("give"):
            held[(seat + 1 + turn // 8) % 4].remove(card)
            held[seat].append(card)
    return hands(*map(" ".join, held), each=10, first=(dealer + 1) % 4), texts


def test_a_redealt_match_can_have_come_about_just_as_its_viewer_saw_it(seed: int) -> None:
    """It is dealt and played again from its first card, and the viewer receives the same
    messages."""
    rng = Random(seed)
    for number in range(150):
        original = DINGO.start(options={"deals": 1}, deals=SeededDeals(f"{seed}/{number}"))
        choices = []
        for _ in range(rng.randrange(46)):
            if original.to_act:
                [seat] = original.to_act
                choices.append((seat, str(rng.choice(original.legal_actions(seat)))))
                original.apply(*choices[-1])
        if not original.to_act:
            continue
        viewer = rng.randrange(4)
        order, texts = past_of(original.redeal(viewer, rng), choices)
        again = start(order)
        for (seat, _), text in zip(choices, texts, strict=True):
            assert again.to_act == (seat,)
            again.apply(seat, text)
        assert_looks_equal(original, again, viewer)


def given_left(*onwards: str) -> Match:
    """Seat 3 gives KS to seat 0 in the first exchange; the other seats' choices follow."""
    order = hands("QS JS TS 9S 8S", "KC QC JC TC 9C", "8C 7C 6C 5C 4C", "KS KH QH JH TH", each=10)
    match = start(order)
    choose(match, "discard KH", "discard QS", "discard KC", "discard 8C", "give KS", *onwards)
    return match


def test_a_card_more_often_lies_where_it_was_given_than_elsewhere() -> None:
    found = places(given_left("give JS", "give QC"), 3, "KS")
    assert found[0] > found[1] > found[2] > 0


# In every match -----------------------------------------------------------------------------------


def test_a_deal_has_28_decisions_of_preparation_and_at_most_34_in_the_hunts(seed: int) -> None:
    rng = Random(seed)
    for number in range(100):
        match = DINGO.start(options={"deals": 1}, deals=SeededDeals(f"{seed}/{number}"))
        phases: Counter[object] = Counter()
        for _ in decisions(match, rng):
            phases[fact(match, "phase")] += 1
        assert (phases["discard"], phases["give"]) == (16, 12)
        assert phases["hunt"] + phases["ace-hunt"] <= 34


def test_scores_are_the_values_of_the_piles(seed: int) -> None:
    worth = {card: 3 if card[0] == "A" else 1 + (card[0] in "TJQK") for card in DECK}
    rng = Random(seed)
    for number in range(50):
        match = DINGO.start(options={"deals": 1}, deals=SeededDeals(f"{seed}/{number}"))
        for _ in decisions(match, rng):
            pass
        assert match.result is not None
        for seat in range(4):
            scored = pile(match, "score", seat)
            value = sum(10 if card == "AD" else worth[card] for card in scored)
            value -= sum(worth[card] for card in pile(match, "penalty", seat))
            assert match.result.scores[seat] == value
