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


MEASURED: Mapping[str, Measured] = {
    "california-speed": Measured(2, 2, 1.24, 0.026),
    "dingo": Measured(4, 4, 0.65, 0.066),
    "envite": Measured(4, 2, 0.0, 0.005),
    "forty-thieves": Measured(4, 4, 1.28, 0.005),
    "insidious-sevens": Measured(4, 4, 0.41, 0.081),
    "kontsina": Measured(2, 2, 2.11, 0.005),
    "oh-seven": Measured(4, 4, 0.4, 0.012),
    "russian-bank": Measured(2, 2, 2.38, 0.008),
    "seven-euchre": Measured(4, 2, 1.08, 0.005),
    "seven-rummy": Measured(2, 2, 1.65, 0.009),
    "seven7s": Measured(4, 4, 0.0, 0.055),
    "trash": Measured(2, 2, 0.0, 0.005),
    "xeri": Measured(2, 2, 0.99, 0.005),
}
"""A spread of 0 says that the sample bots differed less than chance does."""
