"""The bound on every pairing: the information that results contain.

`docs/pairing.md` derives it.
"""

from __future__ import annotations

from functools import cache
from math import atan, exp, inf, pi, sqrt, tan
from statistics import NormalDist

import numpy as np

from arena.ratings import LEAST_DRAW_PROBABILITY
from bench.simulation.terms import Terms

NORMAL = NormalDist()


def best_tau(terms: Terms, matches: float) -> float | None:
    """Returns the tau that no pairing exceeds after so many matches a bot; None if unknown."""
    known = most_information(terms)
    return None if known is None else 2 / pi * atan(terms.spread * sqrt(known * matches))


def fewest_matches(terms: Terms, tau: float) -> float | None:
    """Returns the matches a bot that every pairing needs to find the order to this tau; None if
    unknown."""
    known = most_information(terms)
    if known is None:
        return None
    return inf if tau >= 1 else max(tan(pi / 2 * max(tau, 0)), 0) ** 2 / terms.spread**2 / known


def most_information(terms: Terms) -> float | None:
    """Returns the Fisher information about a player's skill in a match of equals, in beta^-2. None
    for more than two teams that may tie: there it is not known which match teaches most."""
    if terms.teams == 2:
        return _of_two(terms.draw_probability) / (2 * terms.team_size)
    if terms.draw_probability > LEAST_DRAW_PROBABILITY:
        return None
    return _of_ranks(terms.teams) / terms.team_size


@cache
def _of_two(draw_probability: float) -> float:
    """Returns the information about the difference of two performances, in units of its own
    variance, where it is greatest: with few draws between equals, with many where the win is in
    doubt."""
    margin = NORMAL.inv_cdf((1 + draw_probability) / 2)

    def known(gap: float) -> float:
        edges = [NORMAL.pdf(margin - gap), NORMAL.pdf(margin + gap)]
        win, loss = NORMAL.cdf(gap - margin), NORMAL.cdf(-gap - margin)
        return (
            edges[0] ** 2 / win
            + edges[1] ** 2 / loss
            + (edges[0] - edges[1]) ** 2 / (1 - win - loss)
        )

    return max(map(known, np.linspace(0, 4, 401)))


@cache
def _of_ranks(teams: int) -> float:
    """Returns the information about one of so many equal performances in their order, in units of
    their variance: the mean square of the expected order statistics."""
    x = np.linspace(-9, 9, 3601)
    below = np.array([NORMAL.cdf(one) for one in x])
    density = np.array([exp(-one * one / 2) for one in x])
    means = []
    for rank in range(teams):
        weight = density * below**rank * (1 - below) ** (teams - 1 - rank)
        means.append(float(np.sum(x * weight) / np.sum(weight)))
    return sum(mean**2 for mean in means) / teams
