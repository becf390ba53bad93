"""Ratings and counts from finished matches, job by job.

The recorder keeps them so as matches come in, and a rebuild does the same over again: one text for
both, so that they cannot differ.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from arena.ratings.job_result import Seated, standing
from arena.ratings.rater import Rater, Skill
from arena.store.tables import Match


@dataclass
class Account:
    """What is known of a version on a ladder: its skill, and over how many matches."""

    skill: Skill = field(default_factory=Skill)
    matches: int = 0
    faults: int = 0


class Ledger:
    """The accounts of versions on one ladder."""

    def __init__(self, rater: Rater, accounts: Mapping[str, Account] | None = None) -> None:
        self.accounts = dict(accounts or {})
        self._rater = rater

    def enter(self, matches: Sequence[Match]) -> dict[str, Skill]:
        """Counts a job's matches, and rates it as a whole; returns the new skills of those rated.

        A match in which every team was at fault counts, but says nothing about skill.
        """
        for match in matches:
            self._count(match)
        rated = [match for match in matches if match.rated]
        return self._rate(rated) if rated else {}

    def _count(self, match: Match) -> None:
        for version in {seat.version for seat in match.seats}:
            self.accounts.setdefault(version, Account()).matches += 1
        for seat in match.seats:
            self.accounts[seat.version].faults += seat.fault_kind is not None

    def _rate(self, matches: Sequence[Match]) -> dict[str, Skill]:
        result = standing(
            [
                [Seated(seat.version, seat.team, seat.rank) for seat in match.seats]
                for match in matches
            ]
        )
        before = [[self.accounts[version].skill for version in team] for team in result.teams]
        after = self._rater.rate(before, result.ranks, even=True)  # a dummy makes teams equal
        changed = {
            version: skill
            for team, skills in zip(result.teams, after, strict=True)
            for version, skill in zip(team, skills, strict=True)
        }
        for version, skill in changed.items():
            self.accounts[version].skill = skill
        return changed
