"""Pairing: everybody meets in turn, and the most informative matches come first."""

from collections import Counter, defaultdict
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.league.ladder.history import History
from arena.league.ladder.pairing import Candidate, next_versions, worth
from arena.ratings.job_result import Seated, standing
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
        self.history = History(teams)
        self.rng = Random(seed)
        self.own_partners = own_partners
        self.true = {f"v{number}": gap * number for number in range(bots)}
        self.skills = dict.fromkeys(self.true, Skill())
        self.owners: dict[str, str | None] = {version: version for version in self.true}
        self.jobs: list[tuple[str, ...]] = []

    def play(self, jobs: int) -> None:
        for _ in range(jobs):
            versions = self.next()
            self.history.add(versions)
            self.jobs.append(versions)
            self.rate(versions)

    def next(self) -> tuple[str, ...]:
        candidates = [
            Candidate(version, self.owners[version], skill)
            for version, skill in self.skills.items()
        ]
        versions = next_versions(
            candidates, self.history, own_partners=self.own_partners, rng=self.rng
        )
        assert versions is not None
        return versions

    def rate(self, versions: tuple[str, ...]) -> None:
        teams = self.history.teams
        strength: dict[int, float] = defaultdict(float)
        for version, team in zip(versions, teams, strict=True):
            strength[team] += self.rng.gauss(self.true[version], BETA)
        ranks = {team: sum(s >= own for s in strength.values()) for team, own in strength.items()}
        match = [Seated(v, team, ranks[team]) for v, team in zip(versions, teams, strict=True)]
        result = standing([match])
        before = [[self.skills[version] for version in team] for team in result.teams]
        for members, after in zip(
            result.teams, Rater(0.05).rate(before, result.ranks), strict=True
        ):
            self.skills.update(zip(members, after, strict=True))

    def played(self) -> list[int]:
        return [self.history.played[version] for version in self.skills]

    def meetings(self) -> list[int]:
        return [self.history.meetings(*pair) for pair in combinations(self.skills, 2)]


@st.composite
def seasons(draw: st.DrawFn, gaps: tuple[float, float] = (0, 5)) -> Season:
    teams = draw(st.sampled_from(EACH_FOR_ITSELF + PARTNERSHIPS))
    own_partners = draw(st.booleans())
    fewest = len(set(teams)) if own_partners else len(teams)
    bots = draw(st.integers(fewest, fewest + 12))
    seed = draw(st.integers(0, 2**32))
    gap = draw(st.floats(*gaps))
    return Season(teams, bots, gap=gap, own_partners=own_partners, seed=seed)


@settings(deadline=None, max_examples=30)
@given(seasons())
def test_everybody_plays_about_as_often(season: Season) -> None:
    season.play(10 * len(season.true))
    # Where nearly all play each time, the choice of who sits out depends on what can be learned.
    assert max(season.played()) - min(season.played()) <= 0.15 * len(season.jobs) + 2


@settings(deadline=None, max_examples=30)
@given(seasons())
def test_seats_are_even(season: Season) -> None:
    season.play(8 * len(season.true))
    for version in season.true:
        counts = [season.history.sat[version, seat] for seat in range(len(season.history.teams))]
        assert max(counts) - min(counts) <= 4


@settings(deadline=None, max_examples=30)
@given(seasons())
def test_no_version_sits_twice_but_as_its_own_partner(season: Season) -> None:
    season.play(5)
    for versions in season.jobs:
        teams = {
            team: [v for v, own in zip(versions, season.history.teams, strict=True) if own == team]
            for team in season.history.teams
        }
        if season.own_partners:
            assert all(len(set(team)) == 1 for team in teams.values())
            assert len(set(versions)) == len(teams)
        else:
            assert len(set(versions)) == len(versions)


@settings(deadline=None, max_examples=20)
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
        season.history.add(season.next())
    assert max(season.meetings()) - min(season.meetings()) <= 3


@pytest.mark.parametrize("seed", range(3))
def test_neighbours_meet_more_often_but_nobody_is_left_out(seed: int) -> None:
    season = Season((0, 1), 10, gap=3, seed=seed)
    season.play(400)
    near, far = (
        sum(season.history.meetings(f"v{i}", f"v{i + step}") for i in range(10 - step))
        / (10 - step)
        for step in (1, 7)
    )
    assert near > 2 * far
    assert min(season.meetings()) > 0
    assert max(season.played()) - min(season.played()) <= 3


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
        season.true[name] = 4.0
        season.skills[name], season.owners[name] = Skill(), name
    season.play(40)
    assert all("new" in job or "newer" in job for job in season.jobs[-40:])
    assert all(season.history.meetings("new", f"v{number}") for number in range(8))
    assert season.history.meetings("new", "newer") <= 8


@pytest.mark.parametrize("own_partners", [False, True])
@pytest.mark.parametrize("teams", EACH_FOR_ITSELF[:3] + PARTNERSHIPS)
def test_no_match_has_two_bots_of_one_owner(teams: tuple[int, ...], own_partners: bool) -> None:
    season = Season(teams, 15, gap=1, own_partners=own_partners, seed=3)
    season.owners = {version: "ABCDE"[index % 5] for index, version in enumerate(season.true)}
    season.play(60)
    for job in season.jobs:
        players = set(job)
        assert len({season.owners[version] for version in players}) == len(players)
    assert min(season.played()) > 0


def test_bots_of_the_organisers_own_meet_each_other_and_everybody() -> None:
    season = Season((0, 1, 0, 1), 6, gap=1, seed=3)
    season.owners = dict.fromkeys(season.true, None) | {"v0": "Ann", "v1": "Ann"}
    season.play(80)
    assert season.history.meetings("v0", "v1") == 0
    assert all(
        season.history.meetings(*pair) for pair in combinations(season.true, 2) if "v5" in pair
    )


@pytest.mark.parametrize(
    ("owners", "most"), [("A", 1), ("AAAA", 1), ("AAB", 2), ("A--", 3), ("AA-", 2), ("ABCD", 4)]
)
def test_too_few_owners_cannot_meet(owners: str, most: int) -> None:
    candidates = [
        Candidate(str(index), None if owner == "-" else owner, Skill())
        for index, owner in enumerate(owners)
    ]
    for seats in range(2, 5):
        chosen = next_versions(
            candidates, History(tuple(range(seats))), own_partners=False, rng=Random(1)
        )
        assert (chosen is not None) == (seats <= most)


def test_too_few_cannot_meet() -> None:
    candidates = [Candidate("a", "Ann", Skill()), Candidate("b", "Bob", Skill())]
    pairs = History((0, 1, 0, 1))
    assert next_versions(candidates, pairs, own_partners=False, rng=Random(1)) is None
    seats = next_versions(candidates, pairs, own_partners=True, rng=Random(1))
    assert seats in [("a", "b", "a", "b"), ("b", "a", "b", "a")]


def test_there_is_more_to_learn_from_the_unknown_the_near_and_the_strange() -> None:
    known, unknown = Skill(25, 1), Skill(25, 8)
    assert worth(known, unknown, 0) > worth(known, known, 0)
    assert worth(known, Skill(26, 1), 0) > worth(known, Skill(35, 1), 0) > 0
    assert worth(known, known, 0) > worth(known, known, 1)
