"""A rating explained by its jobs, and predictions beside results."""

from math import log
from random import Random

import pytest

from arena.ratings.calibration import Calibration, calibrate
from arena.ratings.explanation import explain
from arena.ratings.job_result import JobResult, RatedJob
from arena.ratings.prediction import Odds, odds
from arena.ratings.rater import BETA, Rater, Skill

DRAWS = 0.2


def rated(sequence: int, teams: str, ranks: tuple[int, ...], skills: dict[str, Skill]) -> RatedJob:
    """Rates a job, given as `"ab c"`, and updates the skills."""
    result = JobResult(tuple(map(tuple, teams.split())), ranks)
    before = {one: skills.get(one, Skill()) for team in result.teams for one in team}
    groups = [[before[one] for one in team] for team in result.teams]
    after = {
        version: skill
        for team, found in zip(
            result.teams, Rater(DRAWS).rate(groups, ranks, even=True), strict=True
        )
        for version, skill in zip(team, found, strict=True)
    }
    skills.update(after)
    return RatedJob(sequence, f"job {sequence}", 2, result, before, after)


def test_a_rating_is_explained_by_opponent_and_by_job() -> None:
    skills: dict[str, Skill] = {}
    jobs = [
        rated(1, "a b", (1, 2), skills),
        rated(2, "B a", (1, 1), skills),
        rated(3, "ac bd", (2, 1), skills),
        rated(4, "b a c", (1, 2, 2), skills),
    ]
    bots = {"a": "ann", "b": "bob", "B": "bob", "c": "cat", "d": "dan"}
    found = explain("a", jobs, bots, DRAWS)
    assert [one.actual for one in found.jobs] == [1, 0.5, 0, 0.25]
    assert [one.partners for one in found.jobs] == [(), (), ("c",), ()]
    assert [[one.version for one in job.meetings] for job in found.jobs] == [
        ["b"],
        ["B"],
        ["b", "d"],
        ["b", "c"],
    ]
    assert found.jobs[0].expected == pytest.approx(0.5)
    assert found.jobs[0].before == Skill()
    assert found.jobs[3].expected == pytest.approx(
        sum(one.odds.points for one in found.jobs[3].meetings) / 2
    )
    assert found.skill == skills["a"]
    record = found.against["bob"]
    assert (record.jobs, record.matches, record.actual) == (4, 8, 1.5)
    by_hand = sum(
        odds(
            [[job.before[one] for one in team] for team in job.result.teams], own, other, DRAWS
        ).points
        for job, own, other in zip(jobs, (0, 1, 0, 1), (1, 0, 1, 0), strict=True)
    )
    assert record.expected == pytest.approx(by_hand)
    assert found.against["cat"].actual == 0.5
    assert {bot: one.jobs for bot, one in found.against.items()} == {"bob": 4, "dan": 1, "cat": 1}
    assert [one.job.sequence for one in found.latest] == [4, 3, 2, 1]
    moves = [abs(one.after.mu - one.before.mu) for one in found.most_moving]
    assert moves == sorted(moves, reverse=True)


def test_a_version_that_has_not_played_has_a_beginners_skill() -> None:
    found = explain("a", [], {"a": "ann"}, DRAWS)
    assert (found.skill, found.latest, found.against) == (Skill(), [], {})


def test_predictions_are_counted_from_the_favourites_side() -> None:
    found = Calibration()
    found.add(Odds(0.7, 0.1, 0.2), 1.0)
    found.add(Odds(0.2, 0.1, 0.7), 0.0)
    found.add(Odds(0.2, 0.1, 0.7), 0.5)
    [own] = [one for one in found.classes if one.pairs]
    assert (own.low, own.pairs) == (pytest.approx(0.75), 3)
    assert own.predicted == pytest.approx(3 * 0.75)
    assert own.observed == 2.5
    right, tied = 0.3**2 + 0.1**2 + 0.2**2, 0.7**2 + 0.9**2 + 0.2**2
    assert found.score.brier == pytest.approx((2 * right + tied) / 3)
    assert found.score.log_loss == pytest.approx(-(2 * log(0.7) + log(0.1)) / 3)
    # A third of the pairs tied; whoever knows only that says 1/3 to everything.
    assert found.baseline.brier == pytest.approx(2 / 3)
    assert found.baseline.log_loss == pytest.approx(log(3))


def test_sure_predictions_have_a_class_too() -> None:
    found = Calibration()
    for sure in (Odds(1, 0, 0), Odds(0, 0, 1)):
        found.add(sure, 1.0)
    assert [one.pairs for one in found.classes] == [0] * 9 + [2]
    assert found.score.log_loss < 30


def test_an_interval_is_wilsons() -> None:
    """Compared with the example of Newcombe (Statistics in Medicine 17, 1998): 81 of 263."""
    found = Calibration()
    for won in range(263):
        found.add(Odds(0.6, 0, 0.4), float(won < 81))
    [own] = [one for one in found.classes if one.pairs]
    assert own.interval == (pytest.approx(0.2553, abs=1e-4), pytest.approx(0.3662, abs=1e-4))


def test_skills_that_are_right_are_calibrated_and_beat_the_baseline(seed: int) -> None:
    """Jobs between versions of known skill, with results drawn by the model."""
    rng = Random(seed)
    skills = {version: Skill(rng.gauss(25, 5), 0.0) for version in "abcdefgh"}
    margin = BETA * 2**0.5 * 0.2533471  # of a draw probability of 0.2

    def job(sequence: int) -> RatedJob:
        pair = rng.sample(sorted(skills), 2)
        one, other = (rng.gauss(skills[version].mu, BETA) for version in pair)
        ranks = (1, 1) if abs(one - other) <= margin else (1, 2) if one > other else (2, 1)
        same = {version: skills[version] for version in pair}
        return RatedJob(sequence, "", 1, JobResult(tuple((v,) for v in pair), ranks), same, same)

    found = calibrate((job(number) for number in range(4000)), DRAWS)
    assert (found.jobs, found.pairs) == (4000, 4000)
    for one in found.classes:
        if one.pairs >= 50:
            spread = 0.5 / one.pairs**0.5
            assert one.observed / one.pairs == pytest.approx(
                one.predicted / one.pairs, abs=5 * spread
            )
    assert found.score.brier < found.baseline.brier
    assert found.score.log_loss < found.baseline.log_loss
