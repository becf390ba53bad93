"""Layouts: the places of a game's zones on a drawn table, and the words for its facts, actions and
events.

Plain data that no rule reads; a game without a layout is drawn by the names of its zones.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from sevens_games.engine.fact_words import USUAL_FACTS, FactWords, at_table


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

    `facts`: the words for each fact that USUAL_FACTS has none for; a fact without words is shown
        next to the table by its name.
    `titles`: by zone, its name for people, if that is not the zone's own with spaces.

    `deal`, `trick_ends`: the verbs that begin a deal and end a trick.
    `plays`: the verbs that put a card into a trick.
    `suits`: by their letters in card codes, which are a rank and a suit.
    `colours`: by card, if its colour does not follow from its suit.
    `says`: by verb, a sentence, or several, of which the first counts whose arguments are there.
        `{actor}` is the name of the seat that acts, and `{actor:plays|play}` that name with its
        verb, in the third person and as it goes with "you". `{0}` is the first argument, `{all}`
        all of them, `{rest}` all but the first: cards as they look, and other words as they are.
        A kind after a colon says what else they are. `{0:trick|tricks}` is a number with its noun;
        `{0:seat}`, `{0:team}` and `{0:suit}` are names; `{all:rank}` are ranks; `{all:list}` has
        commas; `{all:held}`
        are cards that may be none, or only their number; `{all:named}` are cards with a suit that
        is named; `{all:action}` is a choice, `{all:actions}` are several; `{all:seats}` and
        `{all:teams}` are a value for each. Any other kind is one of `words`.
    `words`: by kind, the words for people by those of the engine.
    `score`: the unit of the scores of a match, for one and for many.
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
    facts: Mapping[str, FactWords] = field(default_factory=dict)
    titles: Mapping[str, str] = field(default_factory=dict)
    deal: str = "deal"
    trick_ends: tuple[str, ...] = ()
    plays: tuple[str, ...] = ("play", "dummy-plays")
    suits: Mapping[str, Suit] = field(default_factory=lambda: FRENCH_SUITS)
    colours: Mapping[str, str] = field(default_factory=dict)
    says: Mapping[str, str | tuple[str, ...]] = field(default_factory=dict)
    words: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    score: str = "point|points"
    nobody: str = "The Dummy"

    @property
    def scores_unit(self) -> str:
        """The unit of several scores."""
        return self.score.partition("|")[2]

    def fact(self, name: str) -> FactWords:
        """Returns the words for a fact."""
        usual = USUAL_FACTS.get(name) or at_table(name.replace("_", " "))
        return self.facts.get(name, usual)

    def sentences(self, verb: str) -> tuple[str, ...]:
        """Returns the sentences for a verb, the first being the best."""
        declared = self.says.get(verb, ())
        return (declared,) if isinstance(declared, str) else declared
