"""Tie-breaks, by hand."""

from hashlib import sha256

import pytest

from arena.tournament import (
    TIE_BREAKS,
    Entrant,
    Meeting,
    Pairing,
    TournamentCourse,
    TournamentTerms,
    standings,
)
from arena.tournament.tie_breaks import Encounters, Unplayed, tie_break
from tests.support.played_tournament import field_of

WIN, TIE, LOSS = (1.0, 0.0), (0.5, 0.5), (0.0, 1.0)


def course_of(
    rounds: list[dict[tuple[int, int], tuple[float, float]]], count: int
) -> TournamentCourse:
    """A tournament of these results, by pair; who is missing has a bye."""
    pairings, scores = [], {}
    for number, tables in enumerate(rounds, 1):
        meetings = tuple(Meeting(number, table, pair) for table, pair in enumerate(tables, 1))
        seated = {one for pair in tables for one in pair}
        byes = tuple(one for one in range(1, count + 1) if one not in seated)
        pairings.append(Pairing(number, meetings, byes))
        for meeting, result in zip(meetings, tables.values(), strict=True):
            scores[number, meeting.table] = (result,)
    return TournamentCourse(TournamentTerms(format="swiss"), field_of(count), pairings, scores)


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


def values(course: TournamentCourse, name: str, *tied: int, secret: str = "") -> list[float]:
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


# "Exercises in Tie-Breaking" by IA Mario Held (FIDE Arbiters' Commission, C.07-2023, V01 of 22
# March 2024), section 2.1: sixteen players, five rounds. A game is white, black and the result of
# white; a number alone had a bye or a free win, and who is missing was absent. 12 withdrew after
# round 3.
HELD_ROUNDS = (
    "1-9 1, 10-2 0, 3-11 =, 12-4 0, 5-13 0, 14-6 1, 7-15 1, 16-8 =",
    "13-1 =, 2-7 1, 6-3 0, 15-5 1, 8-14 1, 9-10 0, 11-16 0, 12",
    "1-2 =, 3-8 1, 4-13 1, 5-11 1, 16-7 1, 10-15 0, 6, 12",
    "15-1 0, 2-16 1, 4-3 =, 7-5 =, 6-10 1, 8-13 1, 11",
    "1-4 =, 3-2 =, 5-10 1, 8-6 0, 11-7 1, 13-14 0, 16-15 1, 9",
)
# By player: points, Buchholz, Buchholz cut 1 and Sonneborn-Berger, as the paper solves them.
HELD_VALUES = {
    1: (3.5, 12.5, 11.0, 8.0),
    2: (4.0, 13.0, 12.0, 9.5),
    3: (3.5, 15.5, 13.0, 10.5),
    4: (3.5, 15.0, 11.5, 9.75),
    5: (2.5, 8.5, 7.5, 4.25),
    6: (3.0, 12.0, 11.0, 6.5),
    7: (1.5, 14.5, 12.5, 3.25),
    8: (2.5, 13.5, 12.0, 5.25),
    9: (1.5, 9.0, 7.5, 2.25),
    10: (1.0, 13.0, 11.5, 1.5),
    11: (2.5, 13.5, 12.0, 5.75),
    12: (2.0, 11.5, 9.5, 4.0),
    13: (1.5, 14.0, 12.0, 4.25),
    14: (2.0, 11.0, 9.0, 4.5),
    15: (2.0, 12.0, 11.0, 3.5),
    16: (3.5, 12.5, 11.0, 7.25),
}
HELD_HALF_POINT_BYES = (4, 9)


def held_encounters() -> Encounters:
    pairings, scores = [], {}
    for number, text in enumerate(HELD_ROUNDS, 1):
        games = [entry.split() for entry in text.split(", ")]
        byes = tuple(int(game[0]) for game in games if len(game) == 1)
        pairs = [(game[0].split("-"), game[1]) for game in games if len(game) == 2]
        meetings = tuple(
            Meeting(number, table, (int(white), int(black)))
            for table, ((white, black), _) in enumerate(pairs, 1)
        )
        pairings.append(Pairing(number, meetings, byes))
        for meeting, (_, result) in zip(meetings, pairs, strict=True):
            scores[number, meeting.table] = ({"1": WIN, "=": TIE, "0": LOSS}[result],)
    entrants = [
        Entrant(number, str(number), withdrawn_round=4 if number == 12 else None)
        for number in range(1, 17)
    ]
    encounters = Encounters(
        TournamentCourse(TournamentTerms(format="swiss"), entrants, pairings, scores), ""
    )
    for one in HELD_HALF_POINT_BYES:  # which the arena does not have
        encounters.points[one] += 0.5
        encounters.as_opponent[one] += 0.5
        absent = encounters.unplayed[one].index(Unplayed(0, voluntary=True))
        encounters.unplayed[one][absent] = Unplayed(0.5, voluntary=True)
    return encounters


@pytest.mark.parametrize("player", HELD_VALUES)
def test_the_exercises_of_the_fide_arbiters_commission(player: int) -> None:
    encounters = held_encounters()
    names = ("buchholz", "buchholz-cut-1", "sonneborn-berger")
    found = [tie_break(name, encounters, [player])[player] for name in names]
    assert (encounters.points[player], *found) == HELD_VALUES[player]


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
    course = TournamentCourse(
        TournamentTerms(format="swiss", per_table=3), field_of(3), pairings, scores
    )
    encounters = Encounters(course, "")
    assert encounters.points == {1: 3.5, 2: 2.5, 3: 0}
    assert tie_break("buchholz", encounters, [1, 2])[1] == 2 * (2.5 + 0)
    assert tie_break("sonneborn-berger", encounters, [1])[1] == 1.5 * 2.5 + 2 * 0
    assert tie_break("wins", encounters, [1, 2]) == {1: 1, 2: 0}


def test_who_entered_late_lost_the_rounds_before() -> None:
    entrants = [*field_of(3), Entrant(4, "late", entered_round=2)]
    pairings = [
        Pairing(1, (Meeting(1, 1, (1, 2)),), (3,)),
        Pairing(2, (Meeting(2, 1, (1, 3)), Meeting(2, 2, (2, 4)))),
    ]
    scores = {(1, 1): [WIN], (2, 1): [WIN], (2, 2): [LOSS]}
    course = TournamentCourse(TournamentTerms(format="swiss"), entrants, pairings, scores)
    encounters = Encounters(course, "")
    assert encounters.points[4] == 1
    assert encounters.unplayed[4] == [Unplayed(0, voluntary=True)]
    assert tie_break("sonneborn-berger", encounters, [4])[4] == 0
    assert tie_break("buchholz", encounters, [4])[4] == 1 + 0
    assert tie_break("buchholz-cut-1", encounters, [4])[4] == 0  # without its virtual opponent


def test_a_table_left_before_a_group_was_over_is_a_free_win() -> None:
    entrants = [*field_of(3), Entrant(4, "gone", withdrawn_round=1)]
    pairing = Pairing(1, (Meeting(1, 1, (1, 4)), Meeting(1, 2, (2, 3))))
    course = TournamentCourse(TournamentTerms(format="swiss"), entrants, [pairing], {(1, 2): [WIN]})
    encounters = Encounters(course, "")
    assert encounters.unplayed[1] == [Unplayed(1, voluntary=False)]
    assert encounters.unplayed[4] == [Unplayed(0, voluntary=True)]
    assert tie_break("sonneborn-berger", encounters, [1, 2]) == {1: 1, 2: 0}
    assert tie_break("wins", encounters, [1, 2]) == {1: 0, 2: 1}


def test_a_bye_at_larger_tables_is_a_table_of_virtual_opponents() -> None:
    first = Pairing(1, (Meeting(1, 1, (1, 2, 3)),), (4,))
    scores = {(1, 1): [(3.0, 2.0, 1.0)]}
    course = TournamentCourse(
        TournamentTerms(format="swiss", per_table=3), field_of(4), [first], scores
    )
    encounters = Encounters(course, "")
    assert (encounters.points[1], encounters.points[4]) == (2, 1)
    assert tie_break("buchholz", encounters, [1, 4]) == {1: 1 + 0, 4: 2 * 1}
    assert tie_break("sonneborn-berger", encounters, [1, 4]) == {1: 1 + 0, 4: 2 * 0.5 * 1}


def test_every_tie_break_has_a_value() -> None:
    for name in TIE_BREAKS:
        assert set(tie_break(name, Encounters(QUAD, "s"), [1, 2])) == {1, 2}
