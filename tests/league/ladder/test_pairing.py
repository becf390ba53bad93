"""Pairing: everybody meets in turn, and the most informative matches come first."""

from collections import Counter, defaultdict
from itertools import combinations
from math import pi, sqrt
from random import Random
from statistics import fmean

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.league.ladder.field import Field
from arena.league.ladder.pairing import next_versions, true_variance
from arena.ratings.job_result import RatedSeat, job_result
from arena.ratings.rater import BETA, Rater, Skill

EACH_FOR_ITSELF = [(0, 1), (0, 1, 2), (0, 1, 2, 3), tuple(range(8))]
PARTNERSHIPS = [(0, 1, 0, 1), (0, 1, 0, 1, 0)]


class Season:
    """A ladder of bots whose true skills are `gap` apart, played and rated."""

    def __init__(
        self,
        teams: tuple[int, ...],
        bots: int,
        *,
        gap: float,
        own_partners: bool = False,
        seed: int,
    ) -> None:
        self.field = Field(teams, own_partners=own_partners)
        self.rng = Random(seed)
        self.own_partners = own_partners
        self.true: dict[str, float] = {}
        self.skills: dict[str, Skill] = {}
        for number in range(bots):
            self.enter(f"v{number}", gap * number)
        self.jobs: list[tuple[str, ...]] = []

    def enter(self, version: str, skill: float) -> None:
        self.true[version] = skill
        self.skills[version] = Skill()
        self.field.enter(version, owner=version)

    def belong(self, owners: dict[str, str | None]) -> None:
        """Gives every version to its owner."""
        for version, owner in owners.items():
            self.field.enter(version, owner)

    def play(self, jobs: int) -> None:
        for _ in range(jobs):
            versions = self.next()
            self.field.count(versions)
            self.jobs.append(versions)
            self.rate(versions)

    def next(self) -> tuple[str, ...]:
        versions = next_versions(self.field, rng=self.rng)
        assert versions is not None
        return versions

    def rate(self, versions: tuple[str, ...]) -> None:
        teams = self.field.teams
        strength: dict[int, float] = defaultdict(float)
        for version, team in zip(versions, teams, strict=True):
            strength[team] += self.rng.gauss(self.true[version], BETA)
        ranks = {team: sum(s >= own for s in strength.values()) for team, own in strength.items()}
        match = [RatedSeat(v, team, ranks[team]) for v, team in zip(versions, teams, strict=True)]
        result = job_result([match])
        before = [[self.skills[version] for version in team] for team in result.teams]
        for members, after in zip(
            result.teams, Rater(0.05).rate(before, result.ranks), strict=True
        ):
            for version, skill in zip(members, after, strict=True):
                self.skills[version] = skill
                self.field.rate(version, skill)

    def played(self) -> list[int]:
        return [self.field.played_by(version) for version in self.skills]

    def meetings(self) -> list[int]:
        return [self.field.meetings(*pair) for pair in combinations(self.skills, 2)]


@st.composite
def seasons(draw: st.DrawFn, gaps: tuple[float, float] = (0, 5)) -> Season:
    teams = draw(st.sampled_from(EACH_FOR_ITSELF + PARTNERSHIPS))
    own_partners = draw(st.booleans())
    fewest = len(set(teams)) if own_partners else len(teams)
    bots = draw(st.integers(fewest, fewest + 12))
    seed = draw(st.integers(0, 2**32))
    gap = draw(st.floats(*gaps))
    return Season(teams, bots, gap=gap, own_partners=own_partners, seed=seed)


@settings(deadline=None, max_examples=15)
@given(seasons())
def test_everybody_plays_about_as_often(season: Season) -> None:
    season.play(10 * len(season.true))
    # Where most play each time, the choice of who sits out depends on what can be learned.
    most_play = 2 * len(season.field.places) > len(season.true)
    share = 0.5 if most_play else 0.1
    assert max(season.played()) - min(season.played()) <= share * len(season.jobs) + 2


@settings(deadline=None, max_examples=15)
@given(seasons())
def test_whoever_has_played_least_plays_next(season: Season) -> None:
    for _ in range(5 * len(season.true)):
        before = {version: season.field.played_by(version) for version in season.true}
        season.play(1)
        assert min(before.values()) in {before[version] for version in season.jobs[-1]}


@settings(deadline=None, max_examples=15)
@given(seasons())
def test_seats_are_even(season: Season) -> None:
    season.play(8 * len(season.true))
    for version in season.true:
        counts = season.field.seats_of(version)
        assert max(counts) - min(counts) <= 4


@settings(deadline=None, max_examples=15)
@given(seasons())
def test_no_version_sits_twice_but_as_its_own_partner(season: Season) -> None:
    season.play(5)
    for versions in season.jobs:
        teams = {
            team: [v for v, own in zip(versions, season.field.teams, strict=True) if own == team]
            for team in season.field.teams
        }
        if season.own_partners:
            assert all(len(set(team)) == 1 for team in teams.values())
            assert len(set(versions)) == len(teams)
        else:
            assert len(set(versions)) == len(versions)


@settings(deadline=None, max_examples=10)
@given(seasons())
def test_the_same_chance_gives_the_same_pairings(season: Season) -> None:
    state = season.rng.getstate()
    first = season.next()
    season.rng.setstate(state)
    assert season.next() == first


@pytest.mark.parametrize("teams", EACH_FOR_ITSELF[:3])
@pytest.mark.parametrize("bots", [5, 9])
def test_equals_meet_equally_often(teams: tuple[int, ...], bots: int) -> None:
    season = Season(teams, bots, gap=0, seed=7)
    # Skills that never change: lucky first matches would make some bots seem nearer to each other.
    for _ in range(40 * bots):
        season.field.count(season.next())
    assert max(season.meetings()) - min(season.meetings()) <= 3


@pytest.mark.parametrize("seed", range(3))
def test_neighbours_meet_more_often_but_nobody_is_left_out(seed: int) -> None:
    season = Season((0, 1), 10, gap=3, seed=seed)
    season.play(400)
    near, far = (
        sum(season.field.meetings(f"v{i}", f"v{i + step}") for i in range(10 - step)) / (10 - step)
        for step in (1, 7)
    )
    assert near > 2 * far
    assert min(season.meetings()) > 0
    assert max(season.played()) - min(season.played()) <= 3


def rated_field(spread: float, sigma: float, *, fitted: bool = True, bots: int = 200) -> Field:
    """A field whose ratings have this standard deviation, in beta, and are so sure, in beta."""
    field, rng = Field((0, 1), own_partners=False), Random(5)
    for number in range(bots):
        field.enter(f"v{number}", f"owner{number}")
        field.rate(
            f"v{number}", Skill(25 + rng.gauss(0, spread) * BETA, sigma * BETA), fitted=fitted
        )
    return field


def mean_distance(field: Field, jobs: int = 300) -> float:
    """Plays; returns how far apart those who meet are rated, in beta."""
    rng, distances = Random(6), []
    mu = dict(zip(field.names, field.mu, strict=False))
    for _ in range(jobs):
        one, other = next_versions(field, rng=rng) or ()
        field.count((one, other))
        distances.append(abs(mu[one] - mu[other]) / BETA)
    return fmean(distances)


def test_in_a_wide_field_the_near_meet_and_in_a_narrow_one_everybody() -> None:
    """Of random pairs the mean distance is 2 / sqrt(pi) times the spread."""
    assert mean_distance(rated_field(4.0, 0.3)) < 0.2 * 4 * 2 / sqrt(pi)
    assert mean_distance(rated_field(0.5, 0.3)) > 0.7 * 0.5 * 2 / sqrt(pi)


def test_neither_chance_nor_running_ratings_make_a_field_wide() -> None:
    """Ratings that differ by no more than they are in doubt say nothing of the spread, nor do
    those whose scale floats."""
    wide = mean_distance(rated_field(2.0, 0.3))
    assert mean_distance(rated_field(2.0, 2.0)) > 1.5 * wide
    assert mean_distance(rated_field(2.0, 0.3, fitted=False)) > 1.5 * wide


@pytest.mark.parametrize("spread", [0.5, 2.0, 4.0])
@pytest.mark.parametrize("error", [0.1, 0.3, 1.0])
def test_the_variance_of_skills_is_found_behind_estimates_drawn_to_the_prior(
    spread: float, error: float
) -> None:
    """Estimates with a normal error, and what a normal prior makes of them."""
    draws, prior = np.random.default_rng(7), (25 / 3) ** 2
    found = BETA * (draws.normal(0, spread, 20_000) + draws.normal(0, error, 20_000))
    noise = (error * BETA) ** 2
    mu, sigma = prior / (prior + noise) * found, sqrt(prior * noise / (prior + noise))
    variance = true_variance(mu, np.full(20_000, sigma)) / BETA**2
    assert variance < 1.05 * spread**2
    if error < spread:
        assert variance > 0.7 * spread**2 - error**2


def test_who_is_hardly_known_says_nothing_of_the_variance() -> None:
    assert true_variance(np.array([20.0, 30.0]), np.array([8.0, 8.0])) == 0


def test_partners_change() -> None:
    season = Season((0, 1, 0, 1), 4, gap=1, seed=1)
    season.play(60)
    partners = Counter(frozenset((seats[0], seats[2])) for seats in season.jobs)
    partners.update(frozenset((seats[1], seats[3])) for seats in season.jobs)
    assert set(partners.values()) == {20}


def test_a_newcomer_plays_at_once_and_against_all() -> None:
    season = Season((0, 1), 8, gap=1, seed=3)
    season.play(200)
    for name in ("new", "newer"):
        season.enter(name, 4.0)
    season.play(40)
    assert all("new" in job or "newer" in job for job in season.jobs[-40:])
    assert all(season.field.meetings("new", f"v{number}") for number in range(8))
    assert season.field.meetings("new", "newer") <= 8


@pytest.mark.parametrize("own_partners", [False, True])
@pytest.mark.parametrize("teams", EACH_FOR_ITSELF[:3] + PARTNERSHIPS)
def test_no_match_has_two_bots_of_one_owner(teams: tuple[int, ...], own_partners: bool) -> None:
    season = Season(teams, 15, gap=1, own_partners=own_partners, seed=3)
    owner_of: dict[str, str | None] = {
        version: "ABCDE"[index % 5] for index, version in enumerate(season.true)
    }
    season.belong(owner_of)
    season.play(60)
    for job in season.jobs:
        players = set(job)
        assert len({owner_of[version] for version in players}) == len(players)
    assert min(season.played()) > 0


def test_bots_of_the_organisers_own_meet_each_other_and_everybody() -> None:
    season = Season((0, 1, 0, 1), 6, gap=1, seed=3)
    season.belong(dict.fromkeys(season.true, None) | {"v0": "Ann", "v1": "Ann"})
    season.play(80)
    assert season.field.meetings("v0", "v1") == 0
    assert all(
        season.field.meetings(*pair) for pair in combinations(season.true, 2) if "v5" in pair
    )


def seats_by_owner(season: Season, owner_of: dict[str, str | None]) -> Counter[str | None]:
    return Counter(owner_of[version] for job in season.jobs for version in set(job))


@pytest.mark.parametrize("teams", [(0, 1), (0, 1, 2, 3), (0, 1, 0, 1)])
@pytest.mark.parametrize("gap", [0.0, 1.0])
def test_an_owner_of_twelve_versions_has_one_share(teams: tuple[int, ...], gap: float) -> None:
    season = Season(teams, 22, gap=gap, seed=5)
    owner_of: dict[str, str | None] = {
        version: "Ann" if index < 12 else version for index, version in enumerate(season.true)
    }
    season.belong(owner_of)
    season.play(600)
    played = seats_by_owner(season, owner_of)
    assert max(played.values()) - min(played.values()) <= 10  # of 110, or 220 at tables of four
    own = [season.field.played_by(version) for version, owner in owner_of.items() if owner == "Ann"]
    assert max(own) - min(own) <= 8


def test_new_versions_and_bots_of_the_organiser_win_no_more_than_a_share() -> None:
    """Each of Ann's versions takes the place of the one before; the organiser has ten bots."""
    season = Season((0, 1), 10, gap=1, seed=6)
    owner_of: dict[str, str | None] = dict.fromkeys(season.true, None)
    season.belong(owner_of)
    for number in range(30):
        owner_of[f"new{number}"] = "Ann"
        season.enter(f"new{number}", 5.0)
        season.belong({f"new{number}": "Ann"})
        if number:
            season.field.leave(f"new{number - 1}")
        season.play(20)
    played = seats_by_owner(season, owner_of)
    assert abs(played["Ann"] - 2 * 600 / 11) <= 10
    assert season.field.played_by("new29") > 0


@pytest.mark.parametrize(
    ("owners", "most"), [("A", 1), ("AAAA", 1), ("AAB", 2), ("A--", 3), ("AA-", 2), ("ABCD", 4)]
)
def test_too_few_owners_cannot_meet(owners: str, most: int) -> None:
    for seats in range(2, 5):
        field = Field(range(seats), own_partners=False)
        for index, owner in enumerate(owners):
            field.enter(str(index), None if owner == "-" else owner)
        chosen = next_versions(field, rng=Random(1))
        assert (chosen is not None) == (seats <= most)


def test_too_few_cannot_meet() -> None:
    pairs, couples = (Field((0, 1, 0, 1), own_partners=own) for own in (False, True))
    for field in (pairs, couples):
        field.enter("a", "Ann")
        field.enter("b", "Bob")
    assert next_versions(pairs, rng=Random(1)) is None
    seats = next_versions(couples, rng=Random(1))
    assert seats in [("a", "b", "a", "b"), ("b", "a", "b", "a")]


def test_who_is_busy_or_has_left_waits_and_returns_with_its_counts() -> None:
    season = Season((0, 1), 4, gap=1, seed=2)
    season.play(20)
    before = season.field.meetings("v0", "v1"), season.field.seats_of("v0")
    season.field.leave("v0")
    for _ in range(10):
        assert set(season.next()) <= {"v1", "v2", "v3"}
        assert next_versions(season.field, busy={"v1"}, rng=season.rng) in [
            ("v2", "v3"),
            ("v3", "v2"),
        ]
    assert next_versions(season.field, busy={"v1", "v2"}, rng=season.rng) is None
    season.field.enter("v0", "v0")
    assert before == (season.field.meetings("v0", "v1"), season.field.seats_of("v0"))


@settings(deadline=None, max_examples=10)
@given(seasons())
def test_counts_that_were_stored_give_the_same_pairings(season: Season) -> None:
    """Whether a field has counted job by job or has been given the sums makes no difference."""
    season.play(20)
    loaded = Field(season.field.teams, own_partners=season.own_partners)
    for version, skill in season.skills.items():
        loaded.enter(version, version)
        loaded.rate(version, skill)
        loaded.add_played(version, season.field.played_by(version))
        for seat, times in enumerate(season.field.seats_of(version)):
            loaded.add_seat(version, seat, times)
    for one, other in combinations(season.true, 2):
        loaded.add_meetings(one, other, season.field.meetings(one, other))
        loaded.add_partnerships(one, other, season.field.partnerships(one, other))
    for seed in range(5):
        assert next_versions(loaded, rng=Random(seed)) == next_versions(
            season.field, rng=Random(seed)
        )


def test_in_an_empty_field_nobody_meets() -> None:
    assert next_versions(Field((0, 1), own_partners=False), rng=Random(1)) is None
