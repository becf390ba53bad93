"""Ratings and match counts from finished matches, job by job.

The recorder updates ratings through this code as matches arrive, and a rebuild runs the same code
over all of them, so the two cannot differ.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from arena.ratings import RatedSeat, Rater, Skill, job_result, surprise
from arena.store.schema import Match


@dataclass
class Account:
    """A version's skill on a ladder and the number of matches behind it."""

    skill: Skill = field(default_factory=Skill)
    matches: int = 0
    faults: int = 0


class Ledger:
    """The accounts of the versions on one ladder."""

    def __init__(self, rater: Rater, accounts: Mapping[str, Account] | None = None) -> None:
        self.accounts = dict(accounts or {})
        self._rater = rater

    def enter(self, matches: Sequence[Match]) -> dict[str, Skill]:
        """Counts a job's matches and rates the job as a whole; returns the new skills of the rated
        versions.

        A match in which every team was at fault counts, but says nothing about skill.
        """
        for match in matches:
            self._count(match)
        rated = [match for match in matches if match.rated]
        return self._rate(rated) if rated else {}

    def surprise(self, match: Match) -> float:
        """Returns how improbable a match's result is by the skills so far; 0 if it says nothing
        about skill."""
        if not match.rated:
            return 0.0
        result = job_result([_seated(match)])
        teams = [[self._skill(version) for version in team] for team in result.teams]
        return surprise(teams, result.ranks, self._rater.draw_probability)

    def _skill(self, version: str) -> Skill:
        return self.accounts[version].skill if version in self.accounts else Skill()

    def _count(self, match: Match) -> None:
        for version in {seat.version for seat in match.seats}:
            self.accounts.setdefault(version, Account()).matches += 1
        for seat in match.seats:
            self.accounts[seat.version].faults += seat.fault_kind is not None

    def _rate(self, matches: Sequence[Match]) -> dict[str, Skill]:
        result = job_result([_seated(match) for match in matches])
        before = [[self.accounts[version].skill for version in team] for team in result.teams]
        after = self._rater.rate(before, result.ranks, even=True)  # pads the smaller teams
        changed = {
            version: skill
            for team, skills in zip(result.teams, after, strict=True)
            for version, skill in zip(team, skills, strict=True)
        }
        for version, skill in changed.items():
            self.accounts[version].skill = skill
        return changed


def _seated(match: Match) -> list[RatedSeat[str]]:
    return [RatedSeat(seat.version, seat.team, seat.rank) for seat in match.seats]
