"""Ways to choose who meets: the ladder's, and those that it must not fall behind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import pi
from random import Random
from typing import TypeAlias

import numpy as np

from arena.league.ladder import Counts, Field, Figures, next_versions, seated
from arena.ratings import BETA

Pairing: TypeAlias = Callable[[Field, Random], tuple[str, ...]]
"""Returns the version at each seat of the next match."""

Worth: TypeAlias = Callable[[Field, int, Counts], Figures]
"""Returns how much a meeting of an entrant with each of the others is worth."""


def ours(field: Field, rng: Random) -> tuple[str, ...]:
    versions = next_versions(field, rng=rng)
    assert versions is not None
    return versions


def random(field: Field, rng: Random) -> tuple[str, ...]:
    """Any bots meet, in any seats."""
    chosen = rng.sample(field.candidates().tolist(), len(field.places))
    at = {seat: who for who, seats in zip(chosen, field.places, strict=True) for seat in seats}
    return tuple(field.names[at[seat]] for seat in range(len(at)))


def nearest(field: Field, rng: Random) -> tuple[str, ...]:
    """The bot that has played least meets those of the nearest ratings."""
    return _greedy(field, rng, lambda field, one, others: -abs(field.mu[others] - field.mu[one]))


def information(field: Field, rng: Random) -> tuple[str, ...]:
    """The bot that has played least meets those from whom most is expected to be learned."""
    return _greedy(field, rng, expected_gain)


PAIRINGS: Mapping[str, Pairing] = {
    pairing.__name__: pairing for pairing in (ours, random, nearest, information)
}


def expected_gain(field: Field, number: int, others: Counts) -> Figures:
    """Returns by how much one match is expected to lower the entropy of the difference of two
    skills, in nats: ½ ln(1 + v I), for its variance v and the Fisher information I of the result
    (D. J. C. MacKay, Information-based objective functions for active data selection, 1992).

    I is that of a probit model at the mean difference, φ²/(Φ(1 - Φ)), which is nearly
    2/π exp(-(1 - 2/π)t²).
    """
    variance = field.sigma[number] ** 2 + field.sigma[others] ** 2
    spread = variance + 2 * BETA**2
    squared = (field.mu[number] - field.mu[others]) ** 2 / spread
    known: Figures = 2 / pi * np.exp(-(1 - 2 / pi) * squared) / spread
    gain: Figures = np.log1p(variance * known) / 2
    return gain


def _greedy(field: Field, rng: Random, worth: Worth) -> tuple[str, ...]:
    """Chooses the bot that has played least, then repeatedly the one worth most to those chosen."""
    rest = field.candidates()
    rest = rest[np.array(rng.sample(range(len(rest)), len(rest)))]
    value = -field.played[rest].astype(float)
    gained = np.zeros(len(rest))
    chosen: list[int] = []
    while len(chosen) < len(field.places):
        best = int(np.argmax(value))
        chosen.append(int(rest[best]))
        left = np.arange(len(rest)) != best
        rest, gained = rest[left], gained[left]
        value = gained = gained + worth(field, chosen[-1], rest)
    return tuple(field.names[number] for number in seated(field, chosen, rng))
