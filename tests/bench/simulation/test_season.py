"""Simulated ladders: the arena's pairing beside others, on the model that its ratings assume."""

from math import sqrt
from random import Random
from statistics import fmean
from typing import Any

import pytest

from arena.ratings.rater import BETA
from bench.simulation.pairings import PAIRINGS
from bench.simulation.report import reported
from bench.simulation.season import Season, kendall_tau, place
from bench.simulation.terms import Terms, WrongTerms
from bench.simulation.world import World


@pytest.fixture
def rng(seed: int) -> Random:
    return Random(seed)


FORMATS = [
    Terms(bots=12, matches=20),
    Terms(bots=12, seats=4, teams=4, matches=20),
    Terms(bots=12, seats=4, teams=2, matches=20),
    Terms(bots=12, seats=4, teams=2, own_partners=True, matches=20),
]


def last_taus(terms: Terms, pairing: str, runs: int) -> list[float]:
    taus = []
    for run in range(runs):
        *_, last = Season(terms, pairing, f"taus/{run}").play()
        taus.append(last.tau_fit)
    return taus


@pytest.mark.slow
def test_where_skills_differ_little_ours_does_not_fall_behind_random_pairing() -> None:
    """A pairing that meets neighbours alone does, by more than 0.03."""
    terms = Terms(bots=40, spread=0.5, matches=60)
    ours, random = (fmean(last_taus(terms, pairing, 3)) for pairing in ("ours", "random"))
    assert ours > random - 0.03


@pytest.mark.slow
def test_where_skills_differ_much_ours_is_ahead_of_random_pairing() -> None:
    terms = Terms(bots=40, spread=4.0, matches=30)
    ours, random = (fmean(last_taus(terms, pairing, 3)) for pairing in ("ours", "random"))
    assert ours > random + 0.015


@pytest.mark.parametrize("terms", FORMATS)
def test_ours_lets_everybody_play_and_evens_out_seats(terms: Terms) -> None:
    season = Season(terms, "ours", "balance")
    looks = list(season.play())
    balance = season.balance()
    assert looks[-1].matches >= terms.matches
    assert balance.most - balance.least <= 4
    assert balance.seats <= 3
    assert (balance.partners is None) == (terms.team_size == 1)


@pytest.mark.parametrize("pairing", PAIRINGS)
def test_a_seed_gives_the_same_season(pairing: str) -> None:
    terms = Terms(bots=6, seats=4, teams=2, matches=8)
    once, again = (list(Season(terms, pairing, "same").play()) for _ in range(2))
    assert once == again
    assert once != list(Season(terms, pairing, "other").play())


def test_all_pairings_have_the_same_bots() -> None:
    terms = FORMATS[0]
    skills = [
        Season(terms, pairing, "truth")._world.skills for pairing in ("ours", "random", "nearest")
    ]
    assert skills[0] == skills[1] == skills[2]


def test_a_newcomer_that_is_far_ahead_finds_its_place() -> None:
    season = Season(Terms(bots=12, spread=4.0, matches=30), "ours", "newcomer")
    list(season.play())
    found = season.newcomer()
    assert found is not None
    assert 0 < found < 30


@pytest.mark.parametrize("draws", [0.005, 0.3])
@pytest.mark.parametrize(("seats", "teams"), [(2, 2), (4, 2), (4, 4)])
def test_equals_tie_as_often_as_the_terms_say(
    seats: int, teams: int, draws: float, rng: Random
) -> None:
    """Between neighbours of more than two teams ties are more frequent, since they are nearer."""
    terms = Terms(bots=8, seats=seats, teams=teams, draw_probability=draws)
    world = World(terms, rng)
    world.skills = dict.fromkeys(world.skills, 25.0)
    count = 4000
    results = [world.play(rng.sample(list(world.skills), seats), rng) for _ in range(count)]
    ties = sum(len(set(result.ranks)) < teams for result in results) / count
    if teams == 2:
        assert abs(ties - draws) < 5 * sqrt(draws / count)
    else:
        assert ties > draws


def test_the_better_wins_as_often_as_the_model_says(rng: Random) -> None:
    world = World(Terms(bots=3), rng)
    world.skills = {"good": 25 + sqrt(2) * BETA, "bad": 25.0}
    won = fmean(world.play(("good", "bad"), rng).ranks[0] == 1 for _ in range(4000))
    assert abs(won - 0.841) < 0.03


def test_tau_and_place() -> None:
    assert kendall_tau([1, 2, 3, 4], [1, 2, 3, 4]) == 1
    assert kendall_tau([4, 3, 2, 1], [1, 2, 3, 4]) == -1
    assert kendall_tau([1, 2, 4, 3], [1, 2, 3, 4]) == pytest.approx(4 / 6)
    assert [place(name, {"a": 1.0, "b": 3.0, "c": 2.0}) for name in "abc"] == [3, 1, 2]


def test_a_report_has_the_mean_of_its_runs() -> None:
    terms = Terms(bots=8, matches=8)
    report = reported(terms, "random", "mean", 3)
    taus = [list(Season(terms, "random", f"mean/{run}").play())[-1].tau for run in range(3)]
    assert report.looks[-1].tau.value == pytest.approx(fmean(taus))
    error = report.looks[-1].tau.error
    assert error is not None
    assert error > 0


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"seats": 4, "teams": 3}, "teams"),
        ({"bots": 4, "seats": 4, "teams": 4}, "bots"),
        ({"spread": 0.0}, "spread"),
        ({"draw_probability": 0.001}, "draw_probability"),
    ],
)
def test_terms_that_cannot_be(changes: dict[str, Any], field: str) -> None:
    with pytest.raises(WrongTerms) as wrong:
        Terms(**changes)
    assert wrong.value.field == field
