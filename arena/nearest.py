"""Names that resemble a name that does not exist: the ones that the user probably meant."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from difflib import SequenceMatcher

ALIKE = 0.7  # of the letters, in the same order
ENOUGH = 3  # letters of a longer name, to mean that name
SUGGESTED = 3
LISTED = 25  # of many, if none resembles the wanted one
LONGEST = 100  # characters of a name that are compared and shown: strangers ask for names too


def nearest(name: str, names: Iterable[str], most: int = SUGGESTED) -> list[str]:
    """Returns the names that resemble `name`, the nearest first. Neither case nor punctuation
    counts; a 7 is a seven, as in the names of our games."""
    wanted = _letters(name)
    scores = {other: _likeness(wanted, _letters(other)) for other in names}
    alike = [other for other, score in scores.items() if score >= ALIKE]
    return sorted(alike, key=lambda other: (-scores[other], other))[:most]


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """Returns the question; an empty text if no name resembles `name`."""
    near = nearest(name, names)
    return f"Did you mean {' or '.join(near)}?" if near else ""


def no_such(kind: str, name: str, names: Collection[str], where: str = "") -> str:
    """Returns the sentence that nothing has this name, with the names that resemble it, or else
    with some of those that exist.

    `kind`, `where`: what was looked for, and where ("on the ladder main").
    `names`: those that the reader may know of, in the order in which to list them.
    """
    shown = repr(name) if len(name) <= LONGEST else f"{name[:LONGEST]!r}…"
    sentence = " ".join(filter(None, (f"There is no {kind} {shown}", where)))
    if question := did_you_mean(name, names):
        return f"{sentence}. {question}"
    if not names:
        return f"{sentence}; there are none."
    others = ", and others" if len(names) > LISTED else ""
    return f"{sentence}; there are: {', '.join(list(names)[:LISTED])}{others}."


def _letters(name: str) -> str:
    letters = "".join(filter(str.isalnum, name[:LONGEST].casefold()))
    return letters.replace("7", "seven") or name[:LONGEST]


def _likeness(wanted: str, other: str) -> float:
    """Returns from 0 to 1: how much of two names is the same."""
    if wanted == other:
        return 1
    if sorted(wanted) == sorted(other):  # letters have changed places
        return 0.99
    if len(wanted) >= ENOUGH and wanted in other:
        return 0.98 if other.startswith(wanted) else 0.97
    return SequenceMatcher(None, wanted, other).ratio()
