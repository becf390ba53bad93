"""How far apart bots for each game are, beside the luck of a match.

`python -m bench skills` measures these figures with the sample bots.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Measured:
    """A game as new ladders have it. `spread`: the standard deviation of skills, in beta."""

    seats: int
    teams: int
    spread: float
    draw_probability: float


MEASURED: Mapping[str, Measured] = {}
