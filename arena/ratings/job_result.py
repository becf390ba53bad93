"""The result of a job as ratings use it: the teams, the rank of each, and the skills around it.

A job is rated once, however many matches it has. In a duplicate group all play the same
deals from every seat, so the sum of the ranks counts: luck cancels.

Where teams stay together, teams are rated. Where partners change from match to match, each version
is rated by its own ranks. A version that is its own partner counts as one player: there is one
skill to estimate, and two copies would count as twice the evidence.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Generic, TypeVar

from arena.ratings.prediction import Odds, odds, points
from arena.ratings.rater import Skill

V = TypeVar("V", bound=Hashable)


@dataclass(frozen=True)
class RatedSeat(Generic[V]):
    """A seat of a finished match: its version, its team and its rank (1 is best)."""

    version: V
    team: int
    rank: int


@dataclass(frozen=True)
class JobResult(Generic[V]):
    """The result of a job: its teams, and the rank of each."""

    teams: tuple[tuple[V, ...], ...]
    ranks: tuple[int, ...]


@dataclass(frozen=True)
class RatedJob:
    """A job as it was rated.

    `sequence`: its place among the ladder's, from 1.
    `matches`: how many of its matches say something about skill.
    `before`, `after`: the skills of its versions.
    """

    sequence: int
    job: str
    matches: int
    result: JobResult[str]
    before: Mapping[str, Skill]
    after: Mapping[str, Skill]

    def odds(self, team: int, other: int, draw_probability: float) -> Odds:
        """Returns the odds of one team against another before the job."""
        teams = [[self.before[version] for version in team] for team in self.result.teams]
        return odds(teams, team, other, draw_probability)

    def points(self, team: int, other: int) -> float:
        """Returns the points that one team won against another."""
        return points(self.result.ranks[team], self.result.ranks[other])


def job_result(matches: Sequence[Sequence[RatedSeat[V]]]) -> JobResult[V]:
    """Returns the result of a job from its matches, each given by seat.

    The teams are in the order of their first seats in the first match, because floats depend on the
    order.
    """
    teams, *others = (_teams(match) for match in matches)
    together = {frozenset(team) for team in teams}
    if any({frozenset(team) for team in other} != together for other in others):
        teams = tuple((version,) for team in teams for version in team)
    sums = [sum(_rank(set(team), match) for match in matches) for team in teams]
    return JobResult(teams, tuple(1 + sum(other < own for other in sums) for own in sums))


def _teams(match: Sequence[RatedSeat[V]]) -> tuple[tuple[V, ...], ...]:
    """Returns the versions of each team, without repetitions."""
    team_of: dict[V, int] = {}
    for seated in match:
        if team_of.setdefault(seated.version, seated.team) != seated.team:
            raise ValueError("A version that plays against itself cannot be rated.")
    return tuple(
        tuple(version for version, own in team_of.items() if own == team)
        for team in dict.fromkeys(team_of.values())
    )


def _rank(team: Set[V], match: Sequence[RatedSeat[V]]) -> int:
    """Returns the rank that all seats of a team share."""
    return max(seated.rank for seated in match if seated.version in team)
