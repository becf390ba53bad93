"""Brackets, losses, and ties that are played on."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from arena.tournament import (
    Entrant,
    Meeting,
    Pairing,
    TournamentCourse,
    TournamentTerms,
    standings,
    wrong_pairings,
)
from arena.tournament.elimination import bracket_order
from arena.tournament.elimination.elimination import losses_before, parts_of
from arena.tournament.rounds import serpentine
from tests.support.played_tournament import by_strength, field_of, play_out


def better_number(meeting: Meeting, group: int) -> tuple[float, ...]:
    return tuple(-float(one) for one in meeting.entrants)


def worse_number(meeting: Meeting, group: int) -> tuple[float, ...]:
    return tuple(float(one) for one in meeting.entrants)


def part_of(course: TournamentCourse, meeting: Meeting) -> str:
    return parts_of(course)[meeting.round, meeting.table]


def test_the_bracket_lets_the_best_meet_last() -> None:
    assert bracket_order(8) == [1, 8, 4, 5, 2, 7, 3, 6]
    assert bracket_order(6) == [1, 0, 4, 5, 2, 0, 3, 6]
    assert bracket_order(1) == [1]


def test_seeds_win_a_bracket_of_six_with_byes_for_the_best_two() -> None:
    course = play_out(TournamentTerms(format="single-elimination"), field_of(6), better_number)
    assert [[m.entrants for m in pairing.meetings] for pairing in course.rounds] == [
        [(4, 5), (3, 6)],
        [(1, 4), (2, 3)],
        [(1, 2)],
    ]
    assert [pairing.byes for pairing in course.rounds] == [(1, 2), (), ()]
    assert [(one.place, one.number) for one in standings(course)] == [
        (1, 1),
        (2, 2),
        (3, 3),
        (3, 4),
        (5, 5),
        (5, 6),
    ]


@pytest.mark.parametrize("count", [*range(2, 20), 32, 33])
@pytest.mark.parametrize("sides", [2, 3, 4])
@pytest.mark.parametrize("format", ["single-elimination", "double-elimination"])
def test_one_entrant_is_left_and_nobody_lost_more_than_allowed(
    format: str, sides: int, count: int, seed: int
) -> None:
    if count < sides:
        return
    terms = TournamentTerms(format=format, per_table=sides)
    course = play_out(terms, field_of(count), by_strength(Random(seed)))
    placed = standings(course)
    assert [one.place for one in placed[:2]] == [1, 2]
    assert sorted(one.number for one in placed) == list(range(1, count + 1))
    if sides == 2:
        lives = 2 if format == "double-elimination" else 1
        lost = dict.fromkeys(range(1, count + 1), 0)
        for result in course.results():
            for one, points in result.points.items():
                lost[one] += points == 0
        assert sorted(lost.values()) == [lost[placed[0].number], *[lives] * (count - 1)]
        assert lost[placed[0].number] < lives
    if sides == 2 and format == "single-elimination":
        assert sum(len(pairing.meetings) for pairing in course.rounds) == count - 1


def test_in_a_double_elimination_the_unbeaten_must_lose_twice() -> None:
    def upset(meeting: Meeting, group: int) -> tuple[float, ...]:
        return (0.0, 1.0) if meeting.round > 3 else better_number(meeting, group)

    course = play_out(TournamentTerms(format="double-elimination"), field_of(4), upset)
    finals = [pairing.meetings[0].entrants for pairing in course.rounds[3:]]
    assert finals == [(1, 2), (1, 2)]
    assert [one.number for one in standings(course)[:2]] == [2, 1]


THIRD = TournamentTerms(format="single-elimination", third_place=True)


@pytest.mark.parametrize("count", [*range(2, 18), 33])
def test_the_losers_of_the_semi_finals_play_for_the_third_place(count: int, seed: int) -> None:
    course = play_out(THIRD, field_of(count), by_strength(Random(seed)))
    placed = standings(course)
    last = course.rounds[-1].meetings
    assert [part_of(course, one) for one in last] == ["final", "third place"][: 1 + (count > 3)]
    assert list(wrong_pairings(course, is_over=True)) == []
    assert [one.place for one in placed[:5]] == [1, 2, 3, 4, 5][:count]
    if count > 3:
        assert {placed[2].number, placed[3].number} == set(last[1].entrants)
        result = course.result_of(last[1])
        assert result is not None
        assert result.points[placed[2].number] == 1


def test_without_one_of_its_losers_no_third_place_is_played_for() -> None:
    def loser_leaves(course: TournamentCourse) -> TournamentCourse:
        gone = replace(course.entrants[3], withdrawn_round=2)
        return replace(course, entrants=[*field_of(3), gone]) if course.rounds else course

    course = play_out(THIRD, field_of(4), better_number, loser_leaves)
    assert [m.entrants for m in course.rounds[1].meetings] == [(1, 2)]
    assert [(one.place, one.number) for one in standings(course)] == [
        (1, 1),
        (2, 2),
        (3, 3),
        (3, 4),
    ]


def test_both_brackets_of_eight_and_the_final() -> None:
    course = play_out(TournamentTerms(format="double-elimination"), field_of(8), better_number)
    assert [[m.entrants for m in pairing.meetings] for pairing in course.rounds] == [
        [(1, 8), (4, 5), (2, 7), (3, 6)],
        [(1, 4), (2, 3), (5, 8), (6, 7)],
        [(1, 2), (3, 5), (4, 6)],
        [(3, 4)],
        [(2, 3)],
        [(1, 2)],
    ]
    sides = [[part_of(course, m)[0] for m in pairing.meetings] for pairing in course.rounds]
    assert sides == [[*"wwww"], [*"wwll"], [*"wll"], [*"l"], [*"l"], [*"f"]]
    assert [pairing.byes for pairing in course.rounds] == [(), (), (), (1, 2), (1,), ()]
    assert [one.place for one in standings(course)] == [1, 2, 3, 4, 5, 5, 7, 7]


@pytest.mark.parametrize("count", [*range(2, 18), 23, 33])
def test_no_unbeaten_entrant_meets_a_beaten_one_before_the_final(count: int, seed: int) -> None:
    """Nor does anybody meet an opponent again where another choice of tables and byes, of as many
    matches, avoids it."""
    for draw in range(12):
        score = by_strength(Random(f"{seed} {count} {draw}"), noise=1.0)
        course = play_out(TournamentTerms(format="double-elimination"), field_of(count), score)
        assert len(course.rounds) <= 2 * (count - 1).bit_length() + 1
        for pairing in course.rounds:
            losses, met = losses_before(course, pairing.round), course.tallies(pairing.round)
            for meeting in pairing.meetings:
                mixed = len({losses[one] for one in meeting.entrants}) > 1
                assert not mixed or part_of(course, meeting) == "final"
            lower = [m.entrants for m in pairing.meetings if part_of(course, m)[0] == "l"]
            stage = pairing.round - 1
            waiting = {
                one
                for earlier in course.rounds[:stage]
                for one in pairing.byes
                if losses[one]
                and 2 * (earlier.round - 1) > stage
                and losses_before(course, earlier.round)[one] == 0
                and losses_before(course, earlier.round + 1)[one] == 1
            }
            here = [one for one in pairing.byes if losses[one] and one not in waiting]
            repeats = sum(other in met[one].met for one, other in lower)
            here += [one for table in lower for one in table]
            if len(here) <= 8:
                assert repeats == fewest_repeats(here, len(lower), met)


def fewest_repeats(entrants: list[int], tables: int, met: Any) -> int:
    """Tries all."""
    if not tables:
        return 0
    if len(entrants) < 2 * tables:
        return 1000
    one, *others = entrants
    return min(
        fewest_repeats(others, tables, met),
        *(
            (other in met[one].met)
            + fewest_repeats([each for each in others if each != other], tables - 1, met)
            for other in others
        ),
    )


def test_the_loser_of_an_unbeaten_rival_is_not_met_again_at_once() -> None:
    """Of five, 4 beats 5 and then loses; 3 is there to meet 5 instead."""
    course = play_out(TournamentTerms(format="double-elimination"), field_of(5), better_number)
    assert [[m.entrants for m in pairing.meetings] for pairing in course.rounds[1:3]] == [
        [(1, 4), (2, 3)],
        [(1, 2), (3, 5)],
    ]


def test_a_tie_is_played_on_and_at_last_the_better_seed_goes_on() -> None:
    def tied_at_first(meeting: Meeting, group: int) -> tuple[float, ...]:
        return (0.5, 0.5) if group < 4 else (0.0, 1.0)

    course = play_out(TournamentTerms(format="single-elimination"), field_of(2), tied_at_first)
    assert len(course.scores_at(course.rounds[0].meetings[0])) == 4
    assert [one.number for one in standings(course)] == [2, 1]
    terms = TournamentTerms(format="single-elimination", groups=2, most_groups=3)
    course = play_out(terms, field_of(2), lambda meeting, group: (0.5, 0.5))
    assert len(course.scores_at(course.rounds[0].meetings[0])) == 3
    assert [one.number for one in standings(course)] == [1, 2]


def test_at_a_table_the_upper_half_goes_on_and_ties_elsewhere_do_not_matter() -> None:
    def scores(meeting: Meeting, group: int) -> tuple[float, ...]:
        return (1.0, 1.0, 0.0, 0.0) if meeting.round == 1 else (3.0, 2.0, 1.0, 0.0)

    terms = TournamentTerms(format="single-elimination", per_table=4)
    course = play_out(terms, field_of(8), scores)
    first, final = course.rounds
    assert [meeting.entrants for meeting in first.meetings] == [(1, 4, 5, 8), (2, 3, 6, 7)]
    assert [len(course.scores_at(meeting)) for meeting in first.meetings] == [2, 2]
    assert [meeting.entrants for meeting in final.meetings] == [(1, 2, 3, 4)]
    assert [one.number for one in standings(course)[:4]] == [1, 2, 3, 4]


def test_who_left_is_out_and_the_opponent_goes_on_without_playing() -> None:
    entrants = [*field_of(3), Entrant(4, "gone", withdrawn_round=1)]
    pairing = Pairing(1, (Meeting(1, 1, (1, 4)), Meeting(1, 2, (2, 3))))
    course = TournamentCourse(
        TournamentTerms(format="single-elimination"),
        entrants,
        [pairing],
        {(1, 2): [(1.0, 0.0)] * 2},
    )
    assert [(one.place, one.number) for one in standings(course)] == [
        (1, 1),
        (1, 2),
        (3, 3),
        (3, 4),
    ]


@pytest.mark.parametrize("format", ["single-elimination", "double-elimination"])
@pytest.mark.parametrize("sides", [3, 4])
def test_it_is_over_when_those_left_do_not_fill_a_table(format: str, sides: int) -> None:
    def all_but_two_leave(course: TournamentCourse) -> TournamentCourse:
        if not course.rounds:
            return course
        entrants = [
            one if one.number <= 2 else replace(one, withdrawn_round=2) for one in course.entrants
        ]
        return replace(course, entrants=entrants)

    terms = TournamentTerms(format=format, per_table=sides)
    course = play_out(terms, field_of(3 * sides), better_number, all_but_two_leave)
    assert len(course.rounds) == 1
    assert [(one.place, one.number) for one in standings(course)[:2]] == [(1, 1), (1, 2)]
    assert list(wrong_pairings(course, is_over=True)) == []


def test_the_serpentine_spreads_the_seeds() -> None:
    assert serpentine(range(1, 10), 3) == [(1, 6, 7), (2, 5, 8), (3, 4, 9)]


def test_the_worst_seed_can_win(seed: int) -> None:
    course = play_out(TournamentTerms(format="double-elimination"), field_of(9), worse_number)
    assert standings(course)[0].number == 9
