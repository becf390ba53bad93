"""Chooses who meets next on a ladder, and in which seats.

The version that has played least comes first, so nobody starves. Its opponents are those whose
meeting promises the most information: uncertain skills, an open result, few meetings so far. They
then take the seats and partners that they have had least often.

No match has two bots of one contestant, in whatever seats: as partners or rivals one program, or
one machine, would see two hands, and rivals could let each other win.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import sqrt
from random import Random
from statistics import NormalDist, median

from arena.league.ladder.history import History
from arena.ratings import BETA, Skill

LEAST_OPENNESS = 0.25
"""Even a pairing with a clear favourite is worth this much."""
MOST_AHEAD = 3


@dataclass(frozen=True)
class Candidate:
    """A version that may be paired. `owner`: None if it is the organiser's, who is trusted."""

    version: str
    owner: str | None
    skill: Skill


def next_versions(
    candidates: Sequence[Candidate], history: History, *, own_partners: bool, rng: Random
) -> tuple[str, ...] | None:
    """Returns the version at each seat of the next job, or None if too few can meet.

    `own_partners`: each team consists of one version. Otherwise no version sits twice.
    """
    places = _places(history.teams, own_partners)
    if most_at_a_table(candidate.owner for candidate in candidates) < len(places):
        return None
    chosen = _chosen(candidates, len(places), history, rng)
    return _seated(chosen, places, history, rng)


def most_at_a_table(owners: Iterable[str | None]) -> int:
    """Returns how many bots of these owners can meet in one match."""
    counted = Counter(owners)
    return counted.pop(None, 0) + len(counted)


def worth(one: Skill, other: Skill, meetings: int) -> float:
    """Returns how much one more meeting would teach."""
    variance = one.sigma**2 + other.sigma**2
    doubt = variance / (variance + 2 * BETA**2)
    win = NormalDist().cdf((one.mu - other.mu) / sqrt(variance + 2 * BETA**2))
    return doubt * max(4 * win * (1 - win), LEAST_OPENNESS) / (1 + meetings)


def _places(teams: Sequence[int], own_partners: bool) -> list[tuple[int, ...]]:
    """Returns groups of seats that each go to one version."""
    if not own_partners:
        return [(seat,) for seat in range(len(teams))]
    return [
        tuple(seat for seat, own in enumerate(teams) if own == team) for team in sorted(set(teams))
    ]


def _chosen(
    candidates: Sequence[Candidate], count: int, history: History, rng: Random
) -> list[Candidate]:
    rest = list(candidates)
    rng.shuffle(rest)
    usual = median(history.played[candidate.version] for candidate in candidates)
    chosen: list[Candidate] = []

    def appeal(candidate: Candidate) -> float:
        ahead = history.played[candidate.version] - usual
        return _learned(candidate, chosen, history) / (1 + min(max(ahead, 0), MOST_AHEAD))

    best = min(rest, key=lambda c: (history.played[c.version], -c.skill.sigma))
    while True:
        chosen.append(best)
        rest.remove(best)
        if len(chosen) == count:
            return chosen
        rest = [one for one in rest if one.owner is None or one.owner != best.owner]
        best = max(rest, key=appeal)


def _learned(candidate: Candidate, chosen: Sequence[Candidate], history: History) -> float:
    return sum(
        worth(candidate.skill, other.skill, history.meetings(candidate.version, other.version))
        for other in chosen
    )


def _seated(
    chosen: Sequence[Candidate],
    places: Sequence[tuple[int, ...]],
    history: History,
    rng: Random,
) -> tuple[str, ...]:
    """Returns the version at each seat: an order that no exchange of two versions would improve."""
    order = [candidate.version for candidate in chosen]
    rng.shuffle(order)
    improved = True
    while improved:
        improved = False
        for one, other in combinations(range(len(order)), 2):
            swapped = order.copy()
            swapped[one], swapped[other] = order[other], order[one]
            if history.repeats(_by_seat(swapped, places)) < history.repeats(
                _by_seat(order, places)
            ):
                order, improved = swapped, True
    return _by_seat(order, places)


def _by_seat(order: Sequence[str], places: Sequence[tuple[int, ...]]) -> tuple[str, ...]:
    at = {seat: who for who, seats in zip(order, places, strict=True) for seat in seats}
    return tuple(at[seat] for seat in range(len(at)))
