"""Results in a row, each a mark: up for a win, down for a loss."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

PITCH, HEIGHT = 8, 28  # pixels
SIZES = {"won": (2, 11), "tied": (12, 4), "lost": (15, 11)}


class Outcome(StrEnum):
    """A result of one match."""

    WON = "won"
    TIED = "tied"
    LOST = "lost"


@dataclass(frozen=True)
class Mark:
    """A mark as it is drawn, in pixels. `fault`: drawn hollow."""

    x: int
    y: int
    height: int
    outcome: Outcome
    fault: bool


@dataclass(frozen=True)
class Strip:
    """A drawing of results, the oldest first."""

    width: int
    height: int
    marks: tuple[Mark, ...]


def strip(results: Sequence[tuple[Outcome, bool]]) -> Strip:
    """Draws results, given with whether there was a fault, in this order."""
    marks = tuple(
        Mark(number * PITCH, *SIZES[outcome], outcome, fault)
        for number, (outcome, fault) in enumerate(results)
    )
    return Strip(max(1, len(marks)) * PITCH, HEIGHT, marks)
