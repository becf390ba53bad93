"""Tie-breaks, by hand."""

from hashlib import sha256

import pytest

from arena.tournament import TIE_BREAKS, Course, Entrant, Meeting, Pairing, Terms, standings
from arena.tournament.tie_breaks import Encounters, tie_break
from tests.support.played_tournament import field_of

WIN, TIE, LOSS = (1.0, 0.0), (0.5, 0.5), (0.0, 1.0)


def course_of(rounds: list[dict[tuple[int, int], tuple[float, float]]], count: int) -> Course:
    """A tournament of these results, by pair; who is missing has a bye."""
    pairings, scores = [], {}
    for number, tables in enumerate(rounds, 1):
        meetings = tuple(Meeting(number, table, pair) for table, pair in enumerate(tables, 1))
        seated = {one for pair in tables for one in pair}
        byes = tuple(one for one in range(1, count + 1) if one not in seated)
        pairings.append(Pairing(number, meetings, byes))
        for meeting, result in zip(meetings, tables.values(), strict=True):
            scores[number, meeting.table] = (result,)
    return Course(Terms(format="swiss"), field_of(count), pairings, scores)


# 1 beats 4, ties with 2 and beats 3; 2 beats 3 and 4; 3 beats 4.
# Points: 1 and 2 have 2½, 3 has 1, 4 has none.
QUAD = course_of(
    [
        {(1, 4): WIN, (2, 3): WIN},
        {(1, 3): WIN, (2, 4): WIN},
        {(1, 2): TIE, (3, 4): WIN},
    ],
    4,
)
# 1 beats 2 and 3 and loses to 4; 2 beats 3; 4 beats 5; the byes are 5, 4 and, last, 3.
WITH_BYES = course_of(
    [
        {(1, 2): WIN, (3, 4): LOSS},
        {(1, 3): WIN, (2, 5): WIN},
        {(1, 4): LOSS, (2, 5): TIE},
    ],
    5,
)


def values(course: Course, name: str, *tied: int, secret: str = "") -> list[float]:
    found = tie_break(name, Encounters(course, secret), tied)
    return [found[one] for one in tied]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("direct-encounter", [0.5, 0.5]),
        ("buchholz", [2.5 + 1 + 0, 2.5 + 1 + 0]),
        ("buchholz-cut-1", [2.5 + 1, 2.5 + 1]),
        ("sonneborn-berger", [2.5 / 2 + 1 + 0, 2.5 / 2 + 1 + 0]),
        ("wins", [2, 2]),
        ("score-sum", [2.5, 2.5]),
    ],
)
def test_the_leaders_of_a_quad_cannot_be_separated(name: str, expected: list[float]) -> None:
    assert values(QUAD, name, 1, 2) == expected


def test_in_a_round_robin_sonneborn_berger_is_that_of_the_published_rule() -> None:
    """Sonneborn-Berger: the points of those beaten, and half the points of those tied with."""
    assert values(QUAD, "sonneborn-berger", 3, 4) == [0, 0]
    assert values(QUAD, "buchholz", 3, 4) == [5, 6]


def test_the_published_example_of_sonneborn_berger() -> None:
    """HultWiki, "Sonneborn-Berger", example 1: A met opponents with 1, 3, 2, 2 and 2 points and
    beat the first three, which gives 6; B met 1, 2, 2, 2 and 2 and beat the first three: 5."""
    encounters = Encounters(QUAD, "")
    encounters.unplayed.clear()
    for opponents, expected in (((1, 3, 2, 2, 2), 6), ((1, 2, 2, 2, 2), 5)):
        encounters.results = {1: [(2 + at, float(at < 3)) for at in range(5)]}
        points = {2 + at: float(points) for at, points in enumerate(opponents)}
        encounters.points = {1: 3.0} | points
        encounters.unplayed[1] = []
        assert tie_break("sonneborn-berger", encounters, [1])[1] == expected
        assert tie_break("buchholz", encounters, [1])[1] == sum(opponents)
        assert tie_break("buchholz-cut-1", encounters, [1])[1] == sum(opponents) - 1


def test_a_bye_is_a_win_against_a_virtual_opponent_with_ones_own_points() -> None:
    """1 has 2 points, 2 has 1½, 3 has 1 (a bye), 4 has 3 (a bye), 5 has 1½ (a bye)."""
    encounters = Encounters(WITH_BYES, "")
    assert encounters.points == {1: 2, 2: 1.5, 3: 1, 4: 3, 5: 1.5}
    assert values(WITH_BYES, "buchholz", 2, 5) == [2 + 1.5 + 1.5, 1.5 + 1.5 + 1.5]
    assert values(WITH_BYES, "sonneborn-berger", 2, 5) == [1.5 + 0.75, 0.75 + 1.5]
    assert values(WITH_BYES, "wins", 2, 5) == [1, 0]


def test_direct_encounter_counts_only_if_all_who_are_tied_have_met() -> None:
    assert values(QUAD, "direct-encounter", 1, 2, 3) == [1.5, 1.5, 0]
    assert values(WITH_BYES, "direct-encounter", 1, 5) == [0, 0]


def test_the_lot_follows_from_the_secret() -> None:
    [one, two] = values(QUAD, "lot", 1, 2, secret="ab")
    assert one == int(sha256(b"ab lot 1").hexdigest()[:13], 16) / 2**52
    placed = standings(QUAD, "ab")
    assert [entry.number for entry in placed[:2]] == ([1, 2] if one > two else [2, 1])
    assert [entry.place for entry in placed] == [1, 2, 3, 4]
    assert [entry.place for entry in standings(QUAD)] == [1, 1, 3, 4]


def test_a_later_tie_break_counts_only_among_those_whom_earlier_ones_leave_tied() -> None:
    placed = standings(WITH_BYES, "x")
    assert [entry.number for entry in placed] == [4, 1, 2, 5, 3]
    by_number = {entry.number: entry for entry in placed}
    assert by_number[4].tie_breaks == ()
    assert by_number[2].tie_breaks == (1.5,)
    assert by_number[5].tie_breaks == (0.5,)


def test_at_tables_opponents_count_once_for_each_table_shared() -> None:
    pairings = [Pairing(1, (Meeting(1, 1, (1, 2, 3)),)), Pairing(2, (Meeting(2, 1, (1, 2, 3)),))]
    scores = {(1, 1): [(3.0, 2.0, 1.0)], (2, 1): [(2.0, 2.0, 0.0)]}
    course = Course(Terms(format="swiss", per_table=3), field_of(3), pairings, scores)
    encounters = Encounters(course, "")
    assert encounters.points == {1: 3.5, 2: 2.5, 3: 0}
    assert tie_break("buchholz", encounters, [1, 2])[1] == 2 * (2.5 + 0)
    assert tie_break("sonneborn-berger", encounters, [1])[1] == 1.5 * 2.5 + 2 * 0
    assert tie_break("wins", encounters, [1, 2]) == {1: 1, 2: 0}


def test_who_entered_late_or_left_lost_the_rounds_between() -> None:
    entrants = [*field_of(3), Entrant(4, "late", entered_round=2)]
    pairings = [
        Pairing(1, (Meeting(1, 1, (1, 2)),), (3,)),
        Pairing(2, (Meeting(2, 1, (1, 3)), Meeting(2, 2, (2, 4)))),
    ]
    scores = {(1, 1): [WIN], (2, 1): [WIN], (2, 2): [LOSS]}
    course = Course(Terms(format="swiss"), entrants, pairings, scores)
    encounters = Encounters(course, "")
    assert encounters.points[4] == 1
    assert encounters.unplayed[4] == [0]
    assert tie_break("sonneborn-berger", encounters, [4])[4] == 0


def test_every_tie_break_has_a_value() -> None:
    for name in TIE_BREAKS:
        assert set(tie_break(name, Encounters(QUAD, "s"), [1, 2])) == {1, 2}
