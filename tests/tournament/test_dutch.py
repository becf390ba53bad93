"""The FIDE Dutch system, against a tournament that bbpPairings paired."""

from __future__ import annotations

import sys
from dataclasses import replace
from random import Random

import pytest

from arena.tournament import (
    Entrant,
    Meeting,
    NoDutchLibrary,
    Over,
    Pairing,
    TournamentCourse,
    TournamentError,
    TournamentTerms,
    next_step,
    pair_round,
    wrong_pairings,
)
from arena.tournament.meeting import meetings_of
from tests.support.played_tournament import by_strength, field_of, play_out

DUTCH = TournamentTerms(format="swiss", pairing="dutch", rounds=5)

# Eleven players and five rounds, which bbpPairings 6 paired; a game is white, black and the
# result of white, and who plays none has the bye.
BBP_ROUNDS = (
    "6-1 0, 2-7 =, 8-3 0, 4-9 1, 10-5 0",
    "1-4 1, 5-2 0, 3-11 1, 7-6 0, 9-8 0",
    "3-1 =, 2-4 =, 11-5 0, 6-10 1, 8-7 1",
    "1-8 1, 5-3 0, 6-2 0, 4-11 1, 10-9 =",
    "2-1 =, 3-4 =, 8-5 =, 7-10 =, 9-11 =",
)
SCORES = {"1": (1.0, 0.0), "=": (0.5, 0.5), "0": (0.0, 1.0)}


def published() -> TournamentCourse:
    """The tournament that bbpPairings paired."""
    pairings, scores = [], {}
    for number, text in enumerate(BBP_ROUNDS, 1):
        games = [game.split(" ") for game in text.split(", ")]
        tables = [tuple(map(int, pair.split("-"))) for pair, _ in games]
        [bye] = set(range(1, 12)) - {one for table in tables for one in table}
        pairings.append(Pairing(number, meetings_of(number, tables), (bye,)))
        for table, (_, result) in enumerate(games, 1):
            scores[number, table] = (SCORES[result],)
    return TournamentCourse(DUTCH, field_of(11), pairings, scores)


@pytest.mark.parametrize("number", range(1, 6))
def test_each_round_is_paired_as_by_bbp_pairings(number: int) -> None:
    course = published()
    found = pair_round(replace(course, rounds=course.rounds[: number - 1]), number)
    right = course.rounds[number - 1]
    tables = {meeting.entrants for meeting in found.meetings}
    if number == 1:  # its lot gave the first seed black, and ours always gives it white
        tables = {(black, white) for white, black in tables}
    assert tables == {meeting.entrants for meeting in right.meetings}
    assert found.byes == right.byes
    assert found.method.startswith("FIDE Dutch system, by py4swiss ")


def test_nobody_meets_twice_or_has_two_byes_or_three_times_one_colour(seed: int) -> None:
    course = play_out(replace(DUTCH, rounds=7), field_of(21), by_strength(Random(seed)))
    tallies = course.tallies().values()
    assert max(max(tally.met.values()) for tally in tallies) == 1
    assert max(tally.byes for tally in tallies) == 1
    for one in course.entrants:
        colours = "".join(
            "wb"[meeting.entrants.index(one.number)]
            for meeting in list(course.meetings())[: -len(course.rounds[-1].meetings)]
            if one.number in meeting.entrants
        )
        assert "www" not in colours
        assert "bbb" not in colours
    assert list(wrong_pairings(course, is_over=True)) == []


@pytest.mark.parametrize("count", range(2, 9))
def test_where_no_new_pair_is_left_rounds_are_paired_by_cost(count: int, seed: int) -> None:
    """lila#7675: a Swiss of 8 for 7 rounds ended after 5, because no new pairs were left."""
    course = play_out(replace(DUTCH, rounds=12), field_of(count), by_strength(Random(seed)))
    methods = [pairing.method for pairing in course.rounds]
    assert len(methods) == 12
    assert methods[-1] == "exact; the Dutch system has no pairing left"
    assert course.rounds[-1].costs
    assert list(wrong_pairings(course, is_over=True)) == []


def test_late_entries_leavers_and_forfeits_are_part_of_its_history(seed: int) -> None:
    rng = Random(seed)

    def comes_and_goes(course: TournamentCourse) -> TournamentCourse:
        entrants, now = list(course.entrants), len(course.rounds)
        if now and rng.random() < 0.3 and len(entrants) < 16:
            entrants.append(Entrant(len(entrants) + 1, "late", entered_round=now + 1))
        leaver = rng.randrange(len(entrants))
        if now and rng.random() < 0.1 and entrants[leaver].withdrawn_round is None:
            entrants[leaver] = replace(entrants[leaver], withdrawn_round=now)
        return replace(course, entrants=entrants)

    course = play_out(replace(DUTCH, rounds=6), field_of(12), by_strength(rng), comes_and_goes)
    assert isinstance(next_step(course), Over)
    assert any(pairing.method.startswith("FIDE") for pairing in course.rounds[1:])
    assert list(wrong_pairings(course, is_over=True)) == []


def test_owners_are_kept_apart(seed: int) -> None:
    owned = [Entrant(number, f"b{number}", owner="abc"[number % 3]) for number in range(1, 13)]
    course = play_out(DUTCH, owned, by_strength(Random(seed)))
    assert course.rounds[0].method.startswith("FIDE")
    for meeting in course.meetings():
        assert len({course.entrant[one].owner for one in meeting.entrants}) == 2


def test_a_table_that_was_left_before_it_began_gave_no_colour_but_a_free_win() -> None:
    """The free win keeps 1 from the bye; had it had white, 2 would have white now."""
    entrants = [*field_of(3), Entrant(4, "gone", withdrawn_round=1)]
    first = Pairing(1, (Meeting(1, 1, (1, 4)), Meeting(1, 2, (2, 3))))
    course = TournamentCourse(DUTCH, entrants, [first], {(1, 2): [(0.5, 0.5)] * 2})
    second = pair_round(course, 2)
    assert [meeting.entrants for meeting in second.meetings] == [(1, 2)]
    assert second.byes == (3,)


@pytest.mark.parametrize(
    ("terms", "sentence"),
    [
        ({"pairing": "swiss"}, "`pairing` is 'swiss'; choose one of: cost, dutch."),
        (
            {"pairing": "dutch", "format": "round-robin"},
            "`pairing` is dutch, which pairs a Swiss; the format is round-robin.",
        ),
        (
            {"pairing": "dutch", "per_table": 3},
            "`pairing` is dutch, which pairs two at a table; here 3 meet.",
        ),
    ],
)
def test_wrong_terms_are_named(terms: dict[str, object], sentence: str) -> None:
    with pytest.raises(TournamentError) as raised:
        TournamentTerms(**terms)  # type: ignore[arg-type]
    assert (raised.value.sentence, raised.value.field) == (sentence, "pairing")


def test_without_the_library_a_sentence_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delitem(sys.modules, "arena.tournament.dutch", raising=False)
    monkeypatch.setitem(sys.modules, "py4swiss.engines", None)
    with pytest.raises(NoDutchLibrary, match=r"pip install 'sevens-arena\[dutch\]'"):
        pair_round(TournamentCourse(DUTCH, field_of(4), [], {}), 1)
    with pytest.raises(NoDutchLibrary):
        list(wrong_pairings(published(), is_over=True))
