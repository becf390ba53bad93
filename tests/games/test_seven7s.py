"""Seven7s: each ruling and each published example, and a seat's knowledge of hidden cards."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise, permutations
from random import Random
from typing import Any

import pytest

from sevens_games import Action, IllegalAction, Match, SeededDeals, StackedDeals
from sevens_games.seven7s.deck import COLOUR, DECK, RAINBOW
from tests.support.game_seven7s import GAME, start
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

LETTERS = "ACDVLSW"


def script(first: str, turns: Iterable[str], kept: Iterable[str]) -> Match:
    """Plays a match of such turns to its end: `3C C` or, with a call, `3L L red 1D`, where the last
    card is then shown and won. `kept`: by seat, the hand at the end."""
    plays = [cards(turn) for turn in turns]
    players = len(list(kept := list(kept)))
    queues = [
        [*[play[0] for play in plays[seat::players]], *cards(hand)]
        for seat, hand in enumerate(kept)
    ]
    deck: list[str] = []
    for number, play in enumerate(plays):
        queue = queues[number % players]
        deck += [*play[3:], *queue[3 + number // players :][:1]]
    match = start(*[" ".join(queue[:3]) for queue in queues], first=first, deck=" ".join(deck))
    for card, column, *call in plays:
        choose(match, f"play {card} {column}", *[f"call {named}" for named in call[:1]])
    assert match.result is not None
    assert [" ".join(match.observe(None).zone("hand", seat).cards) for seat in range(players)] == [
        " ".join(sorted(cards(hand), key=DECK.index)) for hand in kept
    ]
    return match


def of(value: int, colour: str) -> str:
    """The card of that value and colour."""
    [card] = [card for card in DECK if card[0] == str(value) and COLOUR[card] == colour]
    return card


def with_deck_of(count: int, match: Match) -> Match:
    """Returns the match as if the deck had no more cards than this."""
    state: Any = match._state
    state.deck = state.deck[:count]
    return match


def column(match: Match, letter: str) -> tuple[str, ...]:
    return seen(match, None, f"column-{letter}")


def fact(match: Match, name: str, viewer: int | None = None) -> object:
    return match.observe(viewer).facts[name]


def scores(match: Match) -> list[int]:
    assert match.result is not None
    return match.result.scores


def ranks(match: Match) -> list[int]:
    assert match.result is not None
    return match.result.ranks


# The deck and the deal ----------------------------------------------------------------------------


def test_ruling_1_every_type_and_every_value_has_each_colour_once() -> None:
    assert len(DECK) == 49
    for letter in LETTERS:
        assert {COLOUR[card] for card in DECK if card[1] == letter} == set(RAINBOW)
    for value in "1234567":
        assert {COLOUR[card] for card in DECK if card[0] == value} == set(RAINBOW)


def test_ruling_1_the_rainbow_starts_two_colours_further_in_each_type() -> None:
    assert [COLOUR[f"1{letter}"] for letter in LETTERS] == (
        ["indigo", "red", "yellow", "blue", "violet", "orange", "green"]
    )
    for letter in LETTERS:
        places = [RAINBOW.index(COLOUR[f"{value}{letter}"]) for value in range(1, 8)]
        assert all((other - one) % 7 == 1 for one, other in pairwise(places))


def test_ruling_1_the_colours_that_the_booklet_tells() -> None:
    assert COLOUR["5V"] == "orange"
    assert "blue" in [COLOUR[card] for card in DECK if card[1] == "W"]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_ruling_2_seat_0_starts_and_the_turn_goes_round(players: int) -> None:
    match = start("1C", "2C", *["3C", "4C"][: players - 2], first="7D")
    for seat in range(players):
        assert match.to_act == (seat,)
        assert fact(match, "turn") == seat
        choose(match, f"play {seat + 1}C C")
    assert match.to_act == (0,)


def test_three_cards_go_to_each_seat_one_at_a_time_then_one_to_the_table() -> None:
    order = stack(DECK, cards("1A 7W 3C 2A 6W 2C 3A 5W 1C 4V 4L"))
    match = GAME.start(players=3, deals=StackedDeals([order]))
    assert seen(match, 0, "hand", 0) == cards("1A 2A 3A")
    assert seen(match, 1, "hand", 1) == cards("5W 6W 7W")
    assert seen(match, 2, "hand", 2) == cards("1C 2C 3C")
    assert column(match, "V") == ("4V",)
    assert seen(match, None, "deck") == tuple(order[10:])
    assert match.deals.shuffles == [order]


@pytest.mark.parametrize("first", ["4D", "4V", "4L", "4S", "4W"])
def test_ruling_3_the_first_card_has_no_power(first: str) -> None:
    match = start("1C", "", first=first)
    assert fact(match, "phase") == "play"
    assert column(match, first[1]) == (first,)
    assert fact(match, "wild") == ""
    assert fact(match, "highest") == 7
    assert match.deals.picks == []


def test_ruling_3_a_first_card_of_the_colors_sets_the_wild_colour_and_an_age_counts() -> None:
    assert fact(start("", "", first="5C"), "wild") == "blue"
    assert fact(start("", "", first="5A"), "highest") == 6


# Where a card may be put --------------------------------------------------------------------------


def test_a_card_that_is_not_free_goes_onto_the_column_of_its_type_which_it_may_start() -> None:
    match = start("3D 5W 6S", "", first="1D")
    assert legal(match, 0) == ["play 3D D", "play 6S S", "play 5W W"]
    choose(match, "play 5W W")
    assert column(match, "W") == ("5W",)


def test_an_age_goes_onto_any_column_that_is_there_and_may_start_its_own() -> None:
    match = start("3A 1C 2C", "1V", first="1D")
    assert legal(match, 0) == ["play 3A A", "play 3A D", "play 1C C", "play 2C C"]


def test_a_wild_card_goes_onto_any_column_that_is_there() -> None:
    match = start("2W 6S 7D", "", first="5C")
    assert [COLOUR[card] for card in cards("5C 2W 6S 7D")] == ["blue", "blue", "violet", "orange"]
    assert legal(match, 0) == ["play 7D D", "play 6S S", "play 2W C", "play 2W W"]


def test_ruling_4_a_free_card_starts_the_column_of_its_own_type_only() -> None:
    for action in legal(start("3A 4A 2W", "", first="5C"), 0):
        _, card, letter = action.split()
        assert letter in ("C", card[1])
    with pytest.raises(IllegalAction, match="goes onto the column of its type"):
        start("3A 4A 2W", "", first="5C").apply(0, "play 3A L")


# The wild colour ----------------------------------------------------------------------------------


def test_the_last_colors_card_in_the_colors_column_sets_the_wild_colour() -> None:
    match = start("1C", "4C", first="5C")
    for play, colour in (("1C", "red"), ("4C", "green")):
        choose(match, f"play {play} C")
        assert fact(match, "wild") == colour == COLOUR[play]


def test_ruling_6_an_age_or_another_wild_card_in_the_colors_column_sets_no_wild_colour() -> None:
    match = start("3A", "2W", first="5C")
    choose(match, "play 3A C", "play 2W C")
    assert column(match, "C") == cards("5C 3A 2W")
    assert fact(match, "wild") == "blue"


def test_a_colors_card_is_never_free_for_the_one_of_the_wild_colour_is_on_the_table(
    seed: int,
) -> None:
    rng = Random(seed)
    for number in range(30):
        match = GAME.start(players=2 + number % 3, deals=SeededDeals(f"{seed}/{number}"))
        for seat in decisions(match, rng):
            for action in legal(match, seat):
                verb, *what = action.split()
                assert verb != "play" or what[0][1] != "C" or what[1] == "C"


def test_taking_the_top_colors_card_brings_the_colour_before_back() -> None:
    match = start("1C", "1S", first="5C")
    choose(match, "play 1C C")
    assert fact(match, "wild") == "red"
    choose(match, "play 1S S", "take C")
    assert fact(match, "wild") == "blue"
    assert "1C" in seen(match, None, "hand", 1)


def test_ruling_6_every_card_in_the_ages_column_disables_a_value() -> None:
    match = start("5C", "1A", first="7A", deck=f"{ANY} {ANY}")
    assert fact(match, "highest") == 6
    choose(match, "play 5C C", "play 1A A")
    assert fact(match, "highest") == 5
    match = start("2W", "2A", first="5C")
    choose(match, "play 2W C", "play 2A A")
    assert fact(match, "highest") == 6
    match = start("2A", "2W", first="5C")
    choose(match, "play 2A A", "play 2W A")
    assert column(match, "A") == cards("2A 2W")
    assert fact(match, "highest") == 5


# Powers -------------------------------------------------------------------------------------------


def test_ruling_5_a_wild_card_uses_the_power_of_the_column_it_is_put_on() -> None:
    match = start("1L", "2W", first="5C")
    choose(match, "play 1L L", "call 7", "play 2W L")
    assert fact(match, "phase") == "call"


def test_ruling_5_a_wild_card_on_its_own_column_has_its_own_power() -> None:
    match = start("2W", "", first="5C")
    choose(match, "play 2W W")
    assert fact(match, "phase") == "look"


@pytest.mark.parametrize("letter", ["A", "C"])
def test_ruling_5_a_wild_card_on_the_ages_or_the_colors_has_no_power(letter: str) -> None:
    match = start("5C", "2W", first="6A")
    choose(match, "play 5C C", f"play 2W {letter}")
    assert match.to_act == (0,)
    assert fact(match, "phase") == "play"


@pytest.mark.parametrize("letter", "ACDVLSW")
def test_ruling_5_an_age_has_no_power_on_any_column(letter: str) -> None:
    match = start("3A", "", first=f"6{letter}")
    choose(match, f"play 3A {letter}")
    assert match.to_act == (1,)
    assert fact(match, "phase") == "play"


def test_ruling_5_a_wild_age_has_no_power_either() -> None:
    assert COLOUR["7A"] == COLOUR["5C"]
    match = start("1L", "7A", first="5C")
    choose(match, "play 1L L", "call 7", "play 7A L")
    assert match.to_act == (0,)
    assert fact(match, "phase") == "play"


def test_deadly_sins_take_the_card_that_is_picked_and_its_holder_draws() -> None:
    match = start("1D", "7W 3V 4L", "", first="1C", deck="6S 6L", picks=[1])
    choose(match, "play 1D D")
    assert legal(match, 0) == ["target 1", "target 2"]
    choose(match, "target 1")  # the hand in canonical order is 3V 4L 7W
    assert column(match, "L") == ("4L",)
    assert seen(match, None, "hand", 1) == cards("3V 6S 7W")
    assert told(match, 2, "lose", "discard") == [(1, "4L"), (0, "4L", "L")]
    assert match.to_act == (1,)


def test_all_other_seats_have_three_cards_whenever_a_seat_decides(seed: int) -> None:
    """So there is always a target, and Wonders never lack a card to look at."""
    rng = Random(seed)
    for number in range(30):
        match = GAME.start(players=2 + number % 3, deals=SeededDeals(f"{seed}/{number}"))
        while match.to_act:
            taken_from = fact(match, "target")
            for seat in range(match.players):
                if seat not in match.to_act:
                    lost = seat == taken_from
                    assert len(seen(match, None, "hand", seat)) == 3 - lost
            choose(match, spread(match, rng))


def test_ruling_8_sins_that_end_the_match_give_the_sideways_card_to_the_seat_in_turn() -> None:
    match = start("1A 3A 5A", "2A 4A 1D", first="1L", deck="7L 1S 1W 2S 2W", picks=[0])
    choose(match, *[f"play {age} L" for age in cards("1A 2A 3A 4A 5A")])
    deck = seen(match, None, "deck")
    choose(match, "play 1D D", "target 0")  # 7L from a hand of 7L 1W 2W
    assert (fact(match, "sideways"), fact(match, "turn")) == ("7L", 1)
    assert seen(match, None, "deck") == deck  # neither seat draws
    assert seen(match, None, "hand", 0) == cards("1W 2W")
    assert seen(match, None, "hand", 1) == cards("1S 2S")
    assert scores(match) == [1 + 2, 1 + 2 + 7]


def test_ruling_9_the_seat_in_turn_places_a_free_card_that_it_took() -> None:
    match = start("1D", "3A", "", first="1C", deck="6S 6L", picks=[0])
    choose(match, "play 1D D", "target 1")
    assert match.to_act == (0,)
    assert fact(match, "target", 2) == 1
    assert seen(match, 2, "taken") == ("3A",)
    assert legal(match, 0) == ["place A", "place C", "place D"]
    choose(match, "place D")
    assert column(match, "D") == cards("1D 3A")
    assert seen(match, 2, "taken") == ()
    assert fact(match, "target", 2) == -1
    assert match.to_act == (1,)  # and no power


def test_ruling_9_a_wild_card_that_was_taken_is_free_too() -> None:
    match = start("1D", "2W 3L 4L", first="5C", picks=[2])
    choose(match, "play 1D D", "target 1")
    assert legal(match, 0) == ["place C", "place D", "place W"]
    choose(match, "place W")
    assert match.to_act == (1,)
    assert fact(match, "phase") == "play"


def test_ruling_9_its_holder_draws_before_the_seat_in_turn() -> None:
    match = start("1D", "3V 5V 6V", first="1C", deck="6S 6L", picks=[0])
    choose(match, "play 1D D", "target 1")
    assert told(match, None, "draw") == [(1, "6S"), (0, "6L")]


def test_a_color_taken_by_sins_changes_the_wild_colour() -> None:
    match = start("1D", "4C 5V 6V", first="1C", picks=[0])
    choose(match, "play 1D D", "target 1")
    assert fact(match, "wild") == "green"


def test_holy_virtues_draw_a_card_and_let_the_seat_play_another_with_its_power() -> None:
    match = start("1V 2W 3W", "", first="1D", deck="4L 5L 6L")
    choose(match, "play 1V V")
    assert match.to_act == (0,)
    assert seen(match, 0, "hand", 0) == cards("4L 2W 3W")
    choose(match, "play 4L L")
    assert fact(match, "phase") == "call"
    choose(match, "call 1")
    assert seen(match, 0, "hand", 0) == cards("5L 2W 3W")
    assert match.to_act == (1,)


def test_holy_virtues_follow_each_other() -> None:
    match = start("1V 2V 3V", "", first="1D", deck="4L 5L 6L 1A")
    choose(match, "play 1V V", "play 2V V", "play 3V V")
    assert seen(match, 0, "hand", 0) == cards("4L 5L 6L")
    choose(match, "play 4L L", "call 1")
    assert match.to_act == (1,)
    assert seen(match, 0, "bonus", 0) == ("1A",)


@pytest.mark.parametrize(
    ("call", "won"), [("6", True), ("violet", True), ("5", False), ("indigo", False)]
)
def test_lucky_gods_win_the_top_card_if_its_value_or_its_colour_is_called(
    call: str, won: bool
) -> None:
    match = start("1L", "", first="1D", deck="6S 7V")
    choose(match, "play 1L L", f"call {call}")
    assert seen(match, 1, "bonus", 0) == (("6S",) if won else ())
    assert ("7V" if won else "6S") in seen(match, 0, "hand", 0)
    for viewer in (0, 1):
        assert told(match, viewer, "show", "win") == [(0, "6S")] * (1 + won)


def test_the_fourteen_calls_are_always_all_legal() -> None:
    match = start("1L", "", first="1D")
    choose(match, "play 1L L")
    assert legal(match, 0) == [f"call {named}" for named in (*"1234567", *RAINBOW)]


def test_ruling_10_a_card_shown_in_vain_stays_on_top_and_the_caller_draws_it() -> None:
    match = start("1L", "", first="1D", deck="6S 7V")
    choose(match, "play 1L L", "call 1")
    assert seen(match, None, "deck")[0] == "7V"
    assert seen(match, 1, "hand", 0) == ("6S",)  # as all have seen
    assert seen(match, 1, "deck") == ()


def test_seas_take_the_top_card_of_a_column_instead_of_drawing() -> None:
    match = start("3A 1S 2V", "4A", first="1D", deck="6W 6L 7V")
    choose(match, "play 3A D", "play 4A A", "play 1S S")
    assert legal(match, 0) == ["take A", "take D"]
    choose(match, "take D")
    assert seen(match, 0, "hand", 0) == cards("3A 2V 6W")
    assert seen(match, None, "deck")[0] == "7V"
    assert match.to_act == (1,)


def test_a_column_emptied_by_seas_is_gone_until_its_own_type_starts_it_again() -> None:
    match = start("1S", "3A", first="1D", deck="6S 7V")
    choose(match, "play 1S S", "take D")
    assert column(match, "D") == ()
    assert [text for text in legal(match, 1) if "3A" in text] == ["play 3A A", "play 3A S"]
    choose(match, "play 3A S", "play 1D D")
    assert column(match, "D") == ("1D",)


def test_ruling_11_seas_do_not_take_from_their_own_column() -> None:
    match = start("1S", "2S", first="1D")
    choose(match, "play 1S S", "take D")
    choose(match, "play 2S S")
    assert match.to_act == (0,)  # there was no column but Seas


def test_ruling_11_without_another_column_seas_have_no_power_and_the_seat_draws() -> None:
    match = start("1S 2D 2V", "", first="7S", deck="6W")
    choose(match, "play 1S S")
    assert match.to_act == (1,)
    assert seen(match, 0, "hand", 0) == cards("2D 2V 6W")


def test_ruling_12_wonders_give_three_looks_each_seen_before_the_next_is_chosen() -> None:
    match = start("1W", "3V 4V 5V", "3L", first="1D", deck="6S 7V", picks=[1])
    choose(match, "play 1W W")
    assert legal(match, 0) == ["look 1", "look 2", "look deck"]
    choose(match, "look 1")
    assert seen(match, 0, "hand", 1) == ("4V",)
    choose(match, "look deck")
    assert seen(match, 0, "deck") == ("6S",)
    assert fact(match, "depths", 0) == (0,)
    assert match.to_act == (0,)
    choose(match, "look deck")
    assert fact(match, "phase") == "order"
    assert seen(match, 0, "deck") == cards("6S 7V")


def test_ruling_12_a_look_into_a_hand_is_at_one_of_the_cards_not_yet_seen() -> None:
    match = start("1W", "3V 4V 5V", "", first="1D", picks=[1, 1, 0])
    choose(match, "play 1W W", "look 1", "look 1")
    assert seen(match, 0, "hand", 1) == cards("4V 5V")
    choose(match, "look 1")
    assert seen(match, 0, "hand", 1) == cards("3V 4V 5V")
    assert match.deals.picks == [1, 1, 0]  # the last one among a single card
    assert match.to_act == (1,)


def test_ruling_12_the_deck_is_not_offered_when_all_its_cards_were_seen() -> None:
    match = with_deck_of(2, start("1W", "", first="1D", picks=[0]))
    choose(match, "play 1W W", "look deck")
    assert legal(match, 0) == ["look 1", "look deck"]
    choose(match, "look deck")
    assert legal(match, 0) == ["look 1"]
    choose(match, "look 1")
    assert fact(match, "phase") == "order"


def test_ruling_12_in_another_power_all_cards_can_be_looked_at_again() -> None:
    match = start("1W 2W", "2C 3V 4V", first="1D", deck="6S 7W", picks=[1, 0])
    choose(match, "play 1W W", "look 1", "look deck", "look deck", "order 6S 7W")
    choose(match, "play 2C C", "play 2W W", "look 1")  # now at 3V 4V 7W
    assert told(match, 0, "see") == [(0, "3V"), (0, "6S"), (0, "7W"), (0, "3V")]


def test_two_or_three_cards_of_the_deck_are_put_back_in_any_order() -> None:
    match = start("1W", "", first="1D", deck="6S 7V 1A 2A")
    choose(match, "play 1W W", "look deck", "look deck", "look deck")
    assert legal(match, 0) == [f"order {' '.join(o)}" for o in permutations(cards("6S 7V 1A"))]
    choose(match, "order 1A 6S 7V")
    assert "1A" in seen(match, 0, "hand", 0)
    assert seen(match, None, "deck")[:3] == cards("6S 7V 2A")


def test_a_single_card_of_the_deck_stays_where_it_is_without_a_decision() -> None:
    match = start("1W", "", first="1D", deck="6S 7V", picks=[0, 0])
    choose(match, "play 1W W", "look deck", "look 1", "look 1")
    assert match.to_act == (1,)
    assert "6S" in seen(match, 0, "hand", 0)


# The end ------------------------------------------------------------------------------------------


def spread(match: Match, rng: Random) -> Action[object]:
    """Plays to the column with the fewest cards, so that the deck runs out before one is full."""
    options = match.legal_actions(match.to_act[0])
    rng.shuffle(options)
    everything = match.observe(None)
    if everything.facts["phase"] not in ("play", "place"):
        return options[0]
    return min(
        options, key=lambda action: len(everything.zone(f"column-{action.split()[-1]}").cards)
    )


def test_the_seventh_card_of_a_column_ends_the_match_without_power_or_draw() -> None:
    match = script(
        "1L",
        ["2L L 1 1W", "3L L 1 1V", "4L L 1 1S", "5L L 1 1D", "6L L 2 2S", "7L L"],
        ["1A 2A 3A", "4A 5A"],
    )
    assert fact(match, "sideways") == "7L"
    assert fact(match, "turn") == 1
    assert fact(match, "phase") == "over"
    assert told(match, 0, "sideways") == [(1, "7L")]
    assert scores(match) == [1 + 2 + 3 + 3 * 2, 4 + 5 + 7 + 2 * 2]


def test_ruling_7_the_sideways_card_disables_no_value() -> None:
    ages = [f"{value}A A" for value in range(2, 8)]
    match = script("1A", ages, ["1C 1W 7S", "1L 7V"])
    assert len(column(match, "A")) == 7
    assert fact(match, "highest") == 1
    assert scores(match) == [2, 1]  # the sideways card, a 7, scores nothing


def test_ruling_7_the_sideways_card_does_not_set_the_wild_colour() -> None:
    turns = [f"{card} C" for card in cards("2C 3C 4C 6C 5C 7C")]
    violet, blue = of(2, "violet"), of(2, "blue")
    match = script("1C", turns, [f"{violet} 1S 2S", f"{blue} 1V"])
    assert fact(match, "wild") == "blue"
    assert COLOUR["1V"] == "blue"
    assert COLOUR["7C"] == "violet"
    assert scores(match) == [2 + 1 + 2, 7 + 7 + 7]


@pytest.mark.parametrize("players", [3, 4])
def test_ruling_13_the_deck_of_a_whole_match_can_run_out(seed: int, players: int) -> None:
    rng = Random(seed)
    ended = 0
    for number in range(10):
        match = GAME.start(players=players, deals=SeededDeals(f"{seed}/{number}"))
        while match.to_act:
            choose(match, spread(match, rng))
        assert match.result is not None
        if match.result.reason == "empty-deck":
            ended += 1
            assert seen(match, None, "deck") == ()
            assert fact(match, "sideways") == ""
            assert max(len(column(match, letter)) for letter in LETTERS) < 7
        else:
            assert fact(match, "sideways")
    assert ended


def test_ruling_13_the_match_ends_with_the_turn_in_which_the_deck_runs_out() -> None:
    match = with_deck_of(1, start("1V 2C 3C", "", first="1D", deck="4C"))
    choose(match, "play 1V V")
    assert seen(match, None, "deck") == ()
    choose(match, "play 2C C")  # the turn continues
    assert match.result is not None
    assert match.result.reason == "empty-deck"
    assert seen(match, None, "hand", 0) == cards("3C 4C")
    assert fact(match, "sideways") == ""
    assert scores(match)[0] == 3 + 4


def test_ruling_13_the_match_ends_after_seas_too() -> None:
    match = with_deck_of(1, start("1V 1S 3C", "", first="1D", deck="4C"))
    choose(match, "play 1V V", "play 1S S", "take D")
    assert match.to_act == ()
    assert seen(match, None, "hand", 0) == cards("3C 4C 1D")


def test_ruling_13_sins_let_their_target_draw_the_last_card() -> None:
    match = with_deck_of(1, start("1D 2C 3C", "3V 4V 5V", first="1L", deck="4C", picks=[0]))
    choose(match, "play 1D D", "target 1")
    assert match.to_act == ()
    assert seen(match, None, "hand", 0) == cards("2C 3C")
    assert seen(match, None, "hand", 1) == cards("4C 4V 5V")


def test_without_a_deck_sins_still_take_a_card() -> None:
    match = with_deck_of(1, start("1V 1D 3C", "3V 4V 5V", first="1L", deck="4C", picks=[0]))
    choose(match, "play 1V V", "play 1D D", "target 1")
    assert seen(match, None, "hand", 1) == cards("4V 5V")
    assert match.to_act == ()


def test_without_a_deck_the_lucky_gods_have_no_power() -> None:
    match = with_deck_of(1, start("1V 1L 3C", "", first="1D", deck="4C"))
    choose(match, "play 1V V", "play 1L L")
    assert match.to_act == ()


def test_without_a_deck_the_virtues_let_a_seat_play_until_its_hand_is_empty() -> None:
    match = with_deck_of(1, start("1V 2V 3V", "", first="1D", deck="4V"))
    choose(match, "play 1V V", "play 2V V", "play 3V V")
    assert seen(match, None, "hand", 0) == ("4V",)
    choose(match, "play 4V V")
    assert match.to_act == ()
    assert scores(match)[0] == 0


# Scoring ------------------------------------------------------------------------------------------


def test_example_old_age_on_the_virtues_has_no_power() -> None:
    match = start("7A", "", first="5V")
    choose(match, "play 7A V")
    assert column(match, "V") == cards("5V 7A")
    assert match.to_act == (1,)


def test_example_the_great_pyramid_on_the_lucky_gods_calls_while_blue_is_wild() -> None:
    [pyramid] = [card for card in DECK if card[1] == "W" and COLOUR[card] == "blue"]
    match = start("5C", f"{pyramid}", first="1L")
    choose(match, "play 5C C", f"play {pyramid} L")
    assert fact(match, "phase") == "call"


def test_example_the_hands_of_the_booklet_score_9_and_12() -> None:
    turns = ["1A A", "2A A", *[f"{card} C" for card in cards("2C 3C 4C 6C 5C 7C")]]
    nine = f"{of(5, 'violet')} {of(4, 'red')} {of(7, 'green')}"
    twelve = f"{of(5, 'orange')} {of(2, 'red')} {of(6, 'blue')}"
    match = script("1C", turns, [nine, "1S 1D", twelve])
    assert (fact(match, "highest"), fact(match, "wild")) == (5, "blue")
    assert (scores(match)[0], scores(match)[2]) == (5 + 4 + 0, 5 + 2 + 5)


def test_example_a_bonus_card_adds_2_points() -> None:
    # 6A at the end is seat 0's.
    turns = ["1L L blue 4S", *[f"{value}A C" for value in range(1, 7)]]
    match = script("1C", turns, ["1D 2D", "3D 4D 2C"])
    assert seen(match, 1, "bonus", 0) == ("4S",)
    assert scores(match) == [1 + 2 + 6 + 2, 3 + 4 + 2]


# Red is wild, and 6A, which ends the match, is seat 1's.
SIX_AGES = [f"{value}A C" for value in range(1, 7)]
# Red is wild, two cards are in the Ages column, and 2C, which ends the match, is seat 1's.
WITHOUT_6_AND_7 = ["1A A", "2A A", *[f"{value}A C" for value in range(3, 8)], "2C C"]


def test_on_equal_scores_the_seat_with_the_lower_lowest_worth_above_0_is_better() -> None:
    match = script("1C", SIX_AGES, ["2D 5L 5D", "3L 3V"])
    assert (scores(match), ranks(match)) == ([12, 12], [1, 2])
    match = script("1C", SIX_AGES, ["4L 5L 3D", "1L 5V"])
    assert (scores(match), ranks(match)) == ([12, 12], [2, 1])


def test_if_the_lowest_worths_are_equal_too_the_seats_tie() -> None:
    match = script("1C", SIX_AGES, ["2D 3L 7D", "2V 4L"])
    assert (scores(match), ranks(match)) == ([12, 12], [1, 1])


def test_a_worth_of_0_is_not_the_lowest() -> None:
    match = script("1C", WITHOUT_6_AND_7, ["7L 2D 3L", "1L 2V"])
    assert (scores(match), ranks(match)) == ([5, 5], [2, 1])
    match = script("1C", WITHOUT_6_AND_7, ["7L 1L 4L", "2V 1V"])
    assert (scores(match), ranks(match)) == ([5, 5], [1, 1])


def test_the_tie_break_holds_for_all_places() -> None:
    # Seats 1 and 2 share the 12 points of seat 0 but for 6A, which is seat 2's.
    turns = [*SIX_AGES[:5], "6A C"]
    match = script("1C", turns, ["7D 5D 7L", "5L 2V 1L", "1V 1W"])
    assert scores(match) == [19, 8, 8]
    assert ranks(match) == [1, 2, 2]
    match = script("1C", turns, ["7D 5D 7L", "3L 2V 3D", "1V 1W"])
    assert (scores(match), ranks(match)) == ([19, 8, 8], [1, 3, 2])


def test_ruling_14_a_bonus_card_counts_in_the_tie_break_as_2() -> None:
    # No other card of the two seats is worth less than 3.
    turns = ["1L L blue 4S", *[f"{value}A C" for value in range(1, 7)]]
    match = script("1C", turns, ["3D 4D", "5D 7D 3V"])
    assert (scores(match), ranks(match)) == ([3 + 4 + 6 + 2, 15], [1, 2])


def test_every_wild_card_is_worth_the_highest_value_that_counts() -> None:
    low, high = of(2, "red"), of(7, "red")
    match = script("1C", WITHOUT_6_AND_7, [f"{low} {high} 3L", "1L 2V"])
    assert scores(match)[0] == 5 + 5 + 3


# Information --------------------------------------------------------------------------------------


def test_the_game_has_no_options_and_takes_2_to_4_players() -> None:
    assert GAME.options == {}
    assert (GAME.players, GAME.ladder_players) == ((2, 3, 4), 4)


def test_other_hands_and_the_deck_and_what_others_draw_are_hidden() -> None:
    match = start("1C", "", "", first="1D", deck="6S")
    for zone, hidden in (("hand", 3), ("deck", 49 - 9 - 1)):
        seen_there = match.observe(0).zone(zone, 1 if zone == "hand" else None)
        assert (seen_there.cards, seen_there.hidden) == ((), hidden)
    choose(match, "play 1C C")
    assert told(match, 0, "draw") == [(0, "6S")]
    assert told(match, 1, "draw") == [(0,)]


def test_a_look_is_public_but_not_what_was_seen() -> None:
    match = start("1W", "3V 4V 5V", "", first="1D", picks=[1])
    choose(match, "play 1W W", "look 1", "look deck")
    for viewer in (1, 2):
        assert told(match, viewer, "look", "see") == [(0, "1"), (0, "deck")]
        assert fact(match, "looks", viewer) == ("1", "deck")
        assert seen(match, viewer, "deck") == ()
    assert seen(match, 2, "hand", 1) == ()
    assert told(match, 0, "see") == [(0, "4V"), (0, seen(match, None, "deck")[0])]


def test_an_order_is_public_but_not_which() -> None:
    match = start("1W", "", first="1D", deck="6S 7V 1A 2A")
    choose(match, "play 1W W", "look deck", "look deck", "look deck", "order 1A 6S 7V")
    assert told(match, 1, "order") == [(0,)]
    assert told(match, 0, "order") == [(0, "1A", "6S", "7V")]
    assert seen(match, 0, "deck") == cards("6S 7V")
    assert fact(match, "depths", 0) == (0, 1)
    assert seen(match, 1, "deck") == ()


def test_a_seat_knows_a_card_it_saw_wherever_it_goes_until_it_is_played() -> None:
    match = start("1W", "3V 1C", "", first="1D", deck="6S 7V 1L", picks=[0])
    choose(match, "play 1W W", "look deck", "look deck", "look 1", "order 6S 7V")
    assert seen(match, 0, "deck") == ("7V",)
    choose(match, "play 1C C")
    known = seen(match, 0, "hand", 1)
    assert "7V" in known
    assert len(known) == 2
    assert seen(match, 2, "hand", 1) == ()


def test_a_card_taken_from_a_column_is_known_to_all() -> None:
    match = start("1S", "", "", first="1D")
    choose(match, "play 1S S", "take D")
    for viewer in (1, 2):
        assert seen(match, viewer, "hand", 0) == ("1D",)


# In every match -----------------------------------------------------------------------------------


def test_a_match_ends_within_150_decisions(seed: int) -> None:
    rng = Random(seed)
    for number in range(100):
        match = GAME.start(players=2 + number % 3, deals=SeededDeals(f"{seed}/{number}"))
        count = 0
        for _ in decisions(match, rng):
            count += 1
        assert count < 150
