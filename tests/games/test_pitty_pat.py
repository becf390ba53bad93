"""Pitty Pat: each ruling and each example, and the invariants of every match."""

from collections.abc import Sequence
from random import Random

import pytest

from sevens_games import IllegalAction, Match, SeededDeals, StackedDeals, load
from sevens_games.cards.standard import DECK
from tests.support.game_redeals import always, possible, possible_at, redealt
from tests.support.game_tables import (
    assert_looks_equal,
    cards,
    choose,
    decisions,
    hands,
    legal,
    seen,
    stack,
    told,
)

PITTY_PAT = load("pitty-pat")


def deal(*by_seat: str, upcard: str, stock: str = "", first: int = 0) -> list[str]:
    """Returns a deck that deals these hands, this upcard and this top of the stock."""
    return stack(DECK, hands(*by_seat, each=5, first=first), cards(upcard), cards(stock))


def start(players: int, *shuffles: Sequence[str], target: int = 1) -> Match:
    return PITTY_PAT.start(
        players=players, options={"target": target}, deals=StackedDeals(shuffles)
    )


def position(*by_seat: str, upcard: str, stock: str = "") -> Match:
    """The first turn of a match of one deal to win."""
    return start(len(by_seat), deal(*by_seat, upcard=upcard, stock=stock))


def fact(match: Match, name: str) -> object:
    return match.observe(0).facts[name]


def hand(match: Match, seat: int) -> tuple[str, ...]:
    return seen(match, seat, "hand", seat)


def upcard(match: Match) -> str:
    return seen(match, 0, "discards")[-1]


# Two matches with a discard after the first of them, and a third match: in three turns.
WINNING = "2C 3C 4C 5C 6C"


def won_by(winner: int, players: int = 2, first: int = 0) -> list[str]:
    """Returns a deal that the winner wins by `win`: the others hold kings, queens and jacks, and
    each time the upcard has the rank of one of the winner's cards."""
    others = ["KC KD KH KS QC", "QD QH QS JC JD", "JH JS TC TD TH"]
    by_seat = [WINNING if seat == winner else others.pop() for seat in range(players)]
    lost = players - 1
    place = (winner - first) % players
    before = ["AC", "AD", "AH"][:place]
    stock = [*before, "2D", *["7C", "7D", "7H"][:lost], "4D", *["8C", "8D", "8H"][:lost], "6D"]
    return deal(*by_seat, upcard="9C", stock=" ".join(stock), first=first)


def win(match: Match) -> None:
    """Plays such a deal to its end: the winner discards after its first two matches."""
    number = fact(match, "deal")
    while match.to_act and fact(match, "deal") == number:
        texts = legal(match, match.to_act[0])
        wanted = ("discard 3C", "discard 5C", texts[0])
        choose(match, next(text for text in wanted if text in texts))


def flip(match: Match, count: int) -> None:
    choose(match, *["flip"] * count)


# Two seats are left with two sevens each, and from then on only flip.
PAIRS = ("7C 7D 2C 3C 4C", "7H 7S 5C 6C 8C")
TO_PAIRS = (
    *("match 2C", "discard 3C", "flip", "match 5C", "discard 6C"),
    *("flip", "match 4C", "keep", "flip", "match 8C", "keep"),
)
LATER_FLIPS = 38 + 3 * 47


def with_pairs(first: int = 0) -> list[list[str]]:
    """Returns the first shuffle of a deal in which two seats keep their sevens, and its three
    renewals."""
    by_seat = PAIRS if first == 0 else PAIRS[::-1]
    shuffles = [deal(*by_seat, upcard="2D", stock="5D 4D 8D", first=first)]
    outside = [card for card in DECK if card[0] != "7"]
    for _ in range(3):
        shuffles.append([card for card in outside if card != shuffles[-1][-1]])
    return shuffles


# Of three seats only the last can ever match something: the TS, which nobody else holds. It never
# sees it if the seat after the dealer turns it.
THREE = ("7C 7D 8C 8D 9C", "7H 7S 8H 8S 9S", "9D 9H TC TD TH")
FLIPS = 36  # of each stock


def with_three(last: int) -> list[list[str]]:
    """Returns a deal of these hands with three renewals, in each of which the TS is the first card,
    but in the last one is at the place `last`."""
    shuffles = [deal(*THREE, upcard="KS", stock="TS")]
    outside = [*shuffles[0][15:]]
    for place in (0, 0, last):
        rest = [card for card in outside if card not in ("TS", shuffles[-1][-1])]
        shuffles.append([*rest[:place], "TS", *rest[place:]])
    return shuffles


def used_up(*choices: str, later: Sequence[Sequence[str]] = ()) -> Match:
    """The last seat turns the TS as the very last card, matches it, and makes these choices."""
    match = start(3, *with_three(last=FLIPS - 1), *later)
    flip(match, 4 * FLIPS)
    choose(match, "match TC", *choices)
    return match


# Dealing ------------------------------------------------------------------------------------------


def test_five_cards_each_one_at_a_time_then_the_upcard() -> None:
    match = start(2, list(DECK))
    assert hand(match, 0) == DECK[0:10:2]
    assert hand(match, 1) == DECK[1:10:2]
    assert seen(match, 0, "discards") == (DECK[10],)
    assert seen(match, None, "stock") == DECK[11:]
    assert (fact(match, "dealer"), match.to_act) == (1, (0,))


def test_the_deal_passes_to_the_next_seat_and_the_next_deal_follows_at_once() -> None:
    match = start(3, won_by(2, 3), won_by(0, 3, first=1), target=2)
    win(match)
    assert len(match.deals.shuffles) == 2
    assert (fact(match, "deal"), fact(match, "dealer"), match.to_act) == (2, 0, (1,))
    assert fact(match, "won") == (0, 0, 1)


def test_a_new_deal_forgets_what_seats_lack(seed: int) -> None:
    match = start(2, won_by(1), list(DECK), target=2)
    win(match)
    assert fact(match, "lacks") == ("", "")
    assert fact(match, "renewals") == 0
    assert len(seen(match, 0, "discards")) == 1


def test_each_deal_has_its_own_chance(seed: int) -> None:
    deals = SeededDeals(f"{seed}")
    match = PITTY_PAT.start(deals=deals)
    for _ in decisions(match, Random(seed)):
        pass
    firsts = [order for order in match.deals.shuffles if len(order) == len(DECK)]
    assert len(firsts) == fact(match, "deal")
    for order in firsts:
        deals.begin_deal()
        assert list(deals.shuffle(DECK)) == order
    assert match.deals.picks == []


# A turn -------------------------------------------------------------------------------------------


def test_a_seat_flips_one_card_and_makes_one_match_in_a_turn() -> None:
    match = position("7C 7D 9C KD 2S", "AC AD AH AS KH", upcard="8H", stock="7H 9D")
    choose(match, "flip", "match 7C", "keep")
    assert match.to_act == (1,)
    assert upcard(match) == "7C"


def test_a_seat_that_has_flipped_in_vain_is_done() -> None:
    match = position("7C 7D 9C KD 2S", "AC AD AH AS KH", upcard="8H", stock="6C")
    choose(match, "flip")
    assert told(match, 1, "turned") == [(0, "6C")]
    assert match.to_act == (1,)


def test_the_card_discarded_is_the_next_upcard() -> None:
    match = position("7C 7D 9C KD 2S", "2C AD AH AS KH", upcard="7H")
    choose(match, "match 7C", "discard 2S")
    assert upcard(match) == "2S"
    assert legal(match, 1) == ["match 2C"]


def test_a_seat_wins_with_a_discard_or_with_a_match() -> None:
    match = start(2, won_by(0), won_by(1, first=1), target=1)
    win(match)
    assert match.result is not None
    assert match.result.reason == "won"
    assert told(match, 1, "match")[-1] == (0, "6C")
    assert (match.result.scores, match.result.ranks) == ([1, 0], [1, 2])


# Rulings ------------------------------------------------------------------------------------------


def test_ruling_2_a_seat_that_can_match_must() -> None:
    match = position("7C 7D 9C KD 2S", "2C AD AH AS KH", upcard="7H")
    with pytest.raises(IllegalAction, match="must match the upcard"):
        match.apply(0, "flip")


def test_ruling_2_a_flip_tells_which_ranks_the_seat_lacks() -> None:
    match = position("7C 7D 9C KD 2S", "2C 3D AH AS KH", upcard="8H", stock="6C")
    choose(match, "flip")
    for viewer in range(2):
        assert match.observe(viewer).facts["lacks"] == ("86", "")


def test_ruling_3_the_discard_after_a_match_is_optional() -> None:
    match = position("7C 7D 9C KD 2S", "2C AD AH AS KH", upcard="7H")
    choose(match, "match 7C", "keep")
    assert hand(match, 0) == cards("9C 7D KD 2S")
    assert upcard(match) == "7C"
    assert match.to_act == (1,)


def test_ruling_4_so_it_is_after_a_match_of_a_card_turned() -> None:
    match = position("7C 7D 9C KD 2S", "2C AD AH AS KH", upcard="8H", stock="KC")
    choose(match, "flip", "match KD")
    assert legal(match, 0) == ["discard 7C", "discard 9C", "discard 7D", "discard 2S", "keep"]


def test_ruling_5_each_card_of_the_rank_is_an_action() -> None:
    match = position("7C 7D 7S KD 2S", "2C AD AH AS KH", upcard="7H")
    assert legal(match, 0) == ["match 7C", "match 7D", "match 7S"]


def test_ruling_6_a_card_turned_and_not_matched_may_be_matched_by_the_next_seat() -> None:
    match = position("7C 7D 9C KD 2S", "2C AD AH AS KH", upcard="8H", stock="2D")
    choose(match, "flip", "match 2S", "keep")
    match = position("7C 7D 9C KD QS", "2C AD AH AS KH", upcard="8H", stock="2D")
    choose(match, "flip")
    assert legal(match, 1) == ["match 2C"]


def test_ruling_7_an_empty_stock_is_renewed_from_all_but_the_upcard() -> None:
    shuffles = with_three(last=0)
    match = start(3, *shuffles)
    flip(match, FLIPS)
    assert (seen(match, None, "stock"), fact(match, "renewals")) == ((), 0)
    flip(match, 1)
    assert told(match, 0, "renew") == [(None, FLIPS)]
    assert fact(match, "renewals") == 1
    assert seen(match, 0, "discards") == (shuffles[0][-1], "TS")
    assert seen(match, None, "stock") == tuple(shuffles[1][1:])


def test_ruling_7_the_cards_of_a_renewed_stock_are_known_but_not_their_order() -> None:
    match = start(3, *with_three(last=0))
    flip(match, FLIPS + 1)
    stock = seen(match, None, "stock")
    for viewer in range(3):
        assert seen(match, viewer, "stock") == tuple(sorted(stock, key=DECK.index))


def test_ruling_7_when_a_card_must_be_turned_and_none_is_left_nobody_wins() -> None:
    match = start(3, *with_three(last=0), list(DECK))
    flip(match, 4 * FLIPS)
    assert told(match, 0, "no-winner") == [(None,)]
    assert fact(match, "deal") == 2
    assert fact(match, "won") == (0, 0, 0)


def test_ruling_7_a_seat_that_can_match_plays_with_an_empty_stock() -> None:
    match = used_up("discard 9D")
    assert (seen(match, None, "stock"), fact(match, "renewals")) == ((), 3)
    assert legal(match, 0) == ["match 9C"]


def test_ruling_7_a_seat_that_cannot_match_then_ends_the_deal() -> None:
    match = used_up("keep", later=[list(DECK)])
    assert told(match, 0, "no-winner") == [(None,)]
    assert fact(match, "deal") == 2


def test_ruling_8_the_last_card_goes_by_a_match_only() -> None:
    match = position("7C 7D 9C KD 2S", "AC AD AH AS 3H", upcard="7H", stock="4C 9D QC")
    choose(match, "match 7C", "discard KD", "flip", "flip", "match 9C", "discard 2S")
    assert hand(match, 0) == ("7D",)
    choose(match, "flip")
    assert legal(match, 0) == ["flip"]


def test_ruling_9_the_default_is_seven_deals() -> None:
    assert PITTY_PAT.options["target"].default == 7
    match = start(2, *[won_by(0, first=number % 2) for number in range(7)], target=7)
    for _ in range(7):
        win(match)
    assert match.result is not None
    assert match.result.scores == [7, 0]


def test_ruling_10_cards_left_in_hands_count_nothing_and_are_not_shown() -> None:
    match = start(2, won_by(1))
    win(match)
    assert match.result is not None
    assert match.result.scores == [0, 1]
    for viewer in (0, 1):
        assert match.observe(viewer).zone("hand", 0).hidden == (0 if viewer == 0 else 5)


# Examples -----------------------------------------------------------------------------------------


def test_example_1_matches_are_compulsory_and_then_any_card_may_be_discarded() -> None:
    match = position("7C 7D 9C KD 2S", "4H QD QS 5H JD", upcard="7H")
    assert legal(match, 0) == ["match 7C", "match 7D"]
    choose(match, "match 7D")
    assert set(legal(match, 0)) == {"discard 2S", "discard 7C", "discard 9C", "discard KD", "keep"}


@pytest.mark.parametrize(("turned", "next_legal"), [("QC", 1), ("6C", 0)])
def test_example_2_a_flip_and_a_match(turned: str, next_legal: int) -> None:
    match = position("7C 7D 9C KD 2S", "4H QD QS 5H JD", upcard="7H", stock=turned)
    choose(match, "match 7D", "discard 2S")
    assert legal(match, 1) == ["flip"]
    choose(match, "flip")
    assert match.to_act == (next_legal,)
    if turned == "QC":
        assert legal(match, 1) == ["match QD", "match QS"]
        choose(match, "match QS")
        assert "keep" in legal(match, 1)


def test_example_3_two_cards_go_out_by_a_match_and_a_discard() -> None:
    match = position("7C 7D 9C KD 2S", "AC AD AH AS 3H", upcard="7H", stock="4C 9D QC 2D")
    choose(match, "match 7C", "discard KD", "flip", "flip", "match 9C", "keep", "flip", "flip")
    choose(match, "match 2S")
    assert legal(match, 0) == ["discard 7D", "keep"]
    choose(match, "discard 7D")
    assert match.result is not None
    assert match.result.scores == [1, 0]


def test_example_4_two_pairs_of_the_same_rank_are_a_deal_without_a_winner() -> None:
    match = start(2, *with_pairs(), list(DECK))
    choose(match, *TO_PAIRS)
    assert [hand(match, seat) for seat in (0, 1)] == [cards("7C 7D"), cards("7H 7S")]
    flip(match, LATER_FLIPS)
    assert told(match, 0, "renew") == [(None, 47)] * 3
    assert told(match, 0, "no-winner") == [(None,)]
    assert fact(match, "deal") == 2


def test_example_5_the_match_ends_when_a_seat_has_won_enough() -> None:
    match = start(3, won_by(0, 3), won_by(0, 3, first=1), target=2)
    win(match)
    assert fact(match, "won") == (1, 0, 0)
    win(match)
    assert match.result is not None
    assert (match.result.scores, match.result.ranks) == ([2, 0, 0], [1, 2, 2])
    assert match.result.reason == "won"


def test_example_6_the_match_ends_after_all_deals_that_it_may_have() -> None:
    match = start(2, won_by(0), won_by(1, first=1), *with_pairs(), *with_pairs(first=1), target=2)
    win(match)
    win(match)
    for _ in range(2):
        choose(match, *TO_PAIRS)
        flip(match, LATER_FLIPS)
    assert match.result is not None
    assert (match.result.scores, match.result.ranks) == ([1, 1], [1, 1])
    assert match.result.reason == "limit"


# Invariants ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", range(2, 6))
def test_a_seat_holds_no_rank_that_it_is_said_to_lack(players: int, seed: int) -> None:
    match = PITTY_PAT.start(players=players, deals=SeededDeals(f"{seed}"))
    for _ in decisions(match, Random(seed)):
        for seat, lacks in enumerate(fact(match, "lacks")):  # type: ignore[arg-type]
            assert not {card[0] for card in hand(match, seat)} & set(lacks)
    assert match.result is not None
    assert match.result.reason == "won"


# Redealt matches ----------------------------------------------------------------------------------


def test_a_hand_can_hold_all_unseen_cards_but_those_of_ranks_it_lacks() -> None:
    match = position(
        "7C 7D 9C KD 2S", "4H QD QS 5H JD", "AC AD AH AS 3H", upcard="8H", stock="6C TC"
    )
    flip(match, 2)
    unseen = set(DECK) - {*hand(match, 2), "8H", "6C", "TC"}
    twins = redealt(match, 2, 1000)
    assert possible(twins, "hand", 0) == {card for card in unseen if card[0] not in "86"}
    assert possible(twins, "hand", 1) == {card for card in unseen if card[0] not in "6T"}
    assert possible_at(twins, 0, "stock") == unseen


def test_a_seat_that_owes_a_match_holds_a_card_of_the_rank() -> None:
    match = position("7C 7D 9C KD 2S", "4H QD QS 5H JD", upcard="8H", stock="2C")
    flip(match, 1)
    assert legal(match, 0) == ["match 2S"]
    twins = redealt(match, 1)
    assert possible(twins, "hand", 0) >= set(cards("2D 2H 2S"))
    for twin in twins:
        assert {card[0] for card in seen(twin, None, "hand", 0)} & {"2"}


def test_a_seat_that_would_end_the_deal_by_a_flip_holds_a_match() -> None:
    match = used_up("discard 9D")
    for viewer in (1, 2):
        for twin in redealt(match, viewer):
            assert {card[0] for card in seen(twin, None, "hand", 0)} & {"9"}


def test_after_a_renewal_counting_gives_the_other_hand() -> None:
    match = start(2, *with_pairs())
    choose(match, *TO_PAIRS)
    flip(match, 39)
    twins = redealt(match, 0)
    assert always(twins, "hand", 1) == {"7H", "7S"}
    assert possible_at(twins, 0, "stock") == set(seen(match, None, "stock"))


def test_only_ranks_that_a_seat_did_not_match_are_lacking() -> None:
    match = position("7C 7D 9C KD 2S", "4H QD QS 5H JD", upcard="8H", stock="2C")
    other = match.redeal(1, Random(0))
    assert_looks_equal(match, other, 1)
    flip(match, 1)
    assert fact(match, "lacks") == ("8", "")
