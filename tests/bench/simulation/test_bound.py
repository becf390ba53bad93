"""The bound on every pairing: figures that are known otherwise."""

from itertools import permutations
from math import pi

import numpy as np
import pytest

from bench.simulation import bound
from bench.simulation.bound import best_tau
from bench.simulation.terms import Terms

X = np.linspace(-9, 9, 3601)


def most_information(terms: Terms) -> float:
    return known(bound.most_information(terms))


def fewest_matches(terms: Terms, tau: float) -> float:
    return known(bound.fewest_matches(terms, tau))


def known(figure: float | None) -> float:
    assert figure is not None
    return figure


def in_this_order(skills: tuple[float, ...]) -> float:
    """Returns the probability that normal performances of these skills come in their order."""
    rest = np.ones_like(X)
    for skill in skills:
        density = rest * np.exp(-((X - skill) ** 2) / 2) / np.sqrt(2 * pi)
        steps = (density[1:] + density[:-1]) / 2 * (X[1] - X[0])
        rest = np.concatenate([[0.0], np.cumsum(steps)])
    return float(rest[-1])


def information(skills: tuple[float, ...]) -> float:
    """Returns the Fisher information about the first skill in the order of all performances."""
    step, total = 1e-3, 0.0
    for order in permutations(range(len(skills))):
        below, here, above = (
            in_this_order(tuple(skills[one] + (one == 0) * shift for one in order))
            for shift in (-step, 0.0, step)
        )
        total += ((above - below) / (2 * step)) ** 2 / here
    return total


def test_a_match_of_two_teaches_at_most_one_over_pi() -> None:
    assert most_information(Terms()) == pytest.approx(1 / pi, rel=0.02)
    assert most_information(Terms(seats=4, teams=2)) == pytest.approx(1 / pi / 2, rel=0.02)
    assert most_information(Terms(seats=4, teams=2, own_partners=True)) == pytest.approx(
        1 / pi, rel=0.02
    )


@pytest.mark.parametrize("teams", [3, 4])
def test_an_order_of_equals_teaches_what_integration_finds(teams: int) -> None:
    most = most_information(Terms(seats=teams, teams=teams))
    assert most == pytest.approx(information((0.0,) * teams), rel=1e-3)


@pytest.mark.parametrize(
    "skills", [(0, 0.5, -0.5), (0, 0.6, 0.6), (0.0, 0.4, -0.4, 0.0), (0.0, 1.0, -0.5, 0.2)]
)
def test_an_order_of_unequals_teaches_less(skills: tuple[float, ...]) -> None:
    most = most_information(Terms(seats=len(skills), teams=len(skills)))
    assert information(skills) < most


def test_draws_teach_too_but_of_many_teams_it_is_not_known_how_much() -> None:
    assert most_information(Terms(draw_probability=0.3)) > 1.1 / pi
    assert bound.most_information(Terms(seats=4, teams=4, draw_probability=0.3)) is None


@pytest.mark.parametrize("tau", [0.5, 0.9, 0.95])
def test_matches_and_tau_are_two_sides_of_one_bound(tau: float) -> None:
    terms = Terms(spread=2.0)
    assert best_tau(terms, fewest_matches(terms, tau)) == pytest.approx(tau)
    assert fewest_matches(terms, tau) == pytest.approx(fewest_matches(Terms(spread=1.0), tau) / 4)
