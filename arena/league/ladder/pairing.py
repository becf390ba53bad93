"""Chooses who meets next on a ladder, and in which seats.

The contestant that has played least comes first, with the version of theirs that has played least,
so nobody starves and more versions win no more seats. Every pair of versions has a share of the
meetings: the larger, the more open their result. The opponent is the one with whom the
version is farthest behind their share. So neighbours meet most, but those farther apart meet too:
among neighbours alone, nothing would hold the scale of the ratings together. They then take the
seats and partners that they have had least often.

No match has two bots of one contestant, in whatever seats: as partners or rivals one program, or
one machine, would see two hands, and rivals could let each other win.
"""

from __future__ import annotations

from collections.abc import Container
from random import Random

import numpy as np

from arena.league.ladder.field import BEGINNER, Field, Figures
from arena.league.ladder.seat_assignment import seated
from arena.league.ladder.tally import Counts
from arena.ratings import BETA

LEAST_SHARPNESS, MOST_SHARPNESS = 3.0, 20.0
"""The share of a pair is a power of their openness. A higher power lets fewer far pairs meet, which
finds the order sooner where skills differ much, and later where they differ little."""
WIDE = 3.0
"""The variance of skills, in beta², at which the power is halfway between the two."""
LEAST_OPENNESS = 0.25
"""Even a clear favourite keeps a share: where skills differ little, one of 64."""
MOST_AHEAD = 12
"""A version two jobs ahead of the others counts for e times less, up to this many jobs."""
MOST_DOUBT = 0.75
"""Results that leave more of the prior variance say too little of the spread of skills."""
LOT = 1e-9
"""The most that a lot adds: enough to decide between equals."""


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


def _chosen(field: Field, busy: Container[str], rng: Random) -> list[int] | None:
    """Returns the entrants of the next job; None if too few can meet."""
    rest = field.candidates()
    chosen: list[int] = []
    jobs = field.played_by_contestants()
    order = _turns(field, rest, jobs, rng)
    power = sharpness(field, rest)
    shares, meetings = np.zeros(len(rest)), np.zeros(len(rest))
    while True:
        best = _first_free(field, rest[order], busy)
        if best is None:
            return None
        chosen.append(best)
        if len(chosen) == len(field.places):
            return chosen
        shares = shares + power * log_openness(field, best, rest)
        meetings = meetings + field.met(best)[rest]
        left = field.contestant[rest] != field.contestant[best]
        ahead = _ahead(field, rest, jobs)
        rest, shares, meetings, ahead = rest[left], shares[left], meetings[left], ahead[left]
        behind = shares / len(chosen) - np.log(meetings + _uniform(len(rest), rng))
        appeal = behind - np.clip(ahead, 0, MOST_AHEAD) / 2
        order = np.argsort(LOT * _uniform(len(rest), rng) - appeal)


def sharpness(field: Field, numbers: Counts) -> float:
    """Returns the power for a field: the wider the true skills of the entrants spread, the higher.

    Running ratings do not know it: their scale floats, and all the more where neighbours meet.
    """
    fitted = numbers[field.fitted[numbers]]
    if 2 * len(fitted) <= len(numbers):
        return LEAST_SHARPNESS
    variance = true_variance(field.mu[fitted], field.sigma[fitted]) / BETA**2
    wide = variance**2 / (variance**2 + WIDE**2)
    return LEAST_SHARPNESS + (MOST_SHARPNESS - LEAST_SHARPNESS) * wide


def true_variance(mu: Figures, sigma: Figures) -> float:
    """Returns the variance of the true skills behind fitted ones, rather too low than too high.

    The estimates vary with the skills and by chance, and their prior draws them together, by the
    factor 1 - s / P for the prior variance P and the doubt s that is left. Hence v / f² - s / f,
    if opponents are random. But where winners meet winners, chance spreads them too; a power that
    believed this would let only neighbours meet, and never learn better. So the factor is used
    once.
    """
    prior = BEGINNER.sigma**2
    doubt = float(np.mean(sigma**2))
    if doubt > MOST_DOUBT * prior:
        return 0.0
    return max(float(np.var(mu)) - doubt, 0.0) / (1 - doubt / prior)


def log_openness(field: Field, number: int, others: Counts) -> Figures:
    """Returns the logarithms of how open a result of the entrant with each of the others is.

    For the win probability p it is 4p(1 - p), which is nearly exp(-d²/π) for skills that are d
    apart, in units of beta. Here it is the mean over all d that the ratings leave possible: pairs
    of beginners are open, whatever their first results were.
    """
    gap = (field.mu[number] - field.mu[others]) / BETA
    variance = (field.sigma[number] ** 2 + field.sigma[others] ** 2) / BETA**2
    spread = 1 + 2 * variance / np.pi
    openness: Figures = -(gap**2) / (np.pi * spread) - np.log(spread) / 2
    return np.maximum(openness, np.log(LEAST_OPENNESS))


def _turns(field: Field, numbers: Counts, jobs: Counts, rng: Random) -> Counts:
    """Returns an order, by whose turn it is: the contestant has played least, then the entrant,
    then it is the least known; chance decides between equals. `jobs`: by contestant."""
    lots = _uniform(len(numbers), rng)
    keys = (lots, -field.sigma[numbers], field.played[numbers], jobs[field.contestant[numbers]])
    return np.lexsort(keys)


def _ahead(field: Field, numbers: Counts, jobs: Counts) -> Counts:
    """Returns by how many jobs each entrant's contestant is ahead of the field, and the entrant of
    its contestant's others. The field is all but a quarter of the contestants: newcomers do not
    count. `jobs`: by contestant."""
    contestant, played = field.contestant[numbers], field.played[numbers]
    least = np.full(len(jobs), np.iinfo(np.int64).max)
    np.minimum.at(least, contestant, played)
    here = jobs[np.bincount(contestant, minlength=len(jobs)) > 0]
    quarter = len(here) // 4
    few = np.partition(here, quarter)[quarter]
    ahead: Counts = jobs[contestant] - few + played - least[contestant]
    return ahead


def _first_free(field: Field, numbers: Counts, busy: Container[str]) -> int | None:
    """Returns the first of these entrants that is free."""
    for number in numbers.tolist():
        if field.names[number] not in busy:
            return int(number)
    return None


def _uniform(count: int, rng: Random) -> Figures:
    """Returns random numbers above 0 and below 1."""
    words = np.frombuffer(rng.randbytes(4 * count), np.uint32)
    return (words + 0.5) / 2**32
