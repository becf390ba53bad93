"""Reduces a job to what it says about skill: who played together, and who came out ahead.

A job is rated once, however many matches it has. In a duplicate group everybody plays the same
deals from every seat, so the sum of the ranks counts: luck cancels.

Where teams stay together, teams are rated. Where partners change from match to match, each version
is rated by its own ranks. A version that is its own partner counts as one player: there is one
skill to estimate, and two copies would count as twice the evidence.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence, Set
from dataclasses import dataclass
from typing import Generic, TypeVar

V = TypeVar("V", bound=Hashable)


@dataclass(frozen=True)
class Seated(Generic[V]):
    """A seat of a finished match: its version, its team and its rank (1 is best)."""

    version: V
    team: int
    rank: int


@dataclass(frozen=True)
class Standing(Generic[V]):
    """The result of a job: its teams, and the rank of each."""

    teams: tuple[tuple[V, ...], ...]
    ranks: tuple[int, ...]


def standing(matches: Sequence[Sequence[Seated[V]]]) -> Standing[V]:
    """Returns the result of a job from its matches, each given by seat.

    The teams are in the order of their first seats in the first match, because floats depend on the
    order.
    """
    teams, *others = (_teams(match) for match in matches)
    together = {frozenset(team) for team in teams}
    if any({frozenset(team) for team in other} != together for other in others):
        teams = tuple((version,) for team in teams for version in team)
    sums = [sum(_rank(set(team), match) for match in matches) for team in teams]
    return Standing(teams, tuple(1 + sum(other < own for other in sums) for own in sums))


def _teams(match: Sequence[Seated[V]]) -> tuple[tuple[V, ...], ...]:
    """Returns the versions of each team, without repetitions."""
    team_of: dict[V, int] = {}
    for seated in match:
        if team_of.setdefault(seated.version, seated.team) != seated.team:
            raise ValueError("A version that plays against itself cannot be rated.")
    return tuple(
        tuple(version for version, own in team_of.items() if own == team)
        for team in dict.fromkeys(team_of.values())
    )


def _rank(team: Set[V], match: Sequence[Seated[V]]) -> int:
    """Returns the rank that all seats of a team share."""
    return max(seated.rank for seated in match if seated.version in team)
