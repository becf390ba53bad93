"""Chooses who meets next on a ladder, and in which seats.

The version that has played least comes first, so nobody starves. Its opponents are those whose
meeting promises the most information: uncertain skills, an open result, few meetings so far. They
then take the seats and partners that they have had least often.

No match has two bots of one contestant, in whatever seats: as partners or rivals one program, or
one machine, would see two hands, and rivals could let each other win.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable
from random import Random

import numpy as np

from arena.league.ladder.field import NOBODY, Field, Figures
from arena.league.ladder.seats import seated
from arena.league.ladder.tally import Counts
from arena.ratings import BETA

LEAST_OPENNESS = 0.25
"""Even a pairing with a clear favourite is worth this much."""
MOST_AHEAD = 3
LOT = 1e-9 / 2**32
"""What one point of a lot of 32 bits adds: enough to decide between equals."""


def next_versions(
    field: Field, *, busy: Container[str] = (), rng: Random
) -> tuple[str, ...] | None:
    """Returns the version at each seat of the next job, or None if too few can meet.

    `busy`: versions without a free place just now.
    """
    chosen = _chosen(field, busy, rng)
    if chosen is None:
        return None
    return tuple(field.names[number] for number in seated(field, chosen, rng))


def most_at_a_table(owners: Iterable[str | None]) -> int:
    """Returns how many bots of these owners can meet in one match."""
    counted = Counter(owners)
    return counted.pop(None, 0) + len(counted)


def _chosen(field: Field, busy: Container[str], rng: Random) -> list[int] | None:
    """Returns the entrants of the next job; None if too few can meet."""
    rest = field.candidates()
    chosen: list[int] = []
    appeal = _turn(field, rest)
    learned = np.zeros(len(rest))
    while True:
        best = _best(field, rest, appeal, busy, rng)
        if best is None:
            return None
        chosen.append(best)
        if len(chosen) == len(field.places):
            return chosen
        ahead = field.played[rest] - np.median(field.played[rest])
        learned = learned + worth(field, best, rest)
        left = _may_meet(field, best, rest)
        rest, learned = rest[left], learned[left]
        appeal = learned / (1 + np.clip(ahead[left], 0, MOST_AHEAD))


def worth(field: Field, number: int, others: Counts) -> Figures:
    """Returns how much one more meeting of the entrant with each of the others would teach."""
    variance = field.sigma[number] ** 2 + field.sigma[others] ** 2
    spread = variance + 2 * BETA**2
    gap = field.mu[number] - field.mu[others]
    openness = np.exp(-2 / np.pi * gap**2 / spread)
    meetings = field.met(number)[others]
    value: Figures = variance / spread * np.maximum(openness, LEAST_OPENNESS) / (1 + meetings)
    return value


def _turn(field: Field, numbers: Counts) -> Figures:
    """Returns whose turn it is, the greatest first: they have played least, then they are least
    known."""
    turn: Figures = -field.played[numbers] + field.sigma[numbers] / (1 + field.sigma[numbers])
    return turn


def _may_meet(field: Field, number: int, others: Counts) -> np.typing.NDArray[np.bool_]:
    """Returns which of the others are neither the entrant nor another of its contestant's."""
    allowed: np.typing.NDArray[np.bool_] = others != number
    if (contestant := field.contestant[number]) != NOBODY:
        allowed &= field.contestant[others] != contestant
    return allowed


def _best(
    field: Field, numbers: Counts, appeal: Figures, busy: Container[str], rng: Random
) -> int | None:
    """Returns the free entrant of the greatest appeal; chance decides between equals."""
    lots = np.frombuffer(rng.randbytes(4 * len(numbers)), np.uint32)
    for number in numbers[np.argsort(LOT * lots - appeal)].tolist():
        if field.names[number] not in busy:
            return int(number)
    return None
