"""The state of a match of Seven7s."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from sevens_games.engine import State
from sevens_games.seven7s.deck import COLUMNS
from sevens_games.seven7s.guesses import Guesses

NOBODY = -1
THE_DECK = -1  # as a source of looks, in addition to the seats


class Sighting(NamedTuple):
    """A look by the seat `by`: the card it saw, and the seat and cards of the hand; or THE_DECK."""

    by: int
    card: str
    source: int
    hand: tuple[str, ...] = ()


@dataclass(slots=True, kw_only=True)
class Seven7s(State):
    """By seat: `hands` (in canonical order), `bonus`. By type: `columns`, the top card last.

    The first card of `deck` is its top. `taken`: the card that Deadly Sins took from the hand of
    `target`, until it is put on a column. `sideways`: the card that ended the match, or empty.

    The knowledge of hidden cards: `shown`, the cards that all saw enter a hand; `seen`, the looks
    of single seats, the last `looks` of which belong to the Wonders in play; `guesses`, by seat,
    all possible places of cards that it saw in the deck before another seat put them in order.
    """

    turn: int = 0
    hands: tuple[tuple[str, ...], ...] = ()
    deck: tuple[str, ...] = ()
    columns: tuple[tuple[str, ...], ...] = ((),) * len(COLUMNS)
    bonus: tuple[tuple[str, ...], ...] = ()
    taken: tuple[str, ...] = ()
    target: int = NOBODY
    sideways: str = ""
    shown: frozenset[str] = frozenset()
    seen: tuple[Sighting, ...] = ()
    looks: int = 0
    guesses: tuple[Guesses, ...] = ()


def top(s: Seven7s) -> int:
    """The place of the top card of the deck."""
    return -len(s.deck)


def others(s: Seven7s, seat: int) -> list[int]:
    return [other for other in range(s.players) if other != seat]
