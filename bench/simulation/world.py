"""Bots whose true skills are known, and matches between them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import sqrt
from random import Random
from statistics import NormalDist

from arena.ratings import BETA, MU, JobResult
from bench.simulation.terms import Terms


class World:
    """The model that ratings assume, so that ratings and pairing alone are judged: a team's
    performance is the sum of its members' skills, each with a normal error of beta; teams whose
    performances differ by less than a margin tie.

    `skills`: the true skill of each bot.
    """

    def __init__(self, terms: Terms, rng: Random) -> None:
        self.terms = terms
        self.skills = {f"bot-{number}": self._skill(rng) for number in range(terms.bots)}
        equal = NormalDist().inv_cdf((1 + terms.draw_probability) / 2)
        self._margin = equal * sqrt(2 * terms.team_size) * BETA

    def newcomer(self, rng: Random) -> str:
        """Adds a bot; returns its name."""
        name = f"bot-{len(self.skills)}"
        self.skills[name] = self._skill(rng)
        return name

    def play(self, versions: Sequence[str], rng: Random) -> JobResult[str]:
        """Returns the result of a match. `versions`: in seat order."""
        teams: dict[int, list[str]] = {team: [] for team in range(self.terms.teams)}
        for version, team in zip(versions, self.terms.team_of_seat, strict=True):
            if version not in teams[team]:
                teams[team].append(version)
        performance = [
            sum(rng.gauss(self.skills[version], BETA) for version in team)
            for team in teams.values()
        ]
        return JobResult(tuple(map(tuple, teams.values())), self._ranks(performance))

    def _ranks(self, performance: Sequence[float]) -> tuple[int, ...]:
        """Returns the rank of each team. A team ties with the one before it if the margin is not
        between them."""
        order = sorted(range(len(performance)), key=lambda team: -performance[team])
        ranks = {order[0]: 1}
        for place, (above, below) in enumerate(pairwise(order), 2):
            tie = performance[above] - performance[below] < self._margin
            ranks[below] = ranks[above] if tie else place
        return tuple(ranks[team] for team in range(len(performance)))

    def _skill(self, rng: Random) -> float:
        return rng.gauss(MU, self.terms.spread * BETA)
