"""The facts of an observation in the words of a game's rulebook."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class FactWords(NamedTuple):
    """A fact in the words of its rulebook.

    `place`: where people see it: `table`, next to the cards; `seat` or `team`, a value for each;
        `badge`, at the seat or the seats that it names; `unsaid`, nowhere.
    `label`: its name. `value`: a pattern like those of `Layout.says`, in which other facts have
        their names; empty if the label says it all. What is `""`, or -1 at the table, is not shown.
    `zeros`: whether 0 means something, and is shown.
    """

    place: str
    label: str
    value: str = ""
    zeros: bool = False


UNSAID = FactWords("unsaid", "")


def at_table(label: str, value: str = "{all}", *, zeros: bool = False) -> FactWords:
    """The words for a fact of the table."""
    return FactWords("table", label, value, zeros)


def at_seat(label: str) -> FactWords:
    """The words for a fact that is a seat, or several, or -1."""
    return FactWords("badge", label)


def by_seat(label: str, value: str = "{0}", *, zeros: bool = True) -> FactWords:
    """The words for a fact that has a value for each seat."""
    return FactWords("seat", label, value, zeros)


def by_team(label: str, value: str = "{0}", *, zeros: bool = True) -> FactWords:
    """The words for a fact that has a value for each team."""
    return FactWords("team", label, value, zeros)


USUAL_FACTS: Mapping[str, FactWords] = {
    "chosen": by_seat("has chosen", "{0:action}"),  # the match adds it
    "dealer": at_seat("dealer"),
    "phase": UNSAID,
    "trump": at_table("trump", "{0:suit}"),
    "turn": at_seat("to play"),
}
"""The words for facts that games have in common, where a layout has no others."""
