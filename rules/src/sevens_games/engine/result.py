"""The result of a match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Result:
    """`scores` and `ranks` by seat (rank 1 is best, equal ranks are ties); `reason`: a word that
    the game declares."""

    scores: list[int]
    ranks: list[int]
    reason: str


def ranks_by(merits: Sequence[Any]) -> list[int]:
    """Ranks from merits by seat, higher being better; equal merits tie, and the next rank skips."""
    return [1 + sum(other > merit for other in merits) for merit in merits]
