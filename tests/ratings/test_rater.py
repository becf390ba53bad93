"""Ratings against published figures, and against TrueSkill written out for two teams."""

from itertools import chain
from math import sqrt
from random import Random
from statistics import NormalDist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.ratings.rater import BETA, MU, SIGMA, Rater, Skill

# Other implementations add tau = sigma/100 before each match. To match their figures, our beginners
# are slightly less certain.
REFERENCE = Skill(MU, sqrt(SIGMA**2 + (SIGMA / 100) ** 2))
USUAL_DRAWS = 0.1
NORMAL = NormalDist()


def referenced(mu: float, sigma: float) -> Skill:
    return Skill(mu, sqrt(sigma**2 + (SIGMA / 100) ** 2))


def flat(teams: tuple[tuple[Skill, ...], ...]) -> list[tuple[float, float]]:
    return [(round(skill.mu, 3), round(skill.sigma, 3)) for team in teams for skill in team]


# The tests of Jeff Moser's "Computing Your Skill" (2010, github.com/moserware/Skills), which later
# implementations repeat; the eight are the example of Microsoft Research's TrueSkill page.
PUBLISHED = {
    "two": ([1, 1], [1, 2], [(29.396, 7.171), (20.604, 7.171)]),
    "two that tie": ([1, 1], [1, 1], [(25.0, 6.458), (25.0, 6.458)]),
    "two pairs": ([2, 2], [1, 2], [(28.108, 7.774)] * 2 + [(21.892, 7.774)] * 2),
    "two pairs that tie": ([2, 2], [1, 1], [(25.0, 7.455)] * 4),
    "one against two": ([1, 2], [1, 2], [(33.730, 7.317), (16.270, 7.317), (16.270, 7.317)]),
    "one ties with two": ([1, 2], [1, 1], [(31.660, 7.138), (18.340, 7.138), (18.340, 7.138)]),
    "four pairs as two": ([4, 4], [1, 2], [(27.198, 8.059)] * 4 + [(22.802, 8.059)] * 4),
    "three": ([1] * 3, [1, 2, 3], [(31.675, 6.656), (25.0, 6.208), (18.325, 6.656)]),
    "three, the last first": (
        [1] * 3,
        [3, 2, 1],
        [(18.325, 6.656), (25.0, 6.208), (31.675, 6.656)],
    ),
    "three that tie": ([1] * 3, [1, 1, 1], [(25.0, 5.698), (25.0, 5.695), (25.0, 5.698)]),
    "four": (
        [1] * 4,
        [1, 2, 3, 4],
        [(33.207, 6.348), (27.401, 5.787), (22.599, 5.787), (16.793, 6.348)],
    ),
    "eight": (
        [1] * 8,
        list(range(1, 9)),
        [
            (36.771, 5.749),
            (32.242, 5.133),
            (29.074, 4.943),
            (26.322, 4.874),
            (23.678, 4.874),
            (20.926, 4.943),
            (17.758, 5.133),
            (13.229, 5.749),
        ],
    ),
}


@pytest.mark.parametrize(("sizes", "ranks", "published"), PUBLISHED.values(), ids=PUBLISHED)
def test_beginners_come_out_as_published(
    sizes: list[int], ranks: list[int], published: list[tuple[float, float]]
) -> None:
    rated = Rater(USUAL_DRAWS).rate([[REFERENCE] * size for size in sizes], ranks)
    for found, right in zip(flat(rated), published, strict=True):
        assert found == pytest.approx(right, abs=0.0011)


def test_unequal_teams_come_out_as_published() -> None:
    teams = [
        [referenced(40, 4), referenced(45, 3)],
        [referenced(20, 7), referenced(19, 6), referenced(30, 9), referenced(10, 4)],
        [referenced(50, 5), referenced(30, 2)],
    ]
    assert flat(Rater(USUAL_DRAWS).rate(teams, [1, 2, 2])) == [
        *[(40.877, 3.840), (45.493, 2.934)],
        *[(19.609, 6.396), (18.712, 5.625), (29.353, 7.673), (9.872, 3.891)],
        *[(48.830, 4.590), (29.813, 1.976)],
    ]


def by_hand(
    teams: tuple[list[Skill], list[Skill]], ranks: tuple[int, int], draws: float
) -> list[list[Skill]]:
    """Rates two teams by the paper (Herbrich, Minka, Graepel 2006): the difference of the teams'
    performances is normal; the observed result truncates it; each skill takes its share of the
    change."""
    first, second = teams if ranks[0] <= ranks[1] else (teams[1], teams[0])
    players = len(first) + len(second)
    spread = sqrt(players * BETA**2 + sum(skill.sigma**2 for skill in (*first, *second)))
    margin = NORMAL.inv_cdf((draws + 1) / 2) * sqrt(players) * BETA / spread
    ahead = (sum(skill.mu for skill in first) - sum(skill.mu for skill in second)) / spread
    low, high = (-margin, margin) if ranks[0] == ranks[1] else (margin, 50.0)
    mean, variance = cut_off(ahead, low, high)

    def changed(skill: Skill, direction: int) -> Skill:
        share = skill.sigma**2 / spread
        shrunk = 1 - share / spread * (1 - variance)
        return Skill(skill.mu + direction * share * (mean - ahead), skill.sigma * sqrt(shrunk))

    rated = [[changed(skill, 1) for skill in first], [changed(skill, -1) for skill in second]]
    return rated if first is teams[0] else rated[::-1]


def cut_off(mean: float, low: float, high: float) -> tuple[float, float]:
    """Returns the mean and variance of a truncated normal variable of variance 1, by Simpson's
    rule."""
    steps = 20_000
    top = min(high, mean + 12)
    width = (top - low) / steps
    at = [low + index * width for index in range(steps + 1)]
    weights = [1 if index in (0, steps) else 4 if index % 2 else 2 for index in range(steps + 1)]
    mass = [weight * NORMAL.pdf(x - mean) for weight, x in zip(weights, at, strict=True)]
    total = sum(mass)
    centre = sum(m * x for m, x in zip(mass, at, strict=True)) / total
    return centre, sum(m * (x - centre) ** 2 for m, x in zip(mass, at, strict=True)) / total


@pytest.mark.parametrize("case", range(12))
def test_two_teams_come_out_as_worked_out_by_hand(case: int) -> None:
    rng = Random(case)
    teams = tuple(
        [Skill(rng.uniform(15, 35), rng.uniform(0.5, 9)) for _ in range(rng.randint(1, 3))]
        for _ in range(2)
    )
    ranks, draws = rng.choice([(1, 2), (2, 1), (1, 1)]), rng.uniform(0.01, 0.7)
    rated = Rater(draws).rate(teams, ranks)
    right = by_hand(teams, ranks, draws)  # type: ignore[arg-type]
    for found, wanted in zip(chain(*rated), chain(*right), strict=True):
        assert (found.mu, found.sigma) == pytest.approx((wanted.mu, wanted.sigma), abs=1e-6)


skills = st.builds(Skill, mu=st.floats(-10, 60), sigma=st.floats(0.3, SIGMA))
two_to_six = st.lists(st.tuples(skills, st.integers(1, 6)), min_size=2, max_size=6)


@given(two_to_six, st.sampled_from([0.005, 0.05, 0.5, 0.9]))
def test_every_result_can_be_rated_and_makes_skills_better_known(
    results: list[tuple[Skill, int]], draws: float
) -> None:
    teams, ranks = [[skill] for skill, _ in results], [rank for _, rank in results]
    rated = Rater(draws).rate(teams, ranks)
    for [before], [after] in zip(teams, rated, strict=True):
        assert 0 < after.sigma <= before.sigma * (1 + 1e-12)
    assert Rater(draws).rate(teams, ranks) == rated  # to the last bit


@given(skills, skills)
def test_who_wins_does_not_fall_and_who_loses_does_not_rise(one: Skill, other: Skill) -> None:
    [[winner], [loser]] = Rater(0.1).rate([[one], [other]], [1, 2])
    assert winner.mu >= one.mu - 1e-9
    assert loser.mu <= other.mu + 1e-9


def test_a_beginner_shows_nought() -> None:
    assert Skill().rating == 0


@pytest.mark.parametrize("draws", [0, 1, -0.1, 0.95, float("nan")])
def test_draws_that_cannot_be_are_refused(draws: float) -> None:
    with pytest.raises(ValueError, match=r"must be from 0\.005 to 0\.9"):
        Rater(draws)
