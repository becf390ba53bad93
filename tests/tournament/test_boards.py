"""Tables that are decided by boards: by who has the better score in more groups."""

from __future__ import annotations

from random import Random

import pytest

from arena.tournament import (
    Meeting,
    MeetingResult,
    Play,
    TournamentCourse,
    TournamentTerms,
    place_probabilities,
    standings,
    wrong_pairings,
)
from arena.tournament.steps import next_step, pair_round
from arena.tournament.tie_breaks import Encounters, tie_break
from tests.support.played_tournament import by_strength, field_of, play_out

Scores = tuple[tuple[float, ...], ...]
NARROW = ((0.6, 0.4), (0.6, 0.4), (0.0, 1.0))
"""The first has the better score twice, and the smaller sum."""


def result_of(*groups: tuple[float, ...], by_boards: bool = True) -> MeetingResult:
    meeting = Meeting(1, 1, tuple(range(1, len(groups[0]) + 1)))
    return MeetingResult(meeting, groups, by_boards=by_boards)


def test_boards_count_how_often_and_not_by_how_much() -> None:
    assert result_of(*NARROW).points == {1: 1, 2: 0}
    assert result_of(*NARROW, by_boards=False).points == {1: 0, 2: 1}
    assert result_of(*NARROW).boards == {1: 4, 2: 2}


def test_a_board_that_is_tied_gives_both_one_point() -> None:
    tied = result_of((0.5, 0.5), (1.0, 0.0), (0.0, 1.0))
    assert (tied.boards, tied.points) == ({1: 3, 2: 3}, {1: 0.5, 2: 0.5})


def test_at_larger_tables_each_opponent_is_a_board() -> None:
    result = result_of((0.9, 0.5, 0.1), (0.2, 0.2, 0.8))
    assert result.boards == {1: 5, 2: 3, 3: 4}
    assert result.points == {1: 2, 2: 0, 3: 1}


def test_ties_are_broken_by_the_board_points_of_all_tables() -> None:
    """1 and 2 have beaten 3 and tied; 2 has won more boards."""
    terms = TournamentTerms(format="round-robin", by_boards=True, tie_breaks=("board-points",))
    course = TournamentCourse(terms, field_of(3), [], {})
    rounds, scores = [], {}
    groups: dict[tuple[int, ...], Scores] = {
        (1, 2): ((0.5, 0.5),) * 2,
        (1, 3): ((1.0, 0.0), (0.5, 0.5)),
        (2, 3): ((0.6, 0.4),) * 2,
    }
    for number in (1, 2, 3):
        rounds.append(pair_round(course, number))
        [meeting] = rounds[-1].meetings
        scores[number, 1] = groups[meeting.entrants]
        course = TournamentCourse(terms, field_of(3), [*rounds], {**scores})
    found = tie_break("board-points", Encounters(course, ""), [1, 2, 3])
    assert found == {1: 5, 2: 6, 3: 1}
    assert [one.number for one in standings(course)] == [2, 1, 3]


def test_an_elimination_that_is_tied_by_boards_is_played_on() -> None:
    terms = TournamentTerms(format="single-elimination", by_boards=True)
    [pairing] = [pair_round(TournamentCourse(terms, field_of(2), [], {}), 1)]
    course = TournamentCourse(terms, field_of(2), [pairing], {(1, 1): ((0.9, 0.1), (0.4, 0.6))})
    step = next_step(course)
    assert isinstance(step, Play)
    assert [number for _, number in step.due] == [3]


@pytest.mark.parametrize("format", ["round-robin", "swiss", "double-elimination"])
def test_every_format_is_decided_by_boards(seed: int, format: str) -> None:
    terms = TournamentTerms(format=format, by_boards=True, groups=3)
    course = play_out(terms, field_of(8), by_strength(Random(seed)))
    assert list(wrong_pairings(course, is_over=True)) == []
    assert {one.number for one in standings(course)} == {*range(1, 9)}


def test_the_chances_of_places_replay_boards() -> None:
    chances = {}
    for by_boards in (True, False):
        terms = TournamentTerms(format="round-robin", by_boards=by_boards, groups=3)
        course = play_out(terms, field_of(4), by_strength(Random(1), noise=0.05))
        found = place_probabilities(course, "seed")
        assert found is not None
        assert all(sum(each.values()) == pytest.approx(1) for each in found.values())
        assert sum(each.get(1, 0) for each in found.values()) == pytest.approx(1)
        chances[by_boards] = found[1][1]
    assert min(chances.values()) > 0.5
