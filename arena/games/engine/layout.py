"""Layouts: the places of a game's zones on a drawn table, and the wording of its actions and
events.

Plain data that no rule reads; a game without a layout is drawn by the names of its zones.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple


class Suit(NamedTuple):
    """A suit as cards show it.

    `shape`: the mark on the card; `colour`: its colour; both as the page's cards know them.
    `symbol`: follows the rank in sentences; empty if the name follows it instead.
    """

    name: str
    shape: str
    colour: str
    symbol: str = ""


FRENCH_SUITS: Mapping[str, Suit] = {
    "C": Suit("clubs", "club", "black", "♣"),
    "D": Suit("diamonds", "diamond", "red", "♦"),
    "H": Suit("hearts", "heart", "red", "♥"),
    "S": Suit("spades", "spade", "black", "♠"),
}


@dataclass(frozen=True, kw_only=True, eq=False)
class Layout:
    """A game's layout. Names are those of its zones, facts and events; a zone's name that ends in a
    hyphen stands for all zones whose names begin with it.

    The kinds of zone; a zone of no kind is drawn as a row of cards, face up:
    `hands`: a fan of cards.
    `tricks`: cards in the order played.
    `piles`: only the top, which is the last card, and the number of cards.
    `stocks`: face down, and the number of cards.
    `columns`: cards that overlap downwards, the last on top.
    `ace_piles`: several piles one after another, each from its ace up.
    `records`: a list of past cards, which are also elsewhere.

    `groups`: by zone, the fact that gives the arrangement of its cards: a text per group, or for a
        seat's zone the text of that seat, with ? for a card that is face down.
    `rows`: rows of zones in the middle, as seat 0 sees them from below.
    `clicks`: by zone of one's own or without an owner, the beginnings of the actions that a click
        on it may mean; after "other ", by zone of another seat. `*` is any word, `{owner}` the
        zone's seat, `{last}` what follows the last hyphen of its name, `{part}` the number of the
        card's group or place, from 1. By default a click means the actions that name the zone or
        the text after its last hyphen, and nothing on a zone of another seat. A card always means
        the actions that name it.
    `order`: the fact that gives the players of a trick's cards: its leader, or all in order.

    The kinds of fact; a fact of no kind is listed by its name:
    `quiet`: not shown.
    `at_seat`: a seat or several, or -1; shown at the seat.
    `by_seat`, `by_team`: a value for each.
    `suit_facts`: the letter of a suit.
    `limits`: by fact, the fact that is its maximum.

    `deal`, `trick_ends`: the verbs that begin a deal and end a trick.
    `plays`: the verbs that put a card into a trick.
    `suits`: by their letters in card codes, which are a rank and a suit.
    `colours`: by card, if its colour does not follow from its suit.
    `says`: by verb, a sentence. `{actor}` is the name of the seat that acts, and
        `{actor:plays|play}` that name with its verb, in the third person and as it goes with
        "you". `{0}` is the first argument, `{all}` all of them; `{0:seat}` is the name of a seat,
        `{0:suit}` that of a suit, `{all:named}` cards with a suit that is named, `{all:held}` cards
        that may be none, `{all:seats}` and `{all:teams}` a value for each.
    `nobody`: the name for `{actor}` if an event has none, and for numbers in `order` that are no
    seats.
    """

    hands: tuple[str, ...] = ("hand",)
    tricks: tuple[str, ...] = ("trick",)
    piles: tuple[str, ...] = ("pile", "discards", "waste")
    stocks: tuple[str, ...] = ("stock", "deck")
    columns: tuple[str, ...] = ("column-",)
    ace_piles: tuple[str, ...] = ()
    records: tuple[str, ...] = ("played",)
    groups: Mapping[str, str] = field(default_factory=dict)
    rows: tuple[tuple[str, ...], ...] = ()
    clicks: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    order: str = ""
    quiet: tuple[str, ...] = ("phase",)
    at_seat: tuple[str, ...] = ("dealer", "turn")
    by_seat: tuple[str, ...] = ()
    by_team: tuple[str, ...] = ()
    suit_facts: tuple[str, ...] = ("trump",)
    limits: Mapping[str, str] = field(default_factory=dict)
    deal: str = "deal"
    trick_ends: tuple[str, ...] = ()
    plays: tuple[str, ...] = ("play", "dummy-plays")
    suits: Mapping[str, Suit] = field(default_factory=lambda: FRENCH_SUITS)
    colours: Mapping[str, str] = field(default_factory=dict)
    says: Mapping[str, str] = field(default_factory=dict)
    nobody: str = "The Dummy"
