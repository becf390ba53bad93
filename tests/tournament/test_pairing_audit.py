"""A course that was changed is found out."""

from dataclasses import replace
from random import Random

import pytest

from arena.tournament import FORMATS, TournamentCourse, TournamentTerms, wrong_pairings
from tests.support.played_tournament import by_strength, field_of, play_out


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("sides", [2, 3])
def test_a_course_by_the_rules_has_no_mistake(format: str, sides: int, seed: int) -> None:
    rng = Random(f"{seed} {format} {sides}")

    def somebody_leaves(course: TournamentCourse) -> TournamentCourse:
        entrants = list(course.entrants)
        gone = rng.randrange(len(entrants))
        if rng.random() < 0.05 and entrants[gone].withdrawn_round is None:
            now = max(1, len(course.rounds)) + rng.randint(0, 1)
            entrants[gone] = replace(entrants[gone], withdrawn_round=now)
        return replace(course, entrants=entrants)

    terms = TournamentTerms(format=format, per_table=sides)
    course = play_out(terms, field_of(10), by_strength(rng), somebody_leaves)
    assert list(wrong_pairings(course, is_over=True)) == []


@pytest.fixture
def course() -> TournamentCourse:
    return play_out(TournamentTerms(format="swiss", rounds=3), field_of(7), by_strength(Random(4)))


def test_another_pairing_is_named_beside_the_right_one(course: TournamentCourse) -> None:
    first, second, third = course.rounds
    one, other, *rest = second.meetings
    swapped = (
        replace(one, entrants=(one.entrants[0], other.entrants[1])),
        replace(other, entrants=(other.entrants[0], one.entrants[1])),
    )
    changed = replace(course, rounds=[first, replace(second, meetings=(*swapped, *rest)), third])
    assert next(wrong_pairings(changed, is_over=True)).startswith("Round 2: the rules pair ")


def test_other_costs_and_missing_rounds_and_entrants_are_named(course: TournamentCourse) -> None:
    first, second, third = course.rounds
    cheaper = replace(second, costs=(replace(second.costs[0], value=0), *second.costs[1:]))
    assert list(wrong_pairings(replace(course, rounds=[first, cheaper, third]), is_over=True)) == [
        "Round 2: the stated cost is not the cost of this pairing."
    ]
    assert list(wrong_pairings(replace(course, rounds=[first, second]), is_over=True)) == [
        "Round 3 is missing."
    ]
    without = replace(first, byes=())
    [sentence, *_] = wrong_pairings(replace(course, rounds=[without, second, third]), is_over=True)
    assert "is neither at a table nor has a bye" in sentence


def test_a_round_too_many_is_named(course: TournamentCourse) -> None:
    short = replace(course, terms=TournamentTerms(format="swiss", rounds=2))
    assert list(wrong_pairings(short, is_over=True)) == [
        "Round 3 is paired although the tournament was over."
    ]


def test_a_changed_result_shows_in_the_next_pairing(course: TournamentCourse) -> None:
    scores = dict(course.scores)
    for table in (1, 2, 3):
        scores[1, table] = tuple(tuple(reversed(group)) for group in scores[1, table])
    assert list(wrong_pairings(replace(course, scores=scores), is_over=True))


def test_what_is_not_over_may_miss_something(course: TournamentCourse) -> None:
    first, second, _ = course.rounds
    scores = {place: groups for place, groups in course.scores.items() if place != (3, 2)}
    unfinished = replace(course, scores=scores)
    assert list(wrong_pairings(unfinished, is_over=True)) == [
        "Round 3, table 2: group 1 is missing."
    ]
    assert list(wrong_pairings(unfinished, is_over=False)) == []
    assert list(wrong_pairings(replace(course, rounds=[first, second]), is_over=False)) == []
