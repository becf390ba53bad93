"""Predicts the result between two teams of a job from the skills of all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

from arena.ratings.rater import BETA, Skill

NORMAL = NormalDist()
WIN, TIE, LOSS = 1.0, 0.5, 0.0
"""The points of a result between two teams."""


@dataclass(frozen=True, slots=True)
class Odds:
    """The probabilities of a team's results against another."""

    win: float
    tie: float
    loss: float

    @property
    def points(self) -> float:
        """The points to expect."""
        return WIN * self.win + TIE * self.tie

    @property
    def of_the_other(self) -> Odds:
        """The same from the other team's side."""
        return Odds(self.loss, self.tie, self.win)


def odds(
    teams: Sequence[Sequence[Skill]], first: int, second: int, draw_probability: float
) -> Odds:
    """Returns the odds of the `first` of these teams against the `second`, by the `Rater`'s model.

    Teams are weighted as by `Rater.rate(even=True)`. Where more than two teams play, only
    neighbours in the result can tie in the model; here any two can, if they come as close.
    """
    most = max(map(len, teams))
    weights = [most / len(teams[team]) for team in (first, second)]
    means = [sum(skill.mu for skill in teams[team]) for team in (first, second)]
    ahead = weights[0] * means[0] - weights[1] * means[1]
    variance = sum(
        weight**2 * sum(skill.sigma**2 + BETA**2 for skill in teams[team])
        for weight, team in zip(weights, (first, second), strict=True)
    )
    players = len(teams[first]) + len(teams[second])
    margin = NORMAL.inv_cdf((draw_probability + 1) / 2) * sqrt(players) * BETA
    win = NORMAL.cdf((ahead - margin) / sqrt(variance))
    loss = NORMAL.cdf((-ahead - margin) / sqrt(variance))
    return Odds(win, max(0.0, 1 - win - loss), loss)


def surprise(
    teams: Sequence[Sequence[Skill]], ranks: Sequence[int], draw_probability: float
) -> float:
    """Returns how improbable a result was before: 1 less the winner's probability to beat the other
    team that it was least likely to beat; 0 if several teams came first."""
    winner, *ties = [team for team, rank in enumerate(ranks) if rank == 1]
    if ties:
        return 0.0
    others = [team for team in range(len(teams)) if team != winner]
    return 1 - min(odds(teams, winner, other, draw_probability).win for other in others)


def points(rank: int, other: int) -> float:
    """Returns the points of the team of that rank against one of the `other` rank."""
    return TIE if rank == other else WIN if rank < other else LOSS
