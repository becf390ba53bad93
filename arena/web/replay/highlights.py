"""The stretches of a match that decided it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

SCORES = ("totals", "points", "games", "won", "hands_won", "scores", "letters", "home")
"""The facts that count for the result; a match is followed by the first of these that it has."""
MOST = 3
BEFORE = 6
"""The decisions that lead up to a moment."""


def highlights_of(frames: Sequence[dict[str, Any]], tricks: Sequence[int]) -> dict[str, Any]:
    """Returns the fact that gives the score, None if there is none, and the stretches by the places
    of their first and last frames: up to the largest changes of the score between the sides, and up
    to the end. Where the score changes less often, they lead up to the last tricks."""
    fact = next((name for name in SCORES if any(name in one["facts"] for one in frames)), None)
    end = len(frames) - 1
    swings = sorted(_swings(frames, fact), reverse=True)
    chosen = [end]
    for place in (*(place for _, place in swings), *reversed(tricks)):
        if len(chosen) < MOST and all(abs(place - other) > BEFORE for other in chosen):
            chosen.append(place)
    return {"fact": fact, "moments": [[max(0, place - BEFORE), place] for place in sorted(chosen)]}


def _swings(frames: Sequence[dict[str, Any]], fact: str | None) -> Iterator[tuple[float, int]]:
    """Yields by how much the score between the sides changes, and where."""
    known = [(i, one["facts"][fact]) for i, one in enumerate(frames) if fact in one["facts"]]
    for (_, before), (place, now) in pairwise(known):
        if isinstance(before, list) and isinstance(now, list) and len(before) == len(now) > 1:
            gains = [new - old for old, new in zip(before, now, strict=True)]
            if max(gains) > min(gains):
                yield max(gains) - min(gains), place
