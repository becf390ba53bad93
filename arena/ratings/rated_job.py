"""A job with the skills before and after it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from arena.ratings.job_result import Standing
from arena.ratings.prediction import Odds, odds, points
from arena.ratings.rater import Skill


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
    result: Standing[str]
    before: Mapping[str, Skill]
    after: Mapping[str, Skill]

    def odds(self, team: int, other: int, draw_probability: float) -> Odds:
        """Returns the odds of one team against another before the job."""
        teams = [[self.before[version] for version in team] for team in self.result.teams]
        return odds(teams, team, other, draw_probability)

    def points(self, team: int, other: int) -> float:
        """Returns the points that one team won against another."""
        return points(self.result.ranks[team], self.result.ranks[other])
