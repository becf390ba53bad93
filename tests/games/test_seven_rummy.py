"""Seven Rummy: each ruling and each published example, and the invariants of every match."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from random import Random

import pytest

from sevens_games import Event, IllegalAction, Match, SeededDeals, StackedDeals, load
from sevens_games.cards.standard import DECK
from tests.support.game_tables import (
    ANY,
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

RUMMY = load("seven-rummy")
RANKS = "A23456789TJQK"

# The winner goes out in its first turn when it draws 9H; the loser is left with 69 points.
WINNER = "2C 3C 4C 5D 5H 5S 7S"
LOSER = "7H KC QD JH TS 8D AD"


def deal(
    *texts: str, players: int = 2, upcard: str = ANY, stock: str = "", first: int = 0
) -> list[str]:
    """Returns a deck that deals these hands, by seat, this upcard, and a stock with these cards on
    top."""
    by_seat = [*texts, *[""] * (players - len(texts))]
    return stack(DECK, hands(*by_seat, each=7, first=first), [upcard], cards(stock))


def start(*shuffles: list[str], players: int = 2, deals: int = 1, target: int = 0) -> Match:
    options = {"deals": deals, "target": target}
    return RUMMY.start(players=players, options=options, deals=StackedDeals(shuffles))


def fact(match: Match, name: str) -> object:
    return match.observe(None).facts[name]


def turn(match: Match, *texts: str) -> None:
    """Plays a turn, or a part of it, and then nobody claims."""
    choose(match, *texts)
    while fact(match, "phase") == "claim":
        choose(match, "pass")


def draw_and_discard(match: Match, turns: int) -> None:
    """Plays turns in which the seat discards the card that it has drawn, and nobody claims."""
    for _ in range(turns):
        choose(match, "draw")
        turn(match, f"discard {match.events(None)[-1].arguments[0]}")


def after_discard(card: str, *texts: str, stock: str = "") -> Match:
    """Returns a match of these hands in which each seat has had a turn, and kept its hand; then
    seat 0 has drawn and discarded the card. `stock` is drawn next."""
    players = len(texts)
    named = cards(f"{' '.join(texts)} {card} {stock}")
    first_drawn = [other for other in DECK if other not in named][-players:]
    on_top = " ".join([*first_drawn, card, *cards(stock)])
    match = start(deal(*texts, players=players, stock=on_top), players=players)
    draw_and_discard(match, players)
    choose(match, "draw", f"discard {card}")
    return match


def in_hand_of_two(pair: str, card: str, *, seven_too: bool = False) -> Match:
    """Seat 1 holds these two cards (and a 7), when seat 0 discards the card."""
    match = start(deal("", f"{pair} 8H 9H TH JH 7S", stock=f"QD KS {card}"))
    turn(match, "draw", "discard QD")
    turn(match, "draw", "meld 8H 9H TH JH", *([] if seven_too else ["meld 7S"]), "discard KS")
    choose(match, "draw", f"discard {card}")
    assert seen(match, 1, "hand", 1) == cards(pair) + (("7S",) if seven_too else ())
    return match


def lone_seven() -> Match:
    match = start(deal("7D 6D 8D 9D 7S 7H KC", stock="KS"))
    choose(match, "draw", "meld 7D")
    return match


def laying_off_to_win() -> Match:
    """Seat 1 can lay off 8D and has two melds besides; seat 0 has 51 points in hand."""
    match = start(deal("7D AC KC KD QH JH TH", "8D 2C 3C 4C 5C 5H 5S", stock="KS 9H 9S 9C"))
    choose(match, "draw", "meld 7D", "discard KS", "draw")
    return match


def go_out_at_once(match: Match) -> None:
    choose(match, "draw", "meld 2C 3C 4C", "meld 5D 5H 5S", "meld 7S", "discard 9H")


def renewing(first: list[str], turns: int, *, top: str = "", players: int = 2) -> Match:
    """Returns a match after this number of turns of drawing and discarding; the next draw renews
    the stock, with these cards on top."""
    match = start(first, players=players)
    draw_and_discard(match, turns)
    assert seen(match, None, "stock") == ()
    renewed = stack(seen(match, None, "discards")[:-1], cards(top))
    match = start(first, renewed, players=players)
    draw_and_discard(match, turns)
    return match


def melding(match: Match, rng: Random) -> Iterator[int]:
    """Plays to the end, mostly laying down every possible meld; yields, before each choice, the
    seat that is about to make it."""
    while match.to_act:
        seat = rng.choice(match.to_act)
        yield seat
        texts = legal(match, seat)
        lays = [text for text in texts if text.split()[0] not in ("draw", "discard", "pass")]
        match.apply(seat, rng.choice(lays if lays and rng.random() < 0.7 else texts))


# Setup and dealing --------------------------------------------------------------------------------


def test_seven_cards_go_to_each_seat_one_at_a_time_then_the_upcard_then_the_stock() -> None:
    match = start(list(DECK), players=3)
    assert seen(match, 0, "hand", 0) == cards("AC 4C 7C TC KC 3D 6D")
    assert seen(match, 1, "hand", 1) == cards("2C 5C 8C JC AD 4D 7D")
    assert seen(match, 2, "hand", 2) == cards("3C 6C 9C QC 2D 5D 8D")
    assert seen(match, 0, "discards") == ("9D",)
    assert seen(match, None, "stock") == DECK[22:]


def test_a_hand_is_listed_in_canonical_order() -> None:
    match = start(deal("KS 2D TH AC 3D JD 9C", stock="4H"))
    assert seen(match, 0, "hand", 0) == cards("AC 9C 2D 3D JD TH KS")
    choose(match, "draw")
    assert seen(match, 0, "hand", 0) == cards("AC 9C 2D 3D JD 4H TH KS")


def test_the_deal_passes_on_and_the_seat_after_the_dealer_begins(seed: int) -> None:
    match = RUMMY.start(players=3, options={"deals": 5}, deals=SeededDeals(f"{seed}"))
    begun: list[tuple[object, int]] = []
    for seat in decisions(match, Random(seed)):
        if fact(match, "deal") != len(begun):
            begun.append((fact(match, "dealer"), seat))
    assert begun == [(2, 0), (0, 1), (1, 2), (2, 0), (0, 1)]
    assert [dealer for dealer, _ in told(match, 0, "deal")] == [2, 0, 1, 2, 0]


def test_a_new_deal_follows_at_once_and_starts_afresh() -> None:
    second = deal("KC KD", "2H 5S", upcard="9S", first=1)
    match = start(deal(WINNER, LOSER, stock="9H"), second, deals=2)
    go_out_at_once(match)
    assert match.deals.shuffles[1] == second
    assert match.to_act == (1,)
    assert set(cards("2H 5S")) < set(seen(match, 1, "hand", 1))
    view = match.observe(0)
    assert view.zone("discards").cards == ("9S",)
    assert view.zone("table").cards == view.zone("renewed").cards == ()
    assert (view.facts["melds"], view.facts["meld_owners"]) == ((), ())
    assert (view.facts["draws"], view.facts["tabled"]) == ((0, 0), (0, 0))
    assert (view.facts["deal"], view.facts["totals"]) == (2, (138, 0))


def test_each_deal_has_its_own_chance_and_renewals_belong_to_it(seed: int) -> None:
    match = RUMMY.start(options={"deals": 3}, deals=SeededDeals(f"rummy {seed}"))
    for _ in decisions(match, Random(seed)):
        pass
    chance = SeededDeals(f"rummy {seed}")
    for order in match.deals.shuffles:
        if len(order) == len(DECK):
            chance.begin_deal()
        assert list(chance.shuffle(sorted(order, key=DECK.index))) == order


# Turns --------------------------------------------------------------------------------------------


def test_a_draw_takes_the_top_of_the_stock() -> None:
    match = start(deal("", stock="9H KS"))
    choose(match, "draw")
    assert "9H" in seen(match, 0, "hand", 0)
    assert seen(match, None, "stock")[0] == "KS"


def test_a_turn_has_as_many_melds_and_lay_offs_as_the_seat_likes_in_any_order() -> None:
    match = start(deal("7H 8H 2C 3C 4C 7S QD", stock="6H"))
    choose(match, "draw", "meld 7H", "layoff 8H 1", "meld 2C 3C 4C", "meld 7S", "layoff 6H 1")
    assert fact(match, "melds") == ("6H 7H 8H", "2C 3C 4C", "7S")
    assert seen(match, 1, "table") == cards("6H 7H 8H 2C 3C 4C 7S")
    assert legal(match, 0) == ["discard QD"]


def test_melds_are_numbered_as_they_were_laid_whoever_laid_them() -> None:
    match = start(deal("7H 2C 3C 4C", "7S TD TH TS", stock="QD QH"))
    choose(match, "draw", "meld 7H", "meld 2C 3C 4C", "discard QD", "draw", "meld 7S")
    choose(match, "meld TD TH TS")
    assert fact(match, "melds") == ("7H", "2C 3C 4C", "7S", "TD TH TS")
    assert fact(match, "meld_owners") == (0, 0, 1, 1)
    assert told(match, 0, "new-meld")[2:] == [(1, 3, "7S"), (1, 4, *cards("TD TH TS"))]


def test_a_sequence_grows_at_either_end_and_a_set_up_to_four_cards() -> None:
    match = start(deal("4H 5H 6H 3H 8H 2D 9D", stock="7H"))
    choose(match, "draw", "meld 4H 5H 6H")
    assert {"layoff 3H 1", "layoff 7H 1"} < set(legal(match, 0))
    assert "layoff 8H 1" not in legal(match, 0)
    choose(match, "layoff 7H 1", "layoff 8H 1", "layoff 3H 1")
    assert fact(match, "melds") == ("3H 4H 5H 6H 7H 8H",)
    match = start(deal("9C 9D 9H 9S TC", stock="7H"))
    choose(match, "draw", "meld 9C 9D 9H", "layoff 9S 1")
    assert fact(match, "melds") == ("9C 9D 9H 9S",)
    assert "layoff TC 1" not in legal(match, 0)


def test_the_ace_is_low_in_lay_offs_too() -> None:
    match = start(deal("AC 2C 3C 4C JC QC KC"))
    choose(match, "draw", "meld JC QC KC")
    assert "layoff AC 1" not in legal(match, 0)
    choose(match, "meld 2C 3C 4C")
    assert "layoff AC 2" in legal(match, 0)


def test_no_meld_and_no_lay_off_uses_the_last_card() -> None:
    match = start(deal("2C 3C 4C 7D 9D 9H 9S", stock="7H"))
    choose(match, "draw", "meld 2C 3C 4C", "meld 9D 9H 9S")
    assert sorted(legal(match, 0)) == ["discard 7D", "discard 7H", "meld 7D", "meld 7H"]
    choose(match, "meld 7D")
    assert legal(match, 0) == ["discard 7H"]


def test_no_claim_uses_the_last_card() -> None:
    assert legal(in_hand_of_two("5D 5H", "5S"), 1) == ["pass"]
    assert legal(in_hand_of_two("5D 5H", "5S", seven_too=True), 1) == ["pass", "claim 5D 5H"]


def test_no_take_uses_the_last_card() -> None:
    match = in_hand_of_two("5C 6C", "4C")
    choose(match, "pass")
    assert legal(match, 1) == ["draw"]
    match = in_hand_of_two("5C 6C", "4C", seven_too=True)
    choose(match, "pass")
    assert legal(match, 1) == ["draw", "take 5C 6C"]


def test_a_take_lays_its_meld_at_once_and_the_play_goes_on() -> None:
    match = after_discard("4H", "", "5H 6H 7H 8H 2S 4D TS", "")
    choose(match, "pass", "pass")
    assert set(legal(match, 1)) == {"draw", "take 5H 6H", "take 5H 6H 7H", "take 5H 6H 7H 8H"}
    choose(match, "take 5H 6H")
    assert fact(match, "melds") == ("4H 5H 6H",)
    assert fact(match, "meld_owners") == (1,)
    assert "4H" not in seen(match, 0, "discards")
    assert match.observe(0).zone("hand", 1).hidden == 5
    assert {"meld 7H", "layoff 7H 1", "discard 2S"} < set(legal(match, 1))
    assert fact(match, "draws") == (2, 1, 1)


def test_a_take_can_have_the_discard_anywhere_in_its_sequence() -> None:
    match = after_discard("5H", "", "3H 4H 6H 7H TS JS QD")
    choose(match, "pass")
    parts = ("3H 4H", "4H 6H", "6H 7H", "3H 4H 6H", "4H 6H 7H", "3H 4H 6H 7H")
    assert set(legal(match, 1)) == {"draw", *[f"take {part}" for part in parts]}


def test_after_a_claim_the_seats_between_are_skipped_and_play_goes_on_from_the_claimant() -> None:
    match = after_discard("9C", "", "", "9D 9H KD", "")
    choose(match, "pass", "claim 9D 9H", "pass")
    assert match.to_act == (2,)
    assert fact(match, "melds") == ("9C 9D 9H",)
    assert fact(match, "meld_owners") == (2,)
    assert "9C" not in seen(match, 0, "discards")
    assert "draw" not in legal(match, 2)
    choose(match, "discard KD")
    assert match.to_act == (0, 1, 3)
    choose(match, "pass", "pass", "pass")
    assert match.to_act == (3,)
    assert "draw" in legal(match, 3)


def test_if_nobody_claims_the_next_seat_has_its_turn() -> None:
    match = after_discard("9C", "", "", "9D 9H")
    choose(match, "pass", "pass")
    assert match.to_act == (1,)
    assert "draw" in legal(match, 1)
    assert seen(match, 1, "discards")[-1] == "9C"


def test_the_last_discard_cannot_be_claimed() -> None:
    match = start(deal(WINNER, "9C 9D KD KH", stock="QS QH 9H"))
    turn(match, "draw", "meld 7S", "discard QS")
    turn(match, "draw", "discard QH")
    choose(match, "draw", "meld 2C 3C 4C")
    not_out = match.clone()
    choose(not_out, "discard 9H")
    assert legal(not_out, 1) == ["pass", "claim 9C 9D"]
    choose(match, "meld 5D 5H 5S", "discard 9H")
    assert match.result is not None


# Rulings ------------------------------------------------------------------------------------------


def test_ruling_1_a_pair_of_sevens_is_enough_for_a_claim() -> None:
    match = after_discard("7C", "", "7D 7H 2S 4S 9S JS KH")
    assert set(legal(match, 1)) == {"pass", "claim 7D", "claim 7H", "claim 7D 7H"}
    match = after_discard("8C", "", "8D 7H 2S 4S 9S JS KH")
    assert legal(match, 1) == ["pass"]


def test_ruling_2_a_discarded_seven_is_not_taken_alone() -> None:
    match = after_discard("7C", "", "2S 4S 9S JS KH 5D 9D")
    assert legal(match, 1) == ["pass"]
    choose(match, "pass")
    assert legal(match, 1) == ["draw"]


def test_ruling_3_all_other_seats_that_have_drawn_are_asked_able_or_not() -> None:
    match = after_discard("5C", "", "5D 5H 2S 4S 9S JH KD", "", "")
    assert match.to_act == (1, 2, 3)
    assert legal(match, 1) == ["pass", "claim 5D 5H"]
    assert legal(match, 2) == legal(match, 3) == ["pass"]


def test_ruling_3_seats_that_have_not_drawn_are_not_asked() -> None:
    match = start(deal("", "", "9C 9D", players=3, stock="KS KH 9S"), players=3)
    choose(match, "draw", "discard KS")
    assert match.to_act == (1,)
    assert fact(match, "phase") == "draw"
    choose(match, "draw", "discard KH")
    assert match.to_act == (0,)
    assert fact(match, "phase") == "claim"


def test_ruling_3_who_may_take_or_claim_is_asked_even_if_it_cannot() -> None:
    match = after_discard("5C", "", "")
    assert match.ask_forced
    choose(match, "pass")
    assert match.ask_forced
    choose(match, "draw")
    assert not match.ask_forced


@pytest.mark.parametrize("order", [(1, 2, 3), (3, 2, 1), (2, 3, 1)])
def test_ruling_4_the_nearest_claimant_after_the_discarder_gets_the_card(
    order: tuple[int, ...],
) -> None:
    match = after_discard("7C", "", "7D", "7H", "7S")
    choices = {1: "pass", 2: "claim 7H", 3: "claim 7S"}
    for seat in order:
        match.apply(seat, choices[seat])
    assert match.to_act == (2,)
    assert fact(match, "melds") == ("7C 7H",)
    assert "7S" in seen(match, 3, "hand", 3)


def test_ruling_4_the_order_of_turns_goes_round_the_table() -> None:
    match = after_discard("KS", "7D", "", "7H", stock="7C")
    turn(match, "pass", "pass", "draw")
    choose(match, "discard 7C")
    assert match.to_act == (0, 2)
    choose(match, "claim 7D", "claim 7H")
    assert match.to_act == (2,)
    assert fact(match, "melds") == ("7C 7H",)


def test_ruling_4_a_claim_comes_before_the_next_seats_take() -> None:
    match = after_discard("6D", "", "7D 8D", "6H 6S")
    choose(match, "pass", "claim 6H 6S")
    assert match.to_act == (2,)
    assert fact(match, "melds") == ("6D 6H 6S",)


def test_ruling_5_the_next_seat_gets_a_discard_for_a_set_by_a_claim_only() -> None:
    match = after_discard("9C", "", "9D 9H TC JC 2S 4S KH")
    assert legal(match, 1) == ["pass", "claim 9D 9H"]
    choose(match, "pass")
    assert legal(match, 1) == ["draw", "take TC JC"]


def test_ruling_6_a_seat_that_was_skipped_begins_with_a_draw_too() -> None:
    # Seat 0 claims what seat 1 discards, so that seat 2 has no turn.
    hands_ = ("9C 9D 8D", "", "4H 6H")
    match = start(deal(*hands_, players=3, stock="KS 9H 5H"), players=3)
    choose(match, "draw", "discard KS", "draw", "discard 9H", "claim 9C 9D", "discard 8D", "pass")
    assert match.to_act == (1,)
    choose(match, "draw", "discard 5H")
    assert match.to_act == (0,)
    choose(match, "pass")
    assert match.to_act == (2,)
    assert legal(match, 2) == ["draw"]


def test_ruling_6_what_was_drawn_in_an_earlier_deal_does_not_count() -> None:
    second = deal("", "5C 6C", upcard="4C", first=1)
    match = start(deal("", stock="KS KH 9H"), second, deals=2)
    assert fact(match, "draws") == (0, 0)
    match = start(deal(WINNER, LOSER, stock="KS KH 9H"), second, deals=2)
    draw_and_discard(match, 2)
    assert fact(match, "draws") == (1, 1)
    go_out_at_once(match)
    assert match.to_act == (1,)
    assert legal(match, 1) == ["draw"]


def test_ruling_7_cards_are_laid_off_on_any_meld_without_a_meld_of_ones_own() -> None:
    match = start(deal("7D", "8D 9D", stock="KS KH"))
    choose(match, "draw", "meld 7D", "discard KS", "draw", "layoff 8D 1", "layoff 9D 1")
    assert fact(match, "melds") == ("7D 8D 9D",)
    assert fact(match, "meld_owners") == (0,)


def test_ruling_7_also_in_a_turn_begun_by_a_take_or_a_claim() -> None:
    match = after_discard("4H", "", "5H 6H 7H 3H 2S")
    choose(match, "pass", "take 5H 6H", "layoff 7H 1", "layoff 3H 1")
    assert fact(match, "melds") == ("3H 4H 5H 6H 7H",)
    match = after_discard("4H", "", "4C 4D 4S 2S")
    choose(match, "claim 4C 4D", "layoff 4S 1")
    assert fact(match, "melds") == ("4C 4D 4H 4S",)


def test_ruling_8_the_first_card_laid_off_on_a_lone_seven_makes_it_a_set_or_a_sequence() -> None:
    match = lone_seven()
    choose(match, "layoff 8D 1")
    assert {"layoff 6D 1", "layoff 9D 1"} < set(legal(match, 0))
    assert not {"layoff 7S 1", "layoff 7H 1"} & set(legal(match, 0))
    match = lone_seven()
    choose(match, "layoff 7S 1")
    assert "layoff 7H 1" in legal(match, 0)
    assert not {"layoff 6D 1", "layoff 8D 1"} & set(legal(match, 0))


def test_ruling_8_sevens_laid_as_a_pair_are_a_set_and_with_a_neighbour_a_sequence() -> None:
    match = start(deal("7D 7S 6D 8S 7H KC", stock="KS"))
    choose(match, "draw", "meld 7D 7S")
    assert "layoff 7H 1" in legal(match, 0)
    assert not {"layoff 6D 1", "layoff 8S 1"} & set(legal(match, 0))
    match = start(deal("7D 6D 8D 7H KC", stock="KS"))
    choose(match, "draw", "meld 6D 7D")
    assert "layoff 8D 1" in legal(match, 0)
    assert "layoff 7H 1" not in legal(match, 0)


def test_ruling_9_a_card_that_fits_two_sequences_joins_one_of_them() -> None:
    match = start(deal("4H 5H 6H 8H 9H TH 7H", stock="KS"))
    choose(match, "draw", "meld 4H 5H 6H", "meld 8H 9H TH")
    assert {"layoff 7H 1", "layoff 7H 2"} < set(legal(match, 0))
    choose(match, "layoff 7H 2")
    assert fact(match, "melds") == ("4H 5H 6H", "7H 8H 9H TH")


def test_ruling_9_sevens_may_lie_side_by_side() -> None:
    match = start(deal("7C 7D 7H 2S 4S", stock="KS"))
    choose(match, "draw", "meld 7C", "meld 7D")
    assert {"layoff 7H 1", "layoff 7H 2", "meld 7H"} < set(legal(match, 0))
    choose(match, "layoff 7H 2")
    assert fact(match, "melds") == ("7C", "7D 7H")


def test_ruling_10_lay_offs_of_the_last_turn_do_not_spoil_the_double() -> None:
    match = laying_off_to_win()
    assert fact(match, "tabled") == (1, 0)
    choose(match, "layoff 8D 1", "meld 2C 3C 4C", "meld 5C 5H 5S", "discard 9H")
    assert match.result is not None
    assert match.result.scores == [0, 102]


def test_ruling_10_a_lay_off_of_an_earlier_turn_does() -> None:
    match = laying_off_to_win()
    turn(match, "layoff 8D 1", "discard 9H")
    assert fact(match, "tabled") == (1, 1)
    turn(match, "draw", "discard 9S")
    choose(match, "draw", "meld 2C 3C 4C", "meld 5C 5H 5S", "discard 9C")
    assert match.result is not None
    assert match.result.scores == [0, 51]


@pytest.mark.parametrize(
    ("hand", "choices"),
    [
        ("5H 6H 9C 9D 9S 7S KD", ["pass", "take 5H 6H", "meld 9C 9D 9S"]),
        ("4C 4D 9C 9D 9S 7S KD", ["claim 4C 4D", "meld 9C 9D 9S"]),
    ],
)
def test_ruling_10_a_turn_begun_by_a_take_or_a_claim_can_be_doubled(
    hand: str, choices: list[str]
) -> None:
    match = after_discard("4H", "AC 2C 3D KC KH JC TC", hand)  # 46 points
    choose(match, *choices, "meld 7S", "discard KD")
    assert match.result is not None
    assert match.result.scores == [0, 92]


def test_ruling_11_a_card_just_drawn_may_be_discarded() -> None:
    match = start(deal("", stock="9H"))
    choose(match, "draw", "discard 9H")
    assert seen(match, 0, "discards")[-1] == "9H"


def test_ruling_12_a_draw_from_an_empty_stock_renews_it_from_all_discards_but_the_top() -> None:
    match = renewing(deal(""), 37, top="9S TS")
    before = seen(match, 1, "discards")
    assert match.observe(1).zone("stock").hidden == 0
    assert len(match.deals.shuffles) == 1
    choose(match, "draw")
    assert "9S" in seen(match, 1, "hand", 1)
    assert seen(match, None, "stock")[0] == "TS"
    assert seen(match, 0, "discards") == before[-1:]
    renewed = tuple(sorted(before[:-1], key=DECK.index))
    for viewer in (0, 1, None):
        assert seen(match, viewer, "renewed") == renewed
        assert told(match, viewer, "renew") == [(None, *renewed)]
        assert match.observe(viewer).facts["renewals"] == 1


def test_ruling_12_the_second_renewal_is_of_the_discards_since_the_first() -> None:
    match = RUMMY.start(deals=SeededDeals("ruling 12"))
    draw_and_discard(match, 2 * 37)
    before = seen(match, 0, "discards")
    choose(match, "draw")
    assert seen(match, 0, "renewed") == tuple(sorted(before[:-1], key=DECK.index))
    assert fact(match, "renewals") == 2


def test_ruling_12_a_take_does_not_renew_the_stock() -> None:
    # 16 cards are drawn and discarded; the last of them, by seat 0, is 4C.
    stock = " ".join([*[ANY] * 15, "4C"])
    match = renewing(deal("", "5C 6C KD", players=5, stock=stock), 16, players=5)
    choose(match, "take 5C 6C")
    turn(match, "discard KD")
    assert len(match.deals.shuffles) == 1
    choose(match, "draw")
    assert len(match.deals.shuffles) == 2


def test_ruling_12_there_are_always_discards_to_renew_the_stock_from(seed: int) -> None:
    rng = Random(seed)
    renewals = 0
    for number in range(10):
        match = RUMMY.start(players=5, deals=SeededDeals(f"{seed}/{number}"))
        for _ in decisions(match, rng) if number % 2 else melding(match, rng):
            view = match.observe(None)
            if view.facts["phase"] == "draw" and not view.zone("stock").cards:
                renewals += 1
                assert len(view.zone("discards").cards) >= 2
    assert renewals


def test_ruling_12_a_deal_without_a_winner_counts_and_scores_nothing() -> None:
    match = RUMMY.start(options={"deals": 2}, deals=SeededDeals("ruling 12"))
    draw_and_discard(match, 4 * 37)
    assert told(match, 0, "no-winner") == [(None,)]
    assert (fact(match, "deal"), fact(match, "totals")) == (2, (0, 0))
    assert match.to_act == (1,)
    assert (fact(match, "renewals"), seen(match, 0, "renewed")) == (0, ())


def test_ruling_13_the_match_ends_after_the_number_of_deals() -> None:
    # In the second deal seat 1 begins, and goes out with the same cards.
    shuffles = [deal(WINNER, LOSER, stock="9H"), deal(LOSER, WINNER, stock="9H", first=1)]
    match = start(*shuffles, deals=2)
    go_out_at_once(match)
    assert match.result is None
    go_out_at_once(match)
    assert match.result is not None
    assert match.result.reason == "played-out"
    assert (match.result.scores, match.result.ranks) == ([138, 138], [1, 1])


@pytest.mark.parametrize(("target", "over"), [(0, False), (138, True), (139, False)])
def test_ruling_13_a_target_ends_the_match_after_the_deal_in_which_it_is_reached(
    target: int, over: bool
) -> None:
    shuffles = [deal(WINNER, LOSER, stock="9H"), deal("", first=1)]
    match = start(*shuffles, deals=2, target=target)
    go_out_at_once(match)
    assert (match.result is not None) == over
    if match.result is not None:
        assert (match.result.scores, match.result.reason) == ([138, 0], "target")


def test_ruling_13_without_points_all_tie() -> None:
    match = RUMMY.start(players=3, options={"deals": 1}, deals=SeededDeals("ruling 13"))
    draw_and_discard(match, 4 * 30)
    assert match.result is not None
    assert (match.result.scores, match.result.ranks) == ([0, 0, 0], [1, 1, 1])


# Examples -----------------------------------------------------------------------------------------


MELDS = """
    7H; 6D 7D; 7D 8D; 7H 7S; 4C 5C 6C; AC 2C 3C; JC QC KC; 9C 9D 9H 9S; 9C 9H 9S; 7C 7D 7H;
    7C 7D 7H 7S; 5S 6S 7S 8S 9S TS JS
"""
NO_MELDS = "AC QC KC; 8C 8D; 8D 9D; 6C 7D; 5D 7D; 6D 8D; 4C 5C 7C; 9C; 7C 8C 8D"


@pytest.mark.parametrize("meld", [" ".join(text.split()) for text in MELDS.split(";")])
def test_example_1_valid_melds(meld: str) -> None:
    match = start(deal(meld))
    choose(match, "draw")
    assert legal(match, 0).count(f"meld {meld}") == 1


@pytest.mark.parametrize("no_meld", NO_MELDS.split("; "))
def test_example_1_what_is_no_meld(no_meld: str) -> None:
    match = start(deal(no_meld))
    choose(match, "draw")
    assert f"meld {no_meld}" not in legal(match, 0)


def test_example_2_a_first_turn_begins_with_a_draw_whatever_lies_face_up() -> None:
    match = start(deal("5C 6C 4D 4H", "5D 6D", upcard="4C", stock="KS"))
    assert legal(match, 0) == ["draw"]
    choose(match, "draw", "discard KS")
    assert match.to_act == (1,)
    assert legal(match, 1) == ["draw"]


def test_example_3_a_claim_needs_another_card_in_hand() -> None:
    match = after_discard("5S", "", "5D 5H 2S 4S 9S JH KD")
    assert legal(match, 1) == ["pass", "claim 5D 5H"]
    assert legal(in_hand_of_two("5D 5H", "5S"), 1) == ["pass"]


def test_example_4_of_two_claims_the_nearer_gets_the_card_and_the_other_stays_secret() -> None:
    match = after_discard("7C", "", "7D", "7H")
    twin = match.clone()
    match.apply(2, "claim 7H")
    match.apply(1, "claim 7D")
    assert fact(match, "melds") == ("7C 7D",)
    assert told(match, 0, "claimed") == [(1, "7C")]
    assert told(match, 2, "claim") == [(2, "7H")]
    assert told(match, None, "claim") == [(1, "7D"), (2, "7H")]
    twin.apply(1, "claim 7D")
    twin.apply(2, "pass")
    for seat in (0, 1):
        assert_looks_equal(match, twin, seat)


def test_example_5_a_take_is_made_with_a_seven_alone_and_a_claim_goes_first() -> None:
    match = after_discard("6D", "", "7D 8D 2S 4S JS QH KH", "6H 6S")
    claiming = match.clone()
    choose(match, "pass", "pass")
    assert set(legal(match, 1)) == {"draw", "take 7D", "take 7D 8D"}
    choose(claiming, "pass", "claim 6H 6S")
    assert claiming.to_act == (2,)


def test_example_6_what_can_be_laid_off_on_a_lone_seven() -> None:
    match = lone_seven()
    assert {"layoff 8D 1", "layoff 6D 1", "layoff 7S 1"} < set(legal(match, 0))
    assert "layoff 9D 1" not in legal(match, 0)
    choose(match, "layoff 7S 1")
    assert "layoff 8D 1" not in legal(match, 0)


def test_example_7_all_seven_cards_in_one_turn_score_double() -> None:
    match = start(deal(WINNER, LOSER, stock="9H"))
    go_out_at_once(match)
    assert told(match, 1, "go-out") == [(0, 138)]
    assert match.result is not None
    assert (match.result.scores, match.result.ranks) == ([138, 0], [1, 2])


def test_example_7_a_seven_laid_in_an_earlier_turn_spoils_the_double() -> None:
    match = start(deal(WINNER, LOSER, stock="9S 9C 9H"))
    turn(match, "draw", "meld 7S", "discard 9S")
    turn(match, "draw", "discard 9C")
    choose(match, "draw", "meld 2C 3C 4C", "meld 5D 5H 5S", "discard 9H")
    assert match.result is not None
    assert match.result.scores == [69, 0]


def test_example_8_three_renewals_and_then_no_winner() -> None:
    match = RUMMY.start(options={"deals": 1}, deals=SeededDeals("example 8"))
    draw_and_discard(match, 4 * 37)
    assert [len(order) for order in match.deals.shuffles] == [52, 37, 37, 37]
    assert match.result is not None
    assert (match.result.scores, match.result.ranks) == ([0, 0], [1, 1])


# Scoring ------------------------------------------------------------------------------------------


def test_the_winner_scores_the_deadwood_of_all_other_hands() -> None:
    hands_ = (WINNER, LOSER, "AC 2S 3D 4D 6D 9D TC")
    match = start(deal(*hands_, players=3, stock="9H"), players=3)
    go_out_at_once(match)
    assert match.result is not None
    assert match.result.scores == [2 * (69 + 1 + 2 + 3 + 4 + 6 + 9 + 10), 0, 0]
    assert match.result.ranks == [1, 2, 2]


# Options, information -----------------------------------------------------------------------------


@pytest.mark.parametrize("deals", [0, 101, True, "6"])
def test_the_number_of_deals_is_an_integer_from_1_to_100(deals: object) -> None:
    with pytest.raises(ValueError, match="deals must be an integer from 1 to 100"):
        RUMMY.start(options={"deals": deals})  # type: ignore[dict-item]


@pytest.mark.parametrize("target", [-1, 100_001, True, "50"])
def test_the_target_is_an_integer_from_0_to_100000(target: object) -> None:
    with pytest.raises(ValueError, match="target must be an integer from 0 to 100000"):
        RUMMY.start(options={"target": target})  # type: ignore[dict-item]


def test_the_ladder_format_is_six_deals_for_two() -> None:
    match = RUMMY.start()
    assert (match.players, match.options) == (2, {"deals": 6, "target": 0})


@pytest.mark.parametrize(
    ("choices", "refused", "why"),
    [
        ([], "take 2C 3C", "may take the top discard"),
        (["draw"], "meld 9H", "lays melds"),
        (["draw", "discard KS", "draw", "discard QS"], "claim 9C 9D", "claims the discard"),
    ],
)
def test_a_refusal_gives_the_rule(choices: list[str], refused: str, why: str) -> None:
    match = start(deal("9C 9D", stock="KS QS"))
    choose(match, *choices)
    with pytest.raises(IllegalAction, match=why):
        match.apply(match.to_act[0], refused)


def test_hands_and_stock_are_hidden_and_so_is_what_another_seat_draws() -> None:
    match = start(deal("", stock="9H KS"))
    choose(match, "draw", "discard 9H", "draw")
    view = match.observe(0)
    assert (view.zone("hand", 1).cards, view.zone("hand", 1).hidden) == ((), 8)
    assert (view.zone("stock").cards, view.zone("stock").hidden) == ((), 35)
    assert told(match, 0, "drawn") == [(0, "9H")]
    assert told(match, 0, "draw") == [(0,), (1,)]
    assert told(match, 1, "drawn") == [(1, "KS")]


def test_passes_and_claims_that_lapse_are_told_to_their_seats_alone() -> None:
    match = after_discard("7C", "", "7D", "7H", "")
    before = {seat: len(match.events(seat)) for seat in range(4)}
    for seat, text in ((1, "claim 7D"), (2, "claim 7H"), (3, "pass")):
        match.apply(seat, text)
    told_all = (Event("claimed", 1, ("7C",)), Event("new-meld", 1, (1, "7C", "7D")))
    assert match.events(0, since=before[0]) == told_all
    for own in (Event("claim", 1, ("7D",)), Event("claim", 2, ("7H",)), Event("pass", 3)):
        assert own.actor is not None
        assert match.events(own.actor, since=before[own.actor]) == (own, *told_all)


def test_while_a_window_is_open_nobody_learns_who_has_answered() -> None:
    match = after_discard("7C", "", "7D", "7H", "")
    before = {seat: (match.observe(seat), match.events(seat)) for seat in range(4)}
    match.apply(1, "claim 7D")
    match.apply(3, "pass")
    for seat in (0, 2):
        assert (match.observe(seat), match.events(seat)) == before[seat]


def test_all_hands_are_shown_at_the_end_of_a_deal() -> None:
    match = start(deal(WINNER, LOSER, stock="9H"), deal("", first=1), deals=2)
    go_out_at_once(match)
    for viewer in (0, 1, None):
        assert told(match, viewer, "show") == [(0,), (1, *sorted(cards(LOSER), key=DECK.index))]
    assert match.observe(0).zone("hand", 1).hidden == 7


def test_all_hands_are_shown_at_the_end_of_the_match_and_stay_so_when_it_is_redealt() -> None:
    match = start(deal(WINNER, LOSER, stock="9H"))
    go_out_at_once(match)
    for viewer in (0, 1):
        assert sorted(seen(match, viewer, "hand", 1)) == sorted(cards(LOSER))
        assert match.observe(viewer).zone("stock").hidden == 36
        assert_looks_equal(match, match.redeal(viewer, Random(0)), viewer)


def test_all_hands_are_shown_when_nobody_wins() -> None:
    match = RUMMY.start(options={"deals": 1}, deals=SeededDeals("shown"))
    by_seat = [(seat, *seen(match, seat, "hand", seat)) for seat in (0, 1)]
    draw_and_discard(match, 4 * 37)
    assert told(match, 1, "show") == by_seat


# Redealing what a seat cannot see -----------------------------------------------------------------


def test_with_two_seats_an_empty_stock_tells_the_other_hand() -> None:
    match = renewing(deal(""), 37)
    for viewer in (0, 1):
        assert match.redeal(viewer, Random(0)).observe(None) == match.observe(None)


def test_another_seats_kept_claim_is_drawn_from_the_hand_it_is_dealt() -> None:
    match = after_discard("7C", "", "7D", "7H")
    match.apply(1, "claim 7D")
    kept = set()
    for number in range(300):
        redealt = match.redeal(2, Random(number))
        _, text, _ = redealt.observe(None).facts["chosen"]  # type: ignore[misc]
        assert set(str(text).split()[1:]) <= set(seen(redealt, None, "hand", 1))
        kept.add(text)
        redealt.apply(2, "pass")
    assert {"pass", "claim 7D", "claim 7S"} <= kept


def stocks_of(match: Match) -> dict[str, int]:
    """Returns, by card, the number of the stock of this deal that it was last shuffled into."""
    shuffles = match.deals.shuffles
    dealt_last = max(at for at, order in enumerate(shuffles) if len(order) == len(DECK))
    return {card: number for number, order in enumerate(shuffles[dealt_last:]) for card in order}


def held_as_told(match: Match, viewer: int) -> list[Counter[int]]:
    """Returns, by seat, how many cards of each stock it holds, as the viewer can tell from the
    events."""
    held: list[Counter[int]] = []
    stock_of: dict[str, int] = {}
    number = 0
    picked_up = ""
    events = match.events(viewer)
    for event, after in zip(events, (*events[1:], Event("none", None)), strict=True):
        arguments = [str(argument) for argument in event.arguments]
        seat = -1 if event.actor is None else event.actor
        if event.verb == "deal":
            number = 0
            stock_of = dict.fromkeys(DECK, 0)
            held = [Counter({0: 7}) for _ in range(match.players)]
        elif event.verb == "draw":
            held[seat][number + (after.verb == "renew")] += 1
        elif event.verb == "renew":
            number += 1
            stock_of |= dict.fromkeys(arguments, number)
        elif event.verb in ("discard", "layoff", "meld", "take"):
            held[seat].subtract(stock_of[card] for card in arguments if card in stock_of)
        elif event.verb == "claimed":
            picked_up = arguments[0]
        elif event.verb == "new-meld" and picked_up:
            held[seat].subtract(stock_of[card] for card in arguments[1:] if card != picked_up)
            picked_up = ""
    return [+counts for counts in held]


@pytest.mark.parametrize("players", [2, 3, 5])
def test_of_which_stocks_a_hand_is_follows_from_what_everybody_is_told(
    players: int, seed: int
) -> None:
    rng = Random(seed)
    renewed = 0
    for play in (decisions, decisions, melding):
        match = RUMMY.start(players=players, options={"deals": 4}, deals=SeededDeals(f"{seed}"))
        for _ in play(match, rng):
            if rng.random() < 0.95:
                continue
            viewer = rng.randrange(players)
            held, stock_of = held_as_told(match, viewer), stocks_of(match)
            renewed += max(stock_of.values())
            for truth in (match, match.redeal(viewer, rng)):
                for seat in range(players):
                    hand = seen(truth, None, "hand", seat)
                    assert held[seat] == Counter(stock_of[card] for card in hand)
                assert {stock_of[card] for card in seen(truth, None, "stock")} <= {
                    max(stock_of.values())
                }
    assert renewed


def test_the_order_of_a_renewed_stock_does_not_matter_before_it_is_drawn() -> None:
    one = renewing(deal(""), 37)
    order = list(seen(one, None, "discards")[:-1])
    order[20], order[30] = order[30], order[20]
    other = start(deal(""), order)
    draw_and_discard(other, 37)
    for match in (one, other):
        draw_and_discard(match, 20)
    for seat in (0, 1):
        assert_looks_equal(one, other, seat)
    assert seen(one, None, "stock") != seen(other, None, "stock")


# In every match -----------------------------------------------------------------------------------


def is_set(texts: tuple[str, ...]) -> bool:
    enough = len(texts) >= 3 or texts[0][0] == "7"
    return enough and len({card[0] for card in texts}) == 1


def is_sequence(texts: tuple[str, ...]) -> bool:
    enough = len(texts) >= 3 or any(card[0] == "7" for card in texts)
    ranks = sorted(RANKS.index(card[0]) for card in texts)
    in_a_row = ranks == list(range(ranks[0], ranks[0] + len(ranks)))
    return enough and in_a_row and len({card[1] for card in texts}) == 1


def legal_by_trying(match: Match, seat: int) -> set[str]:
    """Returns the legal actions by the seat's view, found by trying all subsets of its hand."""
    view = match.observe(seat)
    hand = view.zone("hand", seat).cards
    top = view.zone("discards").cards[-1:]  # there is none after a take of the first discard
    melds = [cards(str(meld)) for meld in view.facts["melds"]]  # type: ignore[union-attr]
    some = [part for size in range(1, len(hand)) for part in combinations(hand, size)]
    if view.facts["phase"] == "claim":
        return {"pass"} | {f"claim {' '.join(part)}" for part in some if is_set((*part, *top))}
    if view.facts["phase"] == "draw":
        takes = {f"take {' '.join(part)}" for part in some if is_sequence((*part, *top))}
        return {"draw"} | (takes if view.facts["draws"][seat] else set())  # type: ignore[index]
    return (
        {f"discard {card}" for card in hand}
        | {f"meld {' '.join(part)}" for part in some if is_set(part) or is_sequence(part)}
        | {
            f"layoff {card} {number}"
            for number, meld in enumerate(melds, 1)
            for card in (hand if len(hand) > 1 else ())
            if is_set((*meld, card)) or is_sequence((*meld, card))
        }
    )


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_what_is_legal_is_what_is_found_by_trying(players: int, seed: int) -> None:
    rng = Random(seed)
    for play in (decisions, melding):
        match = RUMMY.start(players=players, deals=SeededDeals(f"{seed}"))
        for seat in play(match, rng):
            if rng.random() < 0.4:
                found = legal(match, seat)
                assert sorted(found) == sorted(legal_by_trying(match, seat))
                assert len(found) <= 60
