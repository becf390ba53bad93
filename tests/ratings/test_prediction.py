"""Predicted results: against TrueSkill Through Time, and against performances drawn at random."""

from collections import Counter
from random import Random
from statistics import NormalDist

import pytest
import trueskillthroughtime as through_time

from arena.ratings.prediction import odds, points, surprise
from arena.ratings.rater import BETA, Skill


@pytest.fixture
def rng(seed: int) -> Random:
    return Random(seed)


@pytest.mark.parametrize("draws", [0.005, 0.3, 0.9])
def test_equals_of_known_skill_tie_as_often_as_the_draw_probability_says(draws: float) -> None:
    for size in (1, 2):
        even = odds([[Skill(25, 0)] * size] * 2, 0, 1, draws)
        assert even.tie == pytest.approx(draws)
        assert even.points == pytest.approx(0.5)
        assert even.win == pytest.approx(even.loss)


@pytest.mark.parametrize("case", range(8))
def test_the_probabilities_are_those_of_trueskill_through_time(seed: int, case: int) -> None:
    rng = Random(f"{seed}/{case}")
    draws = rng.uniform(0.01, 0.8)
    teams = [
        [Skill(rng.uniform(15, 35), rng.uniform(1, 9)) for _ in range(rng.randint(1, 3))]
        for _ in range(2)
    ]
    weights = [[max(map(len, teams)) / len(team)] * len(team) for team in teams]
    players = [
        [through_time.Player(through_time.Gaussian(s.mu, s.sigma), BETA, 0.0) for s in team]
        for team in teams
    ]
    found = odds(teams, 0, 1, draws)
    for probability, result in ((found.win, [1, 0]), (found.tie, [0, 0]), (found.loss, [0, 1])):
        game = through_time.Game(players, result, draws, weights)
        assert probability == pytest.approx(game.evidence, abs=1e-6)
    other = odds(teams, 1, 0, draws)
    assert (other.loss, other.tie, other.win) == pytest.approx((found.win, found.tie, found.loss))
    assert found.of_the_other.points == pytest.approx(other.points)


def test_among_three_teams_each_pair_is_as_likely_as_its_performances_are(rng: Random) -> None:
    draws, tries = 0.2, 20_000
    teams = [[Skill(27, 2)], [Skill(24, 3), Skill(26, 1)], [Skill(22, 4)]]
    margin = NormalDist().inv_cdf((1 + draws) / 2) * BETA * 3**0.5
    seen: Counter[int] = Counter()
    for _ in range(tries):
        shown = [
            2 / len(team) * sum(rng.gauss(rng.gauss(one.mu, one.sigma), BETA) for one in team)
            for team in teams
        ]
        ahead = shown[0] - shown[1]
        seen[(ahead > margin) - (ahead < -margin)] += 1
    found = odds(teams, 0, 1, draws)
    for result, probability in ((1, found.win), (0, found.tie), (-1, found.loss)):
        spread = (probability * (1 - probability) / tries) ** 0.5
        assert seen[result] / tries == pytest.approx(probability, abs=5 * spread)


def test_points_are_one_for_a_win_and_half_for_a_tie() -> None:
    assert [points(1, 2), points(2, 2), points(3, 1)] == [1, 0.5, 0]


def test_a_win_is_more_surprising_the_less_probable_it_was() -> None:
    sizes = [surprise([[Skill(mu, 1)], [Skill(28, 1)]], [1, 2], 0.05) for mu in (30, 28, 24, 20)]
    assert sizes == sorted(sizes)
    assert sizes[-1] == 1 - odds([[Skill(20, 1)], [Skill(28, 1)]], 0, 1, 0.05).win


def test_at_a_table_of_three_the_winner_is_compared_with_the_one_it_was_least_to_beat() -> None:
    teams = [[Skill(20, 1)], [Skill(28, 1)], [Skill(22, 1)]]
    assert surprise(teams, [1, 2, 3], 0.05) == 1 - odds(teams, 0, 1, 0.05).win


def test_a_tie_for_the_first_place_is_no_surprise() -> None:
    assert surprise([[Skill(20, 1)], [Skill(28, 1)]], [1, 1], 0.05) == 0
