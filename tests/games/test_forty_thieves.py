"""Forty Thieves: each ruling and each example, and the invariants of every match."""

from collections import Counter
from itertools import permutations
from random import Random
from typing import Any

import pytest

from sevens_games import IllegalAction, Match, SeededDeals, StackedDeals, load
from sevens_games.cards.standard import DECK, RANKS
from tests.support.game_tables import (
    ANY,
    cards,
    decisions,
    legal,
    seen,
    stack,
    told,
)

FORTY_THIEVES = load("forty-thieves")
TWO_DECKS = [card for card in DECK for _ in range(2)]
COLUMNS = [f"column-{number}" for number in range(1, 11)]

# The tops and the beginning of the stock in the examples 1, 2 and 6.
TOPS = "AC 2C KC QC QD 9H 8H 8H 7H 5S"
STOCK = "3C 2C AC TH"

# Nothing ever moves here: the twos take aces, the kings queens, and all of these lie buried; so do
# the jacks that a queen of clubs would take.
DEAD_TOPS = "2C 2C 2D 2D 2H 2H 2S 2S KC KD"
BURIED = "AC AC AD AD AH AH AS AS QC QC QD QD JC JC"

# Three columns that are soon empty, except for the ace of hearts.
CLEARED = ["4C 3C 2C AC", "4D 3D 2D AD", "AH 3S 2S AS"]
CLEARING = [f"move {column} foundation" for column in "11112222333"]


def deal(*columns: str, stock: str = "") -> list[str]:
    """Returns a deal with these columns, of at most four cards, the top last, and this beginning of
    the stock. The other cards are arbitrary."""
    full = [[*[ANY] * (4 - len(cards(text))), *cards(text)] for text in columns]
    full += [[ANY] * 4] * (10 - len(full))
    rows = [[column[row] for column in full] for row in range(4)]
    return stack(TWO_DECKS, *rows, cards(stock))


def start(order: list[str], players: int = 1, **options: int) -> Match:
    return FORTY_THIEVES.start(players=players, options=options, deals=StackedDeals([order]))


def example(players: int = 1, **options: int) -> Match:
    return start(deal(*cards(TOPS), stock=STOCK), players, **options)


def dead(*stock: str, **options: int) -> Match:
    """A deal in which nothing ever moves but these cards, which are the first of the stock, not
    buried."""
    buried = list((Counter(cards(BURIED)) - Counter(stock)).elements())
    columns = [" ".join([*buried[n::10], top]) for n, top in enumerate(cards(DEAD_TOPS))]
    return start(deal(*columns, stock=" ".join(stock)), **options)


def won_deal() -> list[str]:
    """A deal that is won in 168 actions: the stock has the low cards, all in order."""
    in_order = [card for rank in RANKS for card in TWO_DECKS if card[0] == rank]
    return in_order[64:][::-1] + in_order[:64]


def do(match: Match, *texts: str, seat: int = 0) -> None:
    for text in texts:
        match.apply(seat, text)


def do_often(match: Match, text: str, times: int) -> None:
    do(match, *[text] * times)


def win(match: Match, seat: int = 0) -> None:
    """Wins the deal of `won_deal`."""
    for _ in range(64):
        do(match, "draw", "move waste foundation", seat=seat)
    while seat in match.to_act:
        do(match, next(a for a in match.legal_actions(seat) if a.endswith("foundation")), seat=seat)


def moves(match: Match, seat: int = 0) -> set[str]:
    return {text for text in legal(match, seat) if text.startswith("move")}


def fact(match: Match, name: str, seat: int = 0) -> object:
    return match.observe(seat).facts[name]


def by_seat(match: Match, name: str) -> Any:
    """Returns a fact as the spectator sees it."""
    return match.observe(None).facts[name]


def outcome(match: Match) -> tuple[list[int], list[int]]:
    assert match.result is not None
    assert match.result.reason == "played-out"
    return match.result.scores, match.result.ranks


def told_all(match: Match, seat: int) -> tuple[object, ...]:
    """Returns everything that a seat can receive at this moment."""
    return match.observe(seat).to_json(), match.events(seat), legal(match, seat)


# Setup and dealing --------------------------------------------------------------------------------


def test_ruling_11_the_columns_are_dealt_row_by_row_and_the_rest_is_the_stock() -> None:
    order = SeededDeals("rows")
    match = FORTY_THIEVES.start(deals=order)
    [shuffle] = match.deals.shuffles
    for place, column in enumerate(COLUMNS):
        assert seen(match, 0, column, 0) == tuple(shuffle[place:40:10])
    assert seen(match, None, "stock", 0) == tuple(shuffle[40:])
    assert seen(match, 0, "waste", 0) == seen(match, 0, "foundations", 0) == ()
    assert told(match, 0, "deal") == [(None, *shuffle[:40])]


def test_the_tops_are_the_last_row() -> None:
    match = example()
    assert tuple(seen(match, 0, column, 0)[-1] for column in COLUMNS) == cards(TOPS)
    do_often(match, "draw", 4)
    assert seen(match, 0, "waste", 0) == cards(STOCK)


@pytest.mark.parametrize("players", range(1, 9))
def test_one_shuffle_of_two_decks_in_canonical_order_makes_the_deal_of_all(players: int) -> None:
    chance = SeededDeals("one")
    match = FORTY_THIEVES.start(players=players, deals=chance)
    chance.begin_deal()
    assert match.deals.shuffles == [list(chance.shuffle(TWO_DECKS))]
    assert match.to_act == tuple(range(players))
    for seat in range(players):
        for zone in (*COLUMNS, "stock"):
            assert seen(match, None, zone, seat) == seen(match, None, zone, 0)


def test_nothing_is_left_to_chance_after_the_deal(seed: int) -> None:
    match = FORTY_THIEVES.start(deals=SeededDeals(f"{seed}"))
    for _ in decisions(match, Random(seed)):
        pass
    assert (len(match.deals.shuffles), match.deals.picks) == (1, [])


# Rulings ------------------------------------------------------------------------------------------


def test_ruling_1_more_cards_home_beat_fewer_moves() -> None:
    match = example(players=2, max_moves=5)
    do(match, "move 1 foundation", *["draw"] * 4)
    do(match, "draw", "draw", "move 1 foundation", "draw", "move 2 foundation", seat=1)
    assert by_seat(match, "moves") == (1, 5)
    assert outcome(match) == ([1, 2], [2, 1])


def test_ruling_1_fewer_moves_decide_between_equal_scores_and_then_it_is_a_tie() -> None:
    match = example(players=4, max_moves=3)
    do(match, "draw", "draw", "move 1 foundation")
    do(match, "move 1 foundation", "draw", "draw", seat=1)
    do(match, "draw", "move 1 foundation", "draw", seat=2)
    do(match, "move 1 foundation", "move 4 3", "draw", seat=3)
    assert by_seat(match, "moves") == (3, 1, 2, 1)
    assert outcome(match) == ([1, 1, 1, 1], [4, 1, 3, 1])


def test_ruling_1_a_won_game_beats_everything_and_ends_by_itself() -> None:
    match = start(won_deal(), players=2)
    win(match)
    assert match.to_act == (1,)
    assert (fact(match, "home"), fact(match, "moves"), fact(match, "actions")) == (104, 168, 168)
    assert seen(match, 0, "foundations", 0) == tuple(
        rank + suit for suit in "CCDDHHSS" for rank in RANKS
    )
    do(match, "draw", "move waste foundation", *["draw"] * 63, "stop", seat=1)
    assert by_seat(match, "ended") == ("won", "stopped")
    assert outcome(match) == ([104, 1], [1, 2])


def test_ruling_2_the_top_of_the_discard_pile_moves_and_then_the_card_under_it() -> None:
    match = example()
    do(match, "move 1 foundation", "draw", "draw")
    assert "move waste foundation" in moves(match)
    do(match, "move waste foundation")
    assert seen(match, 0, "waste", 0) == ("3C",)
    do(match, "draw", "move waste foundation", "move waste foundation")
    assert seen(match, 0, "waste", 0) == ()
    assert seen(match, 0, "foundations", 0) == cards("AC 2C 3C AC")


def test_ruling_3_the_discard_pile_may_be_turned_over_again_and_again() -> None:
    match = example(max_moves=10_000)
    stock = seen(match, None, "stock", 0)
    for number in range(1, 120):
        do_often(match, "draw", 64)
        assert seen(match, 0, "waste", 0) == stock
        assert {"redeal", "stop"} <= set(legal(match, 0))
        do(match, "redeal")
        assert (seen(match, 0, "stock", 0), seen(match, 0, "waste", 0)) == (stock, ())
        assert fact(match, "redeals_made") == number


@pytest.mark.parametrize("redeals", [0, 1, 3])
def test_ruling_3_an_option_limits_the_redeals(redeals: int) -> None:
    match = example(redeals=redeals)
    for _ in range(redeals):
        do_often(match, "draw", 64)
        do(match, "redeal")
    do_often(match, "draw", 64)
    assert "redeal" not in legal(match, 0)
    assert {"move 1 foundation", "stop"} <= set(legal(match, 0))


def test_ruling_4_without_any_legal_move_in_a_whole_pass_the_game_is_over() -> None:
    match = dead("QC")
    do(match, "draw", "move waste 9")
    do_often(match, "draw", 63)
    assert legal(match, 0) == ["redeal", "stop"]
    do(match, "redeal")
    assert fact(match, "move_was_legal") == 0
    do_often(match, "draw", 62)
    assert legal(match, 0) == ["draw"]
    do(match, "draw")
    assert by_seat(match, "ended") == ("blocked",)


def test_ruling_4_a_move_that_was_declined_allows_a_redeal() -> None:
    match = dead("QC")
    do(match, "draw", "draw")
    assert (moves(match), fact(match, "move_was_legal")) == (set(), 1)
    do_often(match, "draw", 62)
    assert legal(match, 0) == ["redeal", "stop"]


def test_ruling_4_a_move_that_is_legal_at_the_redeal_belongs_to_the_new_pass_too() -> None:
    match = example()
    do_often(match, "draw", 64)
    do(match, "redeal")
    assert fact(match, "move_was_legal") == 1


def test_ruling_5_a_seat_may_stop_when_its_stock_is_empty_and_not_before() -> None:
    match = example()
    for _ in range(64):
        assert "stop" not in legal(match, 0)
        do(match, "draw")
    assert "stop" in legal(match, 0)
    do(match, "stop")
    assert match.to_act == ()
    assert (fact(match, "actions"), fact(match, "ended")) == (64, "stopped")


def test_ruling_5_going_on_costs_no_rank() -> None:
    match = example(players=2)
    for seat in (0, 1):
        do(match, "move 1 foundation", *["draw"] * 64, seat=seat)
    do(match, "stop")
    do(match, "redeal", *["draw"] * 64, "stop", seat=1)
    assert by_seat(match, "actions") == (65, 130)
    assert outcome(match) == ([1, 1], [1, 1])


def test_ruling_6_draws_and_redeals_count_as_actions() -> None:
    match = example()
    do_often(match, "draw", 64)
    do(match, "redeal", "move 4 3")
    assert (fact(match, "actions"), fact(match, "moves")) == (66, 0)
    do(match, "move 1 foundation", "draw")
    assert (fact(match, "actions"), fact(match, "moves")) == (68, 67)


def test_ruling_7_columns_are_built_down_in_suit() -> None:
    match = start(deal(*cards("QC KC KH QC 9H 8H 7H AC KC 2C"), stock="JC 8H JD"))
    assert moves(match) == {
        "move 1 2", "move 1 9", "move 4 2", "move 4 9", "move 6 5", "move 7 6",
        "move 8 10", "move 8 foundation",
    }  # fmt: skip
    do(match, "draw")
    assert {"move waste 1", "move waste 4"} <= moves(match)
    do(match, "move waste 4")
    assert seen(match, 0, "column-4", 0)[-2:] == cards("QC JC")
    do(match, "draw", "move waste 5")
    assert "move 7 5" in moves(match)


def test_ruling_7_nothing_goes_onto_an_ace() -> None:
    match = start(deal(*cards("AC AC KC KD KH KS KC KD KH KS"), stock="2C"))
    do(match, "draw")
    assert moves(match) == {"move 1 foundation", "move 2 foundation"}


def test_ruling_7_any_card_may_fill_an_empty_column_a_king_no_other() -> None:
    match = start(deal("4C 3C 2C AC", *cards("KD QH 5S"), stock="KH 7C"))
    do_often(match, "move 1 foundation", 4)
    assert {f"move {column} 1" for column in range(2, 11)} <= moves(match)
    do(match, "draw")
    assert {text for text in moves(match) if "waste" in text} == {"move waste 1"}
    do(match, "move waste 1")
    assert seen(match, 0, "column-1", 0) == ("KH",)
    assert "move 3 1" in moves(match)
    assert "move 2 1" not in moves(match)


def test_ruling_7_an_empty_column_need_not_be_filled() -> None:
    match = start(deal("4C 3C 2C AC"))
    do_often(match, "move 1 foundation", 4)
    do_often(match, "draw", 64)
    assert seen(match, 0, "column-1", 0) == ()
    assert {"redeal", "stop"} <= set(legal(match, 0))


def test_ruling_8_the_only_card_of_a_column_does_not_go_to_an_empty_one() -> None:
    match = start(deal("4C 3C 2C AC", "5H 3D 2D AD", *cards("6H 9S")))
    do_often(match, "move 1 foundation", 4)
    do_often(match, "move 2 foundation", 2)
    assert "move 2 1" in moves(match)
    do(match, "move 2 foundation")
    assert "move 2 1" not in moves(match)
    assert {"move 2 3", "move 3 1"} <= moves(match)
    do(match, "move 2 3")
    assert {"move 3 1", "move 3 2", "move 4 1", "move 4 2"} <= moves(match)


def test_ruling_9_a_card_of_the_stock_costs_two_actions() -> None:
    match = start(deal(*cards("AC 5H"), stock="AH"))
    assert "draw" in legal(match, 0)
    assert not any("stock" in text for text in legal(match, 0))
    do(match, "draw", "move waste foundation")
    assert fact(match, "actions") == 2
    assert seen(match, 0, "foundations", 0) == ("AH",)


def test_ruling_10_no_card_comes_back_from_the_foundations(seed: int) -> None:
    match = FORTY_THIEVES.start(deals=SeededDeals(f"{seed}"))
    home = [0] * match.players
    for seat in decisions(match, Random(seed)):
        assert not any(text.startswith("move foundation") for text in legal(match, seat))
        now = fact(match, "home", seat)
        assert isinstance(now, int)
        assert now >= home[seat]
        home[seat] = now


def test_each_suit_has_two_foundations_and_a_card_goes_to_either_that_it_fits() -> None:
    match = start(deal("3C 2C AC", "3C 2C AC"))
    do(match, "move 1 foundation", "move 2 foundation", "move 1 foundation")
    assert seen(match, 0, "foundations", 0) == cards("AC 2C AC")
    do(match, "move 1 foundation")
    assert seen(match, 0, "foundations", 0) == cards("AC 2C 3C AC")
    do(match, "move 2 foundation", "move 2 foundation")
    assert seen(match, 0, "foundations", 0) == cards("AC 2C 3C AC 2C 3C")


# Examples -----------------------------------------------------------------------------------------


def test_example_1_what_is_legal_at_the_start() -> None:
    assert sorted(legal(example(), 0)) == [
        "draw", "move 1 2", "move 1 foundation", "move 4 3", "move 7 6", "move 8 6", "move 9 7",
        "move 9 8",
    ]  # fmt: skip


def test_example_2_the_third_club_goes_home_on_either_foundation() -> None:
    match = example()
    do(match, "move 1 foundation", "draw", "move 2 foundation")
    assert "move waste foundation" in legal(match, 0)
    do(match, "draw", "draw")
    assert seen(match, 0, "waste", 0) == cards("3C 2C AC")
    do(match, *["move waste foundation"] * 3)
    assert seen(match, 0, "foundations", 0) == cards("AC 2C 3C AC 2C")
    assert (fact(match, "actions"), fact(match, "moves"), fact(match, "home")) == (8, 8, 5)


def test_example_3_a_lone_ace_goes_home_but_not_to_an_empty_column() -> None:
    match = start(deal(*CLEARED))
    do(match, *CLEARING, "draw")
    assert [seen(match, 0, column, 0) for column in COLUMNS[:3]] == [(), (), ("AH",)]
    assert "move 3 foundation" in moves(match)
    assert not {"move 3 1", "move 3 2"} & moves(match)
    for source in (*range(4, 11), "waste"):
        assert {f"move {source} 1", f"move {source} 2"} <= moves(match)


def test_example_4_nothing_ever_legal_ends_the_game_by_itself() -> None:
    match = dead()
    do_often(match, "draw", 63)
    assert legal(match, 0) == ["draw"]
    do(match, "draw")
    assert by_seat(match, "ended") == ("blocked",)
    assert outcome(match) == ([0], [1])
    assert (fact(match, "actions"), fact(match, "moves")) == (64, 0)


def test_example_4_a_move_for_a_card_that_is_now_buried_allows_a_redeal() -> None:
    match = dead("QC")
    do_often(match, "draw", 64)
    assert legal(match, 0) == ["redeal", "stop"]


def test_example_5_one_redeal_only() -> None:
    match = dead("QC", redeals=1)
    do_often(match, "draw", 64)
    do(match, "redeal")
    do_often(match, "draw", 63)
    assert match.to_act == (0,)
    do(match, "draw")
    assert by_seat(match, "ended") == ("blocked",)
    match = example(redeals=1)
    do_often(match, "draw", 64)
    do(match, "redeal")
    do_often(match, "draw", 64)
    assert legal(match, 0)[-1] == "stop"
    assert "redeal" not in legal(match, 0)


def test_example_6_three_seats_and_three_actions_each() -> None:
    match = example(players=3, max_moves=3)
    do(match, "draw", "move 1 foundation", "draw")
    do(match, "move 1 foundation", "draw", "draw", seat=1)
    do(match, "draw", "draw", "draw", seat=2)
    assert by_seat(match, "moves") == (2, 1, 0)
    assert outcome(match) == ([1, 1, 0], [2, 1, 3])


# The end, limits and options ----------------------------------------------------------------------


def test_a_seat_has_a_limited_number_of_actions() -> None:
    match = example(max_moves=7)
    do_often(match, "draw", 6)
    assert match.to_act == (0,)
    do(match, "draw")
    assert by_seat(match, "ended") == ("limit",)


def test_winning_is_told_before_the_limit_and_the_limit_before_being_blocked() -> None:
    match = start(won_deal(), max_moves=168)
    win(match)
    assert by_seat(match, "ended") == ("won",)
    match = dead(max_moves=64)
    do_often(match, "draw", 64)
    assert by_seat(match, "ended") == ("limit",)


def test_the_match_is_over_when_every_seat_is() -> None:
    match = example(players=3, max_moves=2)
    do(match, "draw", "draw", seat=1)
    assert match.to_act == (0, 2)
    assert match.legal_actions(1) == []
    with pytest.raises(IllegalAction, match="owes no decision"):
        match.apply(1, "draw")
    do(match, "draw", "draw", seat=2)
    do(match, "draw")
    assert match.result is None
    do(match, "draw")
    assert outcome(match) == ([0, 0, 0], [1, 1, 1])


@pytest.mark.parametrize(
    ("option", "allowed", "wrong"),
    [
        ("redeals", "an integer from -1 to 100", [-2, 101, True, "1"]),
        ("max_moves", "an integer from 1 to 10000", [0, 10_001, True, "5"]),
    ],
)
def test_options_have_bounds(option: str, allowed: str, wrong: list[object]) -> None:
    for value in wrong:
        with pytest.raises(ValueError, match=f"{option} must be {allowed}"):
            FORTY_THIEVES.start(options={option: value})  # type: ignore[dict-item]


def test_the_ladder_format_is_unlimited_redeals_for_four() -> None:
    match = FORTY_THIEVES.start()
    assert (match.players, match.options) == (4, {"redeals": -1, "max_moves": 1000})
    for players in (0, 9):
        with pytest.raises(ValueError, match="1, 2, 3, 4, 5, 6, 7, 8 players"):
            FORTY_THIEVES.start(players=players)


def test_a_move_that_does_not_fit_is_refused_with_a_sentence() -> None:
    match = example()
    with pytest.raises(IllegalAction, match="onto the next lower one of its suit"):
        match.apply(0, "move 3 4")
    with pytest.raises(IllegalAction, match="the stock must be empty to redeal or stop"):
        match.apply(0, "stop")


# The race -----------------------------------------------------------------------------------------


def play(match: Match, seat: int, rng: Random, most: int = 10_000) -> None:
    """Continues one seat's game at random."""
    while seat in match.to_act and most:
        match.apply(seat, rng.choice(match.legal_actions(seat)))
        most -= 1


def test_nothing_that_a_seat_is_sent_depends_on_the_others(seed: int) -> None:
    """Neither on their actions nor on whether they have finished."""
    rng = Random(seed)
    match = FORTY_THIEVES.start(deals=SeededDeals(f"{seed}"))
    for more in (0, 20, 20):
        play(match, 2, rng, more)
        before = told_all(match, 2)
        other = match.clone()
        for seat in (0, 1, 3):
            match.apply(seat, rng.choice(match.legal_actions(seat)))
            assert told_all(match, 2) == before
            play(other, seat, rng)
            assert told_all(other, 2) == before
        assert other.to_act == (2,)


def test_the_order_between_seats_does_not_matter(seed: int) -> None:
    """The same choices of each seat, mixed or one seat after the other, lead to the same match."""
    rng = Random(seed)
    match, other = [FORTY_THIEVES.start(players=3, deals=SeededDeals(f"{seed}")) for _ in range(2)]
    choices = []
    while match.to_act:
        seat = rng.choice(match.to_act)
        choices.append((seat, rng.choice(legal(match, seat))))
        match.apply(*choices[-1])
    for seat, text in sorted(choices, key=lambda choice: -choice[0]):
        other.apply(seat, text)
    assert other.result == match.result
    assert other.observe(None) == match.observe(None)
    for seat in range(3):
        assert told_all(other, seat) == told_all(match, seat)


def test_a_seat_never_waits() -> None:
    match = example(players=2)
    do_often(match, "draw", 64)
    assert match.to_act == (0, 1)
    assert seen(match, 0, "waste", 0)[:4] == cards(STOCK)
    assert seen(match, None, "waste", 1) == ()


# Information --------------------------------------------------------------------------------------


def test_a_seat_sees_its_own_table_only_and_the_spectator_all() -> None:
    match = example(players=3)
    assert {zone.owner for zone in match.observe(1).zones} == {1, None}  # the deal is nobody's own
    assert {zone.owner for zone in match.observe(None).zones} == {0, 1, 2, None}
    do(match, "draw", "move 1 foundation")
    assert match.events(1) == match.events(2) == match.events(0)[:1]
    assert told(match, 0, "card") == told(match, None, "card") == [(0, "3C"), (0, "AC")]
    assert by_seat(match, "actions") == (2, 0, 0)


def test_a_seat_learns_nothing_of_the_others_when_the_match_is_over() -> None:
    match = example(players=2, max_moves=1)
    do(match, "move 1 foundation")
    do(match, "draw", seat=1)
    assert match.result is not None
    assert {zone.owner for zone in match.observe(0).zones} == {0, None}
    assert told(match, 0, "over") == [(0, "limit", 1, 1)]
    assert told(match, None, "over") == [(0, "limit", 1, 1), (1, "limit", 0, 0)]


def test_the_stock_is_hidden_until_it_has_been_drawn_through() -> None:
    match = example()
    stock = seen(match, None, "stock", 0)
    do(match, "draw")
    zone = match.observe(0).zone("stock", 0)
    assert (zone.cards, zone.hidden) == ((), 63)
    do_often(match, "draw", 63)
    do(match, "redeal", "draw")
    zone = match.observe(0).zone("stock", 0)
    assert (zone.cards, zone.hidden) == (stock[1:], 0)


# Redealing what a seat cannot see -----------------------------------------------------------------


def talon(match: Match, seat: int) -> tuple[str, ...]:
    """Returns the cards that do not lie on the table, in the order in which they are drawn."""
    return seen(match, None, "waste", seat) + seen(match, None, "stock", seat)


def is_within(some: tuple[str, ...], others: tuple[str, ...]) -> bool:
    """True if the first cards occur among the others, in the same order."""
    rest = iter(others)
    return all(card in rest for card in some)


def test_every_order_of_the_cards_not_drawn_yet_can_come_up() -> None:
    match = FORTY_THIEVES.start(players=2, deals=SeededDeals("orders"))
    do_often(match, "draw", 61)
    last = seen(match, None, "stock", 0)
    assert len(set(last)) == 3
    found = {seen(match.redeal(0, Random(n)), None, "stock", 0) for n in range(100)}
    assert found == set(permutations(last))


def test_whoever_has_turned_the_discard_pile_over_knows_the_deal() -> None:
    match = example(players=2)
    do_often(match, "draw", 64)
    do(match, "redeal", "draw")
    for number in range(10):
        redealt = match.redeal(0, Random(number))
        for zone in (*COLUMNS, "waste", "stock", "foundations"):
            assert seen(redealt, None, zone, 0) == seen(match, None, zone, 0)
        assert is_within(talon(redealt, 1), talon(match, 0))


def test_what_the_others_have_made_of_the_deal_can_be_anything() -> None:
    match = example(players=3)
    do(match, *["draw"] * 64, "stop", seat=1)
    actions, homes = set(), set()
    for number in range(30):
        redealt = match.redeal(0, Random(number))
        assert redealt.to_act == (0, 2)
        assert [bool(how) for how in by_seat(redealt, "ended")] == [False, True, False]
        actions.add(by_seat(redealt, "actions")[2])
        homes.add(by_seat(redealt, "home")[1])
    assert len(actions) > 15
    assert len(homes) > 3


def test_in_a_redealt_match_all_seats_play_one_deal(seed: int) -> None:
    rng = Random(seed)
    match = example(players=4)
    for seat in (1, 2, 3):
        play(match, seat, rng, 50 * seat)
    others = set()
    for _ in range(10):
        redealt = match.redeal(0, rng)
        for seat in (1, 2, 3):
            assert is_within(talon(redealt, seat), talon(redealt, 0))
            others.add(talon(redealt, seat))
    assert len(others) > 10


# In every match -----------------------------------------------------------------------------------


def test_the_cards_home_are_counted(seed: int) -> None:
    match = FORTY_THIEVES.start(players=2, deals=SeededDeals(f"{seed}"))
    for seat in decisions(match, Random(seed)):
        assert fact(match, "home", seat) == len(seen(match, seat, "foundations", seat))
