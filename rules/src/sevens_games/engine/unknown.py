"""The sentence about a name that does not exist."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

LONGEST = 100  # characters of a name that are shown: strangers ask for names too
ALIKE = 0.7  # of the letters, in the same order


def no_such(kind: str, name: str, names: Iterable[str]) -> str:
    """Returns the sentence that nothing has this name, with the names that resemble it, or else
    with all of them. Case does not count; a 7 is a seven, as in the names of games."""
    shown, known = name[:LONGEST], list(names)
    near = get_close_matches(shown.casefold().replace("7", "seven"), known, cutoff=ALIKE)
    sentence = f"There is no {kind} {shown!r}"
    if near:
        return f"{sentence}. Did you mean {' or '.join(near)}?"
    if not known:
        return f"{sentence}; there are none."
    return f"{sentence}; there are: {', '.join(known)}."
