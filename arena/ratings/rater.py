"""TrueSkill as this arena uses it: numbers in, numbers out.

The parameters are TrueSkill's defaults, except that tau is 0: a version is immutable, so its skill
does not drift, and old matches count as much as new ones. The same arguments give the same floats,
to the last bit, so ratings can be rebuilt from the matches.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import erfc, exp, pi, sqrt
from statistics import NormalDist

import trueskill  # type: ignore[import-untyped]

MU = 25.0
SIGMA = MU / 3
BETA = SIGMA / 2
LEAST_DRAW_PROBABILITY, GREATEST_DRAW_PROBABILITY = 0.005, 0.9


@dataclass(frozen=True, slots=True)
class Skill:
    """An estimate of a version's skill: mean `mu`, standard deviation `sigma`."""

    mu: float = MU
    sigma: float = SIGMA

    @property
    def rating(self) -> float:
        """The displayed figure: a skill that the version almost certainly has at least."""
        return self.mu - 3 * self.sigma


class Rater:
    """Rates the results of one game under fixed rules.

    `draw_probability`: how often equally good teams tie. It must not be 0, which would make a tie
    impossible when one can still happen.
    """

    def __init__(self, draw_probability: float) -> None:
        if not LEAST_DRAW_PROBABILITY <= draw_probability <= GREATEST_DRAW_PROBABILITY:
            raise ValueError(
                f"The draw probability must be from {LEAST_DRAW_PROBABILITY} to "
                f"{GREATEST_DRAW_PROBABILITY}, not {draw_probability}."
            )
        self.draw_probability = draw_probability
        # The package's own normal distribution is good to seven digits only.
        self._environment = trueskill.TrueSkill(
            mu=MU,
            sigma=SIGMA,
            beta=BETA,
            tau=0.0,
            draw_probability=draw_probability,
            backend=(_cdf, _pdf, NormalDist().inv_cdf),
        )

    def rate(
        self, teams: Sequence[Sequence[Skill]], ranks: Sequence[int], *, even: bool = False
    ) -> tuple[tuple[Skill, ...], ...]:
        """Returns the skills after a match. `ranks`: one per team; 1 is best, equal ranks are ties.

        `even`: a larger team is not stronger, so each member of a smaller one counts for more.
        """
        before = [[trueskill.Rating(skill.mu, skill.sigma) for skill in team] for team in teams]
        most = max(map(len, teams))
        weights = [[most / len(team) if even else 1.0] * len(team) for team in teams]
        after = self._environment.rate(before, ranks, weights)
        return tuple(tuple(Skill(rating.mu, rating.sigma) for rating in team) for team in after)


def _cdf(x: float) -> float:
    return erfc(-x / sqrt(2)) / 2


def _pdf(x: float) -> float:
    return exp(-x * x / 2) / sqrt(2 * pi)
