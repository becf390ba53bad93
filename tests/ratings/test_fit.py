"""Ratings from all results at once: against the `Rater`, numerical integration, and the package
TrueSkill Through Time."""

from collections import Counter
from collections.abc import Sequence
from math import erfc, prod, sqrt
from random import Random
from statistics import NormalDist

import numpy as np
import pytest
import trueskillthroughtime as through_time

from arena.ratings.fit import fit
from arena.ratings.job_result import JobResult
from arena.ratings.rater import BETA, MU, SIGMA, Rater, Skill

DRAWS = 0.2
Result = JobResult[str]


@pytest.fixture
def rng(seed: int) -> Random:
    return Random(seed)


def result(teams: str, ranks: Sequence[int]) -> Result:
    """Returns a result: `result("ab c", (1, 2))` for a and b against c."""
    return JobResult(tuple(map(tuple, teams.split())), tuple(ranks))


def figures(skills: dict[str, Skill]) -> dict[str, tuple[float, float]]:
    return {version: (skill.mu, skill.sigma) for version, skill in skills.items()}


@pytest.mark.parametrize("draws", [0.005, 0.2, 0.9])
@pytest.mark.parametrize(
    ("teams", "ranks", "digits"),
    [
        ("a b", (1, 2), 1e-9),
        ("a b", (2, 1), 1e-9),
        ("a b", (1, 1), 1e-9),
        ("ab cd", (2, 1), 1e-9),
        ("ab c", (1, 2), 1e-9),
        ("abc de", (1, 1), 1e-9),
        # The package stops its loop over more than two teams at changes of 1e-4.
        ("a b c", (3, 1, 2), 1e-3),
        ("a b c d", (1, 1, 3, 3), 1e-3),
        ("ab cd ef", (1, 3, 2), 1e-3),
        ("a b c d e f g h", range(1, 9), 1e-3),
    ],
)
def test_a_single_result_gives_what_the_rater_gives(
    teams: str, ranks: Sequence[int], digits: float, draws: float
) -> None:
    single = result(teams, ranks)
    rated = Rater(draws).rate([[Skill()] * len(team) for team in single.teams], ranks, even=True)
    found = fit({single: 1}, draws)
    for team, skills in zip(single.teams, rated, strict=True):
        for version, skill in zip(team, skills, strict=True):
            right = (skill.mu, skill.sigma)
            assert figures(found)[version] == pytest.approx(right, abs=digits)


def played(rng: Random, versions: str, count: int, players: Sequence[int]) -> list[Result]:
    """Returns results among versions of random skills; `players`: how many may meet."""
    skills = {version: rng.gauss(MU, 6) for version in versions}
    results = []
    for _ in range(count):
        teams = rng.sample(versions, rng.choice(players))
        shown = [round(rng.gauss(skills[version], BETA) / 3) for version in teams]
        ranks = [1 + sum(other > own for other in shown) for own in shown]
        results.append(result(" ".join(teams), ranks))
    return results


def test_the_order_of_results_teams_and_partners_changes_no_bit(rng: Random) -> None:
    results = played(rng, "abcdefg", 60, (2, 2, 3, 4))
    results += [result("ab cd", (1, 2)), result("ab cde", (2, 1)), result("a b", (1, 1))] * 3
    found = figures(fit(Counter(results), DRAWS))
    for _ in range(5):
        rng.shuffle(results)
        same = [told_otherwise(one, rng) for one in results]
        assert figures(fit(Counter(same), DRAWS)) == found


def told_otherwise(told: Result, rng: Random) -> Result:
    """Returns the same result with partners, and two teams, in another order."""
    pairs = [
        (tuple(rng.sample(team, len(team))), rank)
        for team, rank in zip(told.teams, told.ranks, strict=True)
    ]
    if len(pairs) == 2:
        rng.shuffle(pairs)
    teams, ranks = zip(*pairs, strict=True)
    return JobResult(teams, ranks)


def test_the_same_result_many_times_says_more_each_time() -> None:
    once, often = (fit({result("a b", (1, 2)): count}, DRAWS) for count in (1, 50))
    assert once["a"].mu < often["a"].mu
    assert often["a"].sigma < once["a"].sigma
    both_ways = {result("a b", (1, 2)): 20, result("b a", (2, 1)): 30}
    assert figures(fit(both_ways, DRAWS)) == figures(often)


def integrated(results: Sequence[Result]) -> dict[str, tuple[float, float]]:
    """Returns means and standard deviations of three versions who met in pairs, by summing the
    model's probability over a grid of skills."""
    grid = np.linspace(MU - 6 * SIGMA, MU + 6 * SIGMA, 121)
    spread = BETA * sqrt(2)
    margin = NormalDist().inv_cdf((DRAWS + 1) / 2)
    ahead = (grid[:, None] - grid[None, :]) / spread
    below = np.vectorize(lambda x: erfc(-x / sqrt(2)) / 2)
    won = np.log(np.maximum(below(ahead - margin), 1e-300))
    tied = np.log(np.maximum(below(margin - ahead) - below(-margin - ahead), 1e-300))
    prior = -(((grid - MU) / SIGMA) ** 2) / 2
    total = prior[:, None, None] + prior[None, :, None] + prior[None, None, :]
    for one in results:
        (first,), (second,) = one.teams if one.ranks[0] <= one.ranks[1] else one.teams[::-1]
        pair = tied if one.ranks[0] == one.ranks[1] else won
        if first > second:
            pair = pair.T
        missing = "abc".index(({*"abc"} - {first, second}).pop())
        total = total + np.expand_dims(pair, missing)
    mass = np.exp(total - total.max())
    mass /= mass.sum()
    found = {}
    for axis, version in enumerate("abc"):
        own = mass.sum(axis=tuple({0, 1, 2} - {axis}))
        mean = float(own @ grid)
        found[version] = mean, sqrt(float(own @ (grid - mean) ** 2))
    return found


@pytest.mark.parametrize("count", [2, 6, 20, 60])
def test_it_is_close_to_the_exact_skills(rng: Random, count: int) -> None:
    results = [result("a b", (1, 2)), result("c a", (1, 1))]
    results += played(rng, "abc", count, (2,))
    found, right = figures(fit(Counter(results), DRAWS)), integrated(results)
    for version in "abc":
        assert found[version][0] == pytest.approx(right[version][0], abs=0.3)
        assert found[version][1] == pytest.approx(right[version][1], rel=0.08)


def player(skill: Skill) -> through_time.Player:
    """Returns a player of that skill, which never changes."""
    return through_time.Player(through_time.Gaussian(skill.mu, skill.sigma), BETA, 0.0)


def weights(teams: Sequence[Sequence[object]]) -> list[list[float]]:
    """Returns a weight for each player: those of a smaller team count for more."""
    return [[max(map(len, teams)) / len(team)] * len(team) for team in teams]


def through_all_time(results: Sequence[Result]) -> dict[str, tuple[float, float]]:
    """Returns what the package TrueSkill Through Time (1.1.0) finds if skills never change.

    There more points are better. The teams must be in the order of their ranks: the package
    confuses more than two if they are not.
    """
    versions = {version for one in results for team in one.teams for version in team}
    history = through_time.History(
        [[list(team) for team in one.teams] for one in results],
        [[-rank for rank in one.ranks] for one in results],
        times=[1] * len(results),
        priors=dict.fromkeys(versions, player(Skill())),
        p_draw=DRAWS,
        weights=[weights(one.teams) for one in results],
    )
    history.convergence(epsilon=1e-9, iterations=100, verbose=False)
    return {
        version: (curve[-1][1].mu, curve[-1][1].sigma)
        for version, curve in history.learning_curves().items()
    }


def test_without_circles_it_agrees_with_trueskill_through_time(rng: Random) -> None:
    """That package looks at one skill at a time, which loses nothing as long as no two versions
    are connected in two ways."""
    names = iter("bcdefghijklmnopqrstuvwxyz")
    known, results = ["a"], []
    for sizes in [(1, 1), (1, 1), (2, 2), (1, 1, 1), (1, 1), (2, 1), (1, 1, 1, 1), (1, 1)]:
        players = [rng.choice(known), *(next(names) for _ in range(sum(sizes) - 1))]
        known = [*dict.fromkeys([*known, *players])]
        rng.shuffle(players)
        teams = [[players.pop() for _ in range(size)] for size in sizes]
        ranks = sorted(rng.choices((1, 2, 3), k=len(sizes)))
        results.append(result(" ".join(map("".join, teams)), ranks))
    found, right = figures(fit(Counter(results), DRAWS)), through_all_time(results)
    assert found.keys() == right.keys()
    for version in found:
        assert found[version] == pytest.approx(right[version], abs=2e-3), version


def test_with_circles_it_knows_better_what_it_does_not_know(rng: Random) -> None:
    results = played(rng, "abc", 30, (2,))
    found, other = figures(fit(Counter(results), DRAWS)), through_all_time(results)
    right = integrated(results)
    for version in other:
        assert abs(found[version][0] - other[version][0]) < right[version][1] / 5
        assert other[version][1] < found[version][1]
        assert abs(found[version][1] - right[version][1]) < right[version][1] - other[version][1]


@pytest.mark.parametrize("case", range(10))
def test_the_rater_agrees_with_a_single_game_of_trueskill_through_time(
    seed: int, case: int
) -> None:
    rng = Random(f"{seed}/{case}")
    teams = [
        [Skill(rng.uniform(15, 35), rng.uniform(1, 9)) for _ in range(rng.randint(1, 3))]
        for _ in range(rng.choice((2, 2, 3, 4)))
    ]
    ranks = sorted(rng.randint(1, 3) for _ in teams)
    players = [[player(skill) for skill in team] for team in teams]
    game = through_time.Game(players, [-rank for rank in ranks], DRAWS, weights(teams))
    rated = Rater(DRAWS).rate(teams, ranks, even=True)
    for skills, others in zip(rated, game.posteriors(), strict=True):
        for skill, other in zip(skills, others, strict=True):
            right = (other.mu, other.sigma)
            assert (skill.mu, skill.sigma) == pytest.approx(right, abs=1e-3)


def test_whoever_never_loses_is_rated_all_the_same() -> None:
    found = fit({result("a b", (1, 2)): 100_000, result("b c", (1, 2)): 100_000}, 0.005)
    assert found["a"].mu > found["b"].mu > found["c"].mu
    assert prod(skill.sigma for skill in found.values()) > 1


def test_no_results_give_no_skills() -> None:
    assert fit({}, DRAWS) == {}
