"""The times at which faults begin and end: the same for the same seed."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from random import Random

EVERY_S = 2.5
SHORTEST_S, LONGEST_S = 0.5, 7.0


@dataclass(frozen=True)
class Blow:
    """A fault, in seconds since the start."""

    fault: str
    begins_s: float
    ends_s: float


def schedule(random: Random, faults: Collection[str], seconds: float) -> list[Blow]:
    """Returns what happens in a time. Every fault happens before any happens again;
    different ones overlap."""
    blows: list[Blow] = []
    deck: list[str] = []
    at_s = random.uniform(0, EVERY_S)
    while at_s < seconds:
        if not deck:
            deck = random.sample(sorted(faults), len(faults))
        fault, ends_s = deck.pop(), at_s + random.uniform(SHORTEST_S, LONGEST_S)
        if not any(blow.fault == fault and blow.ends_s > at_s for blow in blows):
            blows.append(Blow(fault, at_s, ends_s))
        at_s += random.uniform(0, 2 * EVERY_S)
    return blows
