"""A ladder played in simulation: the arena's own pairing and ratings, invented results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random

import numpy as np

from arena.league.ladder import Field
from arena.ratings import JobResult, Rater, Skill, fit
from bench.simulation.pairings import PAIRINGS
from bench.simulation.terms import Terms
from bench.simulation.world import World

FIRST_MATCHES = 3.75
"""Matches by each bot at the first look; then always twice as many, and at the end."""
GROWTH = 0.1
"""As on a ladder: the ratings are fitted once there are so many more results."""
NEAR = 2
"""A newcomer has found its place once it stays within so many places of the true one."""


@dataclass(frozen=True)
class Look:
    """The quality of the ratings after some matches. `tau`: of the running ratings; `tau_fit`: of
    those fitted to all results at once."""

    matches: float
    tau: float
    tau_fit: float


@dataclass(frozen=True)
class Balance:
    """The balance of a season: how evenly it treats its bots.

    `least`, `most`: matches of those who played least and most.
    `seats`: the largest deviation of a bot's matches in one seat from an even share.
    `partners`: the largest deviation of a pair's matches as partners from its share of their
    meetings; None without partners, or with the same partner always.
    """

    least: int
    most: int
    seats: float
    partners: float | None


class Season:
    """One run of a pairing. The same seed has the same bots, whatever the pairing."""

    def __init__(self, terms: Terms, pairing: str, seed: str) -> None:
        self.terms = terms
        self._pairing = PAIRINGS[pairing]
        self._rng = Random(f"{seed}/{pairing}")
        self._truth = Random(f"{seed}/truth")
        self._world = World(terms, self._truth)
        self._rater = Rater(terms.draw_probability)
        self._field = Field(terms.team_of_seat, own_partners=terms.own_partners)
        self._skills: dict[str, Skill] = {}
        self._results: Counter[JobResult[str]] = Counter()
        self._fitted: dict[str, Skill] = {}
        self._fit_due = float(terms.bots)
        for version in self._world.skills:
            self._enter(version)

    def play(self) -> Iterator[Look]:
        """Plays the season, and looks at its ratings now and then."""
        jobs = -(-self.terms.matches * self.terms.bots // self.terms.places)
        due = FIRST_MATCHES
        for job in range(1, jobs + 1):
            self._play_match()
            matches = job * self.terms.places / self.terms.bots
            if matches >= due or job == jobs:
                yield self._look(matches)
                due *= 2

    def balance(self) -> Balance:
        versions = list(self._skills)
        seats = [self._field.seats_of(version) for version in versions]
        played = [self._field.played_by(version) for version in versions]
        return Balance(
            least=min(played),
            most=max(played),
            seats=max(abs(one - sum(own) / len(own)) for own in seats for one in own),
            partners=self._partner_deviation(versions),
        )

    def newcomer(self) -> int | None:
        """Lets a bot enter that has never played, and play until it has as many matches as the
        others. Returns after how many it stayed near its true place; None if it did not."""
        version = self._world.newcomer(self._truth)
        self._enter(version)
        true = place(version, self._world.skills)
        found: int | None = None
        while (own := self._field.played_by(version)) < self.terms.matches:
            if version not in self._play_match():
                continue
            running = {name: skill.mu for name, skill in self._skills.items()}
            if abs(place(version, running) - true) > NEAR:
                found = None
            elif found is None:
                found = own + 1
        return found

    def _enter(self, version: str) -> None:
        self._skills[version] = Skill()
        self._field.enter(version, owner=version)

    def _play_match(self) -> tuple[str, ...]:
        versions = self._pairing(self._field, self._rng)
        self._field.count(versions)
        result = self._world.play(versions, self._rng)
        self._results[result] += 1
        before = [[self._skills[version] for version in team] for team in result.teams]
        after = self._rater.rate(before, result.ranks, even=True)
        for team, skills in zip(result.teams, after, strict=True):
            for version, skill in zip(team, skills, strict=True):
                self._skills[version] = skill
                if not self._field.has_fit(version):
                    self._field.rate(version, skill)
        if self._results.total() >= self._fit_due:
            self._fit()
        return versions

    def _fit(self) -> None:
        """Fits the ratings, by which bots are paired from then on."""
        self._fitted = fit(self._results, self.terms.draw_probability)
        self._fit_due = (1 + GROWTH) * self._results.total()
        for version, skill in self._fitted.items():
            self._field.rate(version, skill, fitted=True)

    def _look(self, matches: float) -> Look:
        self._fit()
        return Look(
            matches,
            self._tau([skill.mu for skill in self._skills.values()]),
            self._tau([self._fitted.get(version, Skill()).mu for version in self._skills]),
        )

    def _tau(self, found: Sequence[float]) -> float:
        return kendall_tau(found, [self._world.skills[version] for version in self._skills])

    def _partner_deviation(self, versions: Sequence[str]) -> float | None:
        if self.terms.team_size == 1:
            return None
        share = (self.terms.team_size - 1) / (self.terms.places - 1)
        return max(
            abs(self._field.partnerships(*pair) - share * self._field.meetings(*pair))
            for pair in combinations(versions, 2)
        )


def kendall_tau(found: Sequence[float], true: Sequence[float]) -> float:
    """Returns Kendall's tau of two rankings without ties: the share of pairs in the right order
    minus that of pairs in the wrong one."""
    pairs = np.triu_indices(len(true), 1)
    by_found, by_true = (np.sign(np.subtract.outer(x, x))[pairs] for x in (found, true))
    return float(np.mean(by_found * by_true))


def place(version: str, skills: Mapping[str, float]) -> int:
    """Returns the place of a version; 1 is best."""
    return 1 + sum(skill > skills[version] for skill in skills.values())
