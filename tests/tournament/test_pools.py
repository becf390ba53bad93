"""Pools, and the elimination after them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations
from random import Random
from time import process_time
from typing import Any

import pytest

from arena.tournament import (
    Knockout,
    Meeting,
    TournamentCourse,
    TournamentError,
    TournamentTerms,
    bracket_order,
    knockout_of,
    pool_tables,
    standings,
    wrong_pairings,
)
from bench.byes import BEYOND_CHANCE, deviation
from tests.support.played_tournament import by_strength, field_of, play_out


def terms_of(**terms: Any) -> TournamentTerms:
    usual: dict[str, Any] = {"format": "single-elimination", "pool_size": 4, "groups": 1}
    return TournamentTerms(**usual | terms)


def played(count: int, rng: Random, **terms: Any) -> TournamentCourse:
    return play_out(terms_of(**terms), field_of(count), by_strength(rng))


def pool_of(course: TournamentCourse) -> dict[int, int]:
    return {one.number: at for at, pool in enumerate(course.pools) for one in pool.entrants}


def better_number(meeting: Meeting, group: int) -> tuple[float, ...]:
    return tuple(-float(one) for one in meeting.entrants)


@pytest.mark.parametrize("format", ["single-elimination", "double-elimination"])
@pytest.mark.parametrize(
    ("count", "size", "advance"),
    [(8, 4, 2), (12, 4, 2), (11, 4, 2), (16, 4, 3), (9, 3, 1), (5, 4, 2), (3, 3, 1), (20, 5, 4)],
)
def test_every_pool_meets_once_and_its_first_go_on(
    seed: int, format: str, count: int, size: int, advance: int
) -> None:
    course = played(count, Random(seed), format=format, pool_size=size, advance=advance)
    assert list(wrong_pairings(course, is_over=True)) == []
    sizes = [len(pool.entrants) for pool in course.pools]
    assert max(sizes) <= size
    assert max(sizes) - min(sizes) <= 1
    met = Counter(
        frozenset(meeting.entrants)
        for pairing in course.rounds[: course.pool_rounds]
        for meeting in pairing.meetings
    )
    pools = [[one.number for one in pool.entrants] for pool in course.pools]
    assert met == Counter(frozenset(pair) for pool in pools for pair in combinations(pool, 2))
    first = {one.number for table in pool_tables(course) for one in table.standings[:advance]}
    assert {*knockout_of(course).numbers} == first
    placed = standings(course)
    assert {one.number for one in placed[: len(first)]} == first
    assert sorted(one.number for one in placed) == list(range(1, count + 1))
    assert [one.place for one in placed].count(1) == 1


@pytest.mark.parametrize("count", [8, 16, 32, 64])
def test_winners_meet_the_second_of_other_pools_and_one_pool_meets_in_the_final(
    count: int, seed: int
) -> None:
    course = played(count, Random(seed))
    winners = {table.standings[0].number for table in pool_tables(course)}
    for meeting in course.rounds[course.pool_rounds].meetings:
        assert len(winners.intersection(meeting.entrants)) == 1
    assert earliest_meeting(knockout_of(course)) == len(course.rounds) - course.pool_rounds


@pytest.mark.parametrize(
    ("count", "size", "advance", "rounds"),
    [(12, 4, 2, 3), (20, 4, 2, 4), (16, 4, 3, 3), (12, 6, 4, 2)],
)
def test_two_of_a_pool_meet_as_late_as_can_be(
    seed: int, count: int, size: int, advance: int, rounds: int
) -> None:
    """Also if the winners do not fill a bracket: two of a pool are in different halves, four in
    different quarters."""
    course = played(count, Random(seed), pool_size=size, advance=advance)
    assert earliest_meeting(knockout_of(course)) >= rounds


def earliest_meeting(knockout: Knockout) -> int:
    """Returns the first round in which two of a pool could meet."""
    pool = pool_of(knockout.tournament)
    order = bracket_order(len(knockout.numbers))
    place = {knockout.numbers[seed - 1]: at for at, seed in enumerate(order) if seed}
    return min(
        (place[one] ^ place[other]).bit_length()
        for one, other in combinations(place, 2)
        if pool[one] == pool[other]
    )


def test_the_seeds_are_dealt_out_to_and_fro() -> None:
    course = play_out(terms_of(), field_of(8), better_number)
    assert [[one.number for one in pool.entrants] for pool in course.pools] == [
        [1, 4, 5, 8],
        [2, 3, 6, 7],
    ]
    assert [(one.place, one.number) for one in standings(course)] == [
        *((1, 1), (2, 2), (3, 3), (3, 4), (5, 5), (5, 6), (7, 7), (7, 8))
    ]


def test_the_next_of_a_pool_goes_on_in_the_place_of_one_that_has_left() -> None:
    def best_leaves(course: TournamentCourse) -> TournamentCourse:
        if len(course.rounds) < 3 or not course.scores.get((3, 1)):
            return course
        gone = replace(course.entrants[0], withdrawn_round=4)
        return replace(course, entrants=[gone, *course.entrants[1:]])

    course = play_out(terms_of(), field_of(8), better_number, best_leaves)
    assert {*knockout_of(course).numbers} == {2, 3, 4, 5}
    assert list(wrong_pairings(course, is_over=True)) == []
    assert [(one.place, one.number) for one in standings(course)][:2] == [(1, 2), (2, 3)]


def test_who_leaves_in_the_elimination_forfeits_and_keeps_its_place_in_the_bracket() -> None:
    def best_leaves(course: TournamentCourse) -> TournamentCourse:
        if len(course.rounds) < 4:
            return course
        gone = replace(course.entrants[0], withdrawn_round=4)
        return replace(course, entrants=[gone, *course.entrants[1:]])

    course = play_out(terms_of(), field_of(8), better_number, best_leaves)
    assert {*knockout_of(course).numbers} == {1, 2, 3, 4}
    assert list(wrong_pairings(course, is_over=True)) == []
    assert standings(course)[0].number == 2


def test_the_results_of_one_that_leaves_its_pool_early_are_annulled() -> None:
    def worst_leaves(course: TournamentCourse) -> TournamentCourse:
        if len(course.rounds) < 2:
            return course
        gone = replace(course.entrants[7], withdrawn_round=2)
        return replace(course, entrants=[*course.entrants[:7], gone])

    course = play_out(terms_of(), field_of(8), better_number, worst_leaves)
    assert course.annulled == {8}
    [table, _] = pool_tables(course)
    assert [(one.number, one.points) for one in table.standings] == [(1, 2), (4, 1), (5, 0), (8, 0)]
    points = {one: tally.half_points / 2 for one, tally in course.tallies(4).items()}
    assert [points[one] for one in (1, 4, 5, 8)] == [2, 1, 0, 0]


def test_a_play_off_for_the_third_place_follows_pools(seed: int) -> None:
    course = played(8, Random(seed), third_place=True)
    assert list(knockout_of(course).parts().values())[-2:] == ["final", "third place"]
    assert [one.place for one in standings(course)[:4]] == [1, 2, 3, 4]


@pytest.mark.slow
@pytest.mark.parametrize(("count", "advance"), [(8, 2), (12, 2), (9, 1)])
def test_equal_bots_have_equal_chances(count: int, advance: int) -> None:
    """Byes in the bracket go to the best winners of pools, not to the best seeds."""
    rng, terms = Random(f"{count} in pools"), terms_of(advance=advance, pool_size=4)
    if count == 9:
        terms = replace(terms, pool_size=3)
    score = by_strength_of_none(rng)
    firsts = Counter(
        standings(play_out(terms, field_of(count), score))[0].number for _ in range(300)
    )
    assert deviation(firsts, count) < BEYOND_CHANCE


def by_strength_of_none(rng: Random) -> Any:
    return lambda meeting, group: tuple(rng.gauss(0, 1) for _ in meeting.entrants)


@pytest.mark.slow
def test_standings_of_many_are_quick() -> None:
    """CPU time of this process, the best of five."""
    course = played(1024, Random(1))
    assert min(map(time_of_standings, [course] * 5)) < 0.5


def time_of_standings(course: TournamentCourse) -> float:
    fresh = replace(course)
    before = process_time()
    standings(fresh)
    return process_time() - before


@pytest.mark.parametrize(
    ("terms", "field"),
    [
        ({"format": "swiss"}, "pool_size"),
        ({"per_table": 4}, "pool_size"),
        ({"pool_size": 2}, "pool_size"),
        ({"advance": 4}, "advance"),
        ({"advance": 0}, "advance"),
    ],
)
def test_pools_that_cannot_be_are_refused(terms: dict[str, Any], field: str) -> None:
    with pytest.raises(TournamentError) as refused:
        terms_of(**terms)
    assert refused.value.field == field
