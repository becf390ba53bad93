"""The tricks that a person is shown between two of their decisions."""

from __future__ import annotations

from typing import Any

from arena.web.replay import LastTrick
from arena.web.tables.tricks import card_laid, ended_tricks, trick_taken
from sevens_games import Event, load

LAYOUT = load("seven-euchre").layout
ENTRIES: list[dict[str, Any]] = [
    {"kind": "hand", "owner": 0},
    {"kind": "hand", "owner": 1},
    {"kind": "trick", "owner": None},
]


def plays(*cards: str) -> list[Event]:
    return [Event("play", place % 2, (card,)) for place, card in enumerate(cards)]


def test_a_trick_that_ends_between_two_decisions_is_shown_whole() -> None:
    events = [*plays("7S", "8S"), Event("take-trick", 1, ()), *plays("9S")]
    [trick], last = ended_tricks(LAYOUT, events, 1)
    assert trick == {"cards": "7S 8S", "seats": [0, 1], "taker": 1}
    assert last is None
    assert ended_tricks(LAYOUT, events[:3], 1) == ([trick], trick)


def test_the_last_trick_of_a_deal_is_shown_once() -> None:
    ends = [*plays("7S", "8S"), Event("take-trick", 1, ()), Event("deal", None, (2,))]
    [trick], last = ended_tricks(LAYOUT, ends, 1)
    assert (trick["taker"], last) == (1, None)
    replayed = LastTrick(LAYOUT)
    assert [replayed.after(ends), replayed.after([Event("pass", 0, ())])] == [trick, None]


def test_the_cards_of_a_trick_are_in_no_hand_and_not_on_the_table() -> None:
    held = [(["9S"], 0), ([], 3), (["7S"], 0)]
    trick = {"cards": "7S 8S", "seats": [0, 1], "taker": 1}
    assert trick_taken(ENTRIES, held, trick) == [(["9S"], 0), ([], 2), ([], 0)]
    assert held[2] == (["7S"], 0)


def test_the_chosen_card_is_laid_at_once() -> None:
    held = [(["9S"], 0), ([], 3), (["7S"], 0)]
    assert card_laid(LAYOUT, ENTRIES, held, 0, "play 9S")[0] == ([], 0)
    assert card_laid(LAYOUT, ENTRIES, held, 0, "play 9S")[2] == (["7S", "9S"], 0)
    assert card_laid(LAYOUT, ENTRIES, held, 0, "pass") == held
