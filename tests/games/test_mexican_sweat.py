"""Mexican Sweat: each ruling and each example, and the invariants of every match."""

from collections.abc import Sequence
from random import Random

import pytest

from sevens_games import IllegalAction, Match, SeededDeals, StackedDeals, load
from sevens_games.cards.standard import DECK
from tests.support.game_redeals import possible_at, redealt
from tests.support.game_tables import (
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

MEXICAN_SWEAT = load("mexican-sweat")


def deal(centre: str, *by_seat: str, first: int = 0) -> list[str]:
    """Returns a deck that deals these cards face down, in this order, and then the centre's: the
    kill card, if there is one, and the card to beat."""
    return stack(DECK, hands(*by_seat, each=7, first=first), cards(centre))


def start(players: int, *shuffles: Sequence[str], kill_card: bool = True, deals: int = 1) -> Match:
    """A match whose later hands, up to a multiple of the players, are dealt in canonical order."""
    total = -(-deals // players) * players
    rest = [list(DECK)] * (total - len(shuffles))
    return MEXICAN_SWEAT.start(
        players=players,
        options={"hands": deals, "kill_card": kill_card},
        deals=StackedDeals([*shuffles, *rest]),
    )


def position(centre: str, *by_seat: str, kill_card: bool = True) -> Match:
    """The first turn of a match."""
    return start(len(by_seat), deal(centre, *by_seat), kill_card=kill_card)


def fact(match: Match, name: str) -> object:
    return match.observe(0).facts[name]


def scores(match: Match) -> object:
    return fact(match, "scores")


def up(match: Match, seat: int) -> tuple[str, ...]:
    return seen(match, 0, "face_up", seat)


# Dealing ------------------------------------------------------------------------------------------


def test_seven_cards_each_one_at_a_time_then_the_kill_card_and_the_card_to_beat() -> None:
    match = start(2, list(DECK))
    assert seen(match, None, "face_down", 0) == DECK[0:14:2]
    assert seen(match, None, "face_down", 1) == DECK[1:14:2]
    assert seen(match, 0, "kill_card") == (DECK[14],)
    assert seen(match, 0, "card_to_beat") == (DECK[15],)
    assert seen(match, None, "rest") == DECK[16:]


def test_without_a_kill_card_the_next_card_is_the_card_to_beat() -> None:
    match = start(2, list(DECK), kill_card=False)
    assert seen(match, 0, "kill_card") == ()
    assert seen(match, 0, "card_to_beat") == (DECK[14],)
    assert told(match, 0, "kill-card") == []


def test_the_last_seat_deals_first_and_then_the_next() -> None:
    match = start(3, list(DECK), list(DECK), deals=3)
    assert (fact(match, "dealer"), match.to_act) == (2, (0,))
    while fact(match, "deal") == 1:
        choose(match, legal(match, match.to_act[0])[0])
    assert (fact(match, "dealer"), match.to_act) == (0, (1,))


def test_everybody_pays_the_ante() -> None:
    match = start(5, list(DECK))
    assert fact(match, "pot") == 5
    assert scores(match) == (-1,) * 5


def test_each_hand_has_its_own_chance(seed: int) -> None:
    match = check_one_shuffle_a_deal(MEXICAN_SWEAT, DECK, seed, options={"hands": 8})
    assert len(match.deals.shuffles) == 8


# Turning up ---------------------------------------------------------------------------------------


def test_cards_are_turned_up_in_the_order_dealt_until_they_beat() -> None:
    match = position("4C 9D", "2C 3D TS KC", "KD")
    choose(match, "turn")
    assert up(match, 0) == cards("2C 3D TS")
    assert told(match, 1, "turn-up") == [(0, "2C"), (0, "3D"), (0, "TS")]
    assert told(match, 1, "lead") == [(0, "high card", "T", "3", "2")]
    assert fact(match, "leader") == 0


def test_a_former_leader_goes_on_with_all_its_cards() -> None:
    match = position("4C 9D", "TH TD", "QS", "8S 7H 6D 5D 3H 2S JC")
    choose(match, "turn", "check", "check", "check", "turn", "check", "check", "check")
    choose(match, "turn")  # seat 2 is beaten
    assert match.to_act == (0,)
    choose(match, "turn")
    assert up(match, 0) == cards("TH TD")
    assert told(match, 0, "lead")[-1] == (0, "pair", "T")


# Betting ------------------------------------------------------------------------------------------


def test_a_call_pays_what_is_missing() -> None:
    match = position("4C 9D", "5H 5D", "KD", "QD")
    choose(match, "turn", "check", "bet", "raise")
    assert fact(match, "paid") == (0, 4, 8)
    choose(match, "call", "call")
    assert scores(match) == (-9, -9, -9)
    assert fact(match, "pot") == 27


def test_after_a_raise_all_others_speak_again() -> None:
    match = position("4C 9D", "TD", "KD", "QD", "JD")
    choose(match, "turn", "bet", "call", "raise")
    assert fact(match, "to_speak") == (3, 0, 1)
    choose(match, "fold", "call", "call")
    assert (fact(match, "phase"), match.to_act) == ("turn", (1,))


def test_a_betting_round_starts_afresh() -> None:
    match = position("4C 9D", "TD", "KD", "QD")
    choose(match, "turn", "bet", "call", "call", "turn")
    assert fact(match, "paid") == (0, 0, 0)
    assert (fact(match, "bet"), fact(match, "bets")) == (2, 0)
    assert legal(match, 1) == ["check", "bet"]


def test_a_choice_that_is_not_offered_is_refused() -> None:
    match = position("4C 9D", "TD", "KD")
    with pytest.raises(IllegalAction, match="turns up its cards"):
        match.apply(0, "check")
    choose(match, "turn")
    with pytest.raises(IllegalAction, match="checks or bets before any bet"):
        match.apply(0, "call")


# Rulings ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("killer", ["4D", "4H", "4S"])
def test_ruling_1_the_kill_card_kills_by_rank(killer: str) -> None:
    match = position("4C 9D", killer, "TD", "KD")
    choose(match, "turn")
    assert told(match, 1, "killed") == [(0,)]
    assert fact(match, "live") == (1, 2)
    assert match.to_act == (1,)


def test_ruling_2_a_killer_face_down_does_nothing() -> None:
    match = position("4C 9D", "TD 4D", "KD", "QD")
    choose(match, "turn", "check", "check", "check", "turn")
    assert fact(match, "live") == (0, 1, 2)


def test_ruling_2_a_killer_kills_even_if_it_would_make_a_winning_hand() -> None:
    match = position("4C 3D", "2D 4D", "TD", "KD")
    choose(match, "turn")
    assert up(match, 0) == cards("2D 4D")
    assert told(match, 0, "lead") == []
    assert fact(match, "live") == (1, 2)


def test_ruling_3_the_last_live_seat_wins_without_turning_up_a_card() -> None:
    match = position("4C AD", "KD QD JH 9S 8D 7H 5C", "4D", "2C")
    choose(match, "turn", "turn")
    assert match.observe(0).facts["deal"] == 2
    assert told(match, 0, "take-pot") == [(2, 3)]


def test_ruling_4_an_ace_to_beat_is_beaten_by_an_ace_and_any_card_or_by_a_pair() -> None:
    for held in ("AC 2C", "2C 2D"):
        match = position("4C AS", held, "KD")
        choose(match, "turn")
        assert up(match, 0) == cards(held)
        assert fact(match, "leader") == 0


@pytest.mark.parametrize("held", ["5C 6D 7H 8S", "2H 5H 8H KH"])
def test_ruling_5_four_cards_of_a_straight_or_a_flush_are_no_more_than_high_cards(
    held: str,
) -> None:
    match = position("4C AS", held, "KD")
    choose(match, "turn")
    assert up(match, 0)[:4] == cards(held)
    assert len(up(match, 0)) > 4


def test_ruling_6_there_is_no_betting_before_the_first_turn_nor_after_a_seat_is_out() -> None:
    match = position("4C 9D", "4D", "4H", "TD", "KD")
    assert fact(match, "phase") == "turn"
    choose(match, "turn")
    assert (fact(match, "phase"), match.to_act) == ("turn", (1,))
    choose(match, "turn")
    assert (fact(match, "phase"), match.to_act) == ("turn", (2,))
    choose(match, "turn")
    assert (fact(match, "phase"), match.to_act) == ("betting", (2,))


def test_ruling_7_a_beaten_leader_without_a_card_left_is_out_before_the_bets() -> None:
    match = position("4C 9D", "8H 7D 6S 5S 3D 2S TH", "JC", "QD")
    choose(match, "turn", "check", "check", "check", "turn")
    assert told(match, 0, "beaten") == [(0,)]
    assert fact(match, "to_speak") == (1, 2)


def test_ruling_8_the_leader_bets_first() -> None:
    match = position("4C 9D", "TD", "KD", "QD")
    choose(match, "turn", "check", "check", "check", "turn")
    assert fact(match, "to_speak") == (1, 2, 0)


@pytest.mark.parametrize(("held", "bet"), [("TD", 2), ("AD", 2), ("2D 2H", 4)])
def test_ruling_9_the_bet_doubles_if_the_leader_shows_a_pair_or_better(held: str, bet: int) -> None:
    match = position("4C 9D", held, "KD")
    choose(match, "turn", "bet")
    assert fact(match, "bet") == bet
    assert fact(match, "paid") == (bet, 0)


def test_ruling_9_the_third_raise_is_the_last() -> None:
    match = position("4C 9D", "TD", "KD")
    choose(match, "turn", "bet", "raise", "raise")
    assert legal(match, 1) == ["fold", "call", "raise"]
    choose(match, "raise")
    assert legal(match, 0) == ["fold", "call"]


def test_ruling_10_a_score_may_be_far_below_zero() -> None:
    match = start(
        2, *[deal("4C 3D", "9D KD", "QD", first=deal_ % 2) for deal_ in range(40)], deals=40
    )
    while match.to_act:
        [seat] = match.to_act
        wanted = ("fold",) if seat == 1 else ("raise", "bet", "check", "call")
        texts = legal(match, seat)
        choose(match, next((text for text in wanted if text in texts), texts[-1]))
    assert match.result is not None
    assert match.result.scores[1] < -40


def test_ruling_11_a_leader_that_folds_leaves_its_hand_to_be_beaten() -> None:
    match = position("4C 9D", "KD", "QH JD", "AS")
    choose(match, "turn", "check", "bet", "call", "fold")
    assert fact(match, "live") == (1, 2)
    assert fact(match, "leader") == 0
    assert fact(match, "to_beat") == ("high card", "K")
    assert match.to_act == (1,)


def test_ruling_12_folding_is_not_offered_without_a_bet() -> None:
    match = position("4C 9D", "TD", "KD")
    choose(match, "turn")
    assert legal(match, 0) == ["check", "bet"]


def test_ruling_13_turning_up_is_a_decision_without_a_choice() -> None:
    match = position("4C 9D", "TD", "KD")
    assert legal(match, 0) == ["turn"]


def test_ruling_14_nobody_sees_a_card_face_down_not_even_its_owner() -> None:
    match = start(3, list(DECK))
    for viewer in range(3):
        for owner in range(3):
            zone = match.observe(viewer).zone("face_down", owner)
            assert (zone.cards, zone.hidden) == ((), 7)
        assert match.observe(viewer).zone("rest").hidden == 52 - 21 - 2


def test_ruling_14_cards_face_down_are_not_shown_at_the_end(seed: int) -> None:
    match = MEXICAN_SWEAT.start(options={"hands": 1}, deals=SeededDeals(f"{seed}"))
    for _ in decisions(match, Random(seed)):
        pass
    for viewer in range(4):
        for owner in range(4):
            assert seen(match, viewer, "face_down", owner) == ()


def test_ruling_15_the_kill_card_and_the_card_to_beat_may_have_one_rank() -> None:
    match = position("4C 4D", "4H", "5D", "KD")
    choose(match, "turn", "turn")
    assert told(match, 0, "killed") == [(0,)]
    assert fact(match, "leader") == 1


@pytest.mark.parametrize(
    ("players", "hands_wanted", "played"),
    [(5, 24, 25), (7, 24, 28), (4, 24, 24), (2, 1, 2), (3, 1, 3), (6, 7, 12)],
)
def test_ruling_16_the_hands_are_a_multiple_of_the_players(
    players: int, hands_wanted: int, played: int, seed: int
) -> None:
    match = MEXICAN_SWEAT.start(
        players=players, options={"hands": hands_wanted}, deals=SeededDeals(f"{seed}")
    )
    for _ in decisions(match, Random(seed)):
        assert fact(match, "hands") == played
    assert len(match.deals.shuffles) == played


# Examples: the first two are in test_poker.py -----------------------------------------------------


def test_example_3_a_duel_of_raises() -> None:
    match = position("4C 9D", "5H TD", "QS")
    choose(match, "turn")
    assert fact(match, "to_beat") == ("high card", "T", "5")
    for text, pot in (("bet", 4), ("raise", 8), ("raise", 12), ("raise", 16)):
        choose(match, text)
        assert fact(match, "pot") == pot
    assert legal(match, 0) == ["fold", "call"]
    choose(match, "call")
    assert fact(match, "pot") == 18
    choose(match, "turn", "bet", "fold")
    assert told(match, 0, "take-pot") == [(1, 20)]
    assert scores(match) == (-9 - 1, 9 - 1)  # and the antes of the next hand


def test_example_4_with_a_pair_bets_are_four() -> None:
    match = position("4C 9D", "5H 5D", "KD", "QD")
    choose(match, "turn", "check", "check", "bet")
    assert fact(match, "pot") == 7
    choose(match, "call", "fold")
    assert match.to_act == (2,)


def test_example_5_the_kill_card_decides_a_hand_without_a_card_of_the_winner() -> None:
    match = position("4C 3D", "4S", "KD")
    choose(match, "turn")
    assert told(match, 0, "take-pot") == [(1, 2)]
    assert scores(match) == (-1 - 1, 1 - 1)
    match = position("3D", "4S", "KD", kill_card=False)
    choose(match, "turn")
    assert fact(match, "leader") == 0


def test_example_6_a_tie_does_not_beat() -> None:
    match = position("4C AS", "AC 2C KC", "AD 2D 3D")
    choose(match, "turn")
    assert up(match, 0) == cards("AC 2C")
    choose(match, "check", "check", "turn")
    assert up(match, 1) == cards("AD 2D 3D")
    assert fact(match, "leader") == 1


def test_example_7_seven_cards_that_do_not_beat_are_out_without_betting() -> None:
    match = position("4C 9D", "AH 2H", "KD QD JH 9S 8D 7H 5C", "2C")
    choose(match, "turn")
    assert up(match, 0) == cards("AH")
    match = position("4C KS", "2H AH", "KD QD JH 9S 8D 7H 5C", "2C")
    choose(match, "turn", "check", "check", "check")
    assert fact(match, "to_beat") == ("high card", "A", "2")
    choose(match, "turn")
    assert len(up(match, 1)) == 7
    assert (fact(match, "phase"), match.to_act) == ("turn", (2,))


def test_example_8_the_next_turn_is_that_of_the_seat_after_a_leader_that_folded() -> None:
    match = position("4C 9D", "KD", "QH AD", "QS")
    choose(match, "turn", "check", "bet", "call", "fold")
    assert match.to_act == (1,)
    choose(match, "turn")
    assert up(match, 1) == cards("QH AD")
    assert fact(match, "leader") == 1


def test_example_9_a_duel_ends_when_a_leader_without_cards_is_beaten() -> None:
    match = position("4C 9D", "8H 7D 6S 5S 3D 2S TH", "JC")
    choose(match, "turn")
    assert fact(match, "to_beat") == ("high card", "T", "8", "7", "6", "5")
    choose(match, "bet", "call", "turn")
    assert told(match, 0, "take-pot") == [(1, 6)]
    assert told(match, 0, "beaten") == [(0,)]


# Invariants ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", range(2, 8))
def test_chips_are_neither_made_nor_lost(players: int, seed: int) -> None:
    match = MEXICAN_SWEAT.start(players=players, deals=SeededDeals(f"{seed}"))
    for _ in decisions(match, Random(seed)):
        facts = match.observe(None).facts
        assert sum(facts["scores"]) + facts["pot"] == 0  # type: ignore[arg-type, operator]
    assert match.result is not None
    assert sum(match.result.scores) == 0
    assert match.result.reason == "played-out"


@pytest.mark.parametrize("players", range(2, 8))
def test_the_turn_never_comes_to_the_leader_or_to_a_seat_without_cards(
    players: int, seed: int
) -> None:
    match = MEXICAN_SWEAT.start(players=players, deals=SeededDeals(f"{seed}"))
    for seat in decisions(match, Random(seed)):
        assert seat in match.observe(None).facts["live"]  # type: ignore[operator]
        if fact(match, "phase") == "turn":
            assert seat != fact(match, "leader")
            assert seen(match, None, "face_down", seat)


def test_equal_scores_tie() -> None:
    match = start(2, deal("4C 3D", "4S", ""), deal("4C 3D", "", "4S", first=1), deals=2)
    choose(match, "turn", "turn")
    assert match.result is not None
    assert (match.result.scores, match.result.ranks) == ([0, 0], [1, 1])


# Redealt matches ----------------------------------------------------------------------------------


def test_any_unseen_card_can_be_the_next_to_be_turned_up() -> None:
    match = position("4C 9D", "5H TD", "QS", "KD")
    choose(match, "turn", "check", "check", "check")
    unseen = set(DECK) - {"4C", "9D", "5H", "TD"}
    twins = redealt(match, 1, 2000)
    for seat in range(3):
        assert possible_at(twins, 0, "face_down", seat) == unseen
    assert possible_at(twins, -1, "rest") == unseen
