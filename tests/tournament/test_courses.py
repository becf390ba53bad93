"""Whole tournaments: what comes next, who is paired, and how sure the places are."""

from dataclasses import replace
from random import Random
from statistics import fmean

import pytest

from arena.tournament import (
    Entrant,
    Over,
    Pair,
    Pairing,
    Play,
    TournamentCourse,
    TournamentError,
    TournamentTerms,
    format_to_play,
    next_step,
    place_probabilities,
    rounds_to_play,
    standings,
)
from arena.tournament.tie_breaks import Encounters
from tests.support.played_tournament import by_strength, field_of, play_out


@pytest.mark.parametrize(
    ("rounds", "count", "sides", "format", "plays"),
    [
        (0, 8, 2, "round-robin", 7),
        (0, 13, 2, "swiss", 6),
        (0, 32, 2, "swiss", 7),
        (31, 32, 2, "round-robin", 31),
        (9, 32, 2, "swiss", 9),
        (0, 16, 4, "round-robin", 5),
        (0, 64, 4, "swiss", 5),
        (0, 1, 2, "round-robin", 1),
    ],
)
def test_auto_is_what_fits_field_and_rounds(
    rounds: int, count: int, sides: int, format: str, plays: int
) -> None:
    terms = TournamentTerms(rounds=rounds, per_table=sides)
    assert format_to_play(terms, count) == format
    assert rounds_to_play(terms, count) == plays


def test_each_table_plays_its_groups_before_the_next_round() -> None:
    course = TournamentCourse(TournamentTerms(format="swiss", groups=3), field_of(4), [], {})
    assert next_step(course) == Pair(1)
    course = play_out(
        TournamentTerms(format="swiss", groups=3), field_of(4), by_strength(Random(1))
    )
    first = course.rounds[0]
    scores = dict(course.scores)
    one, other = first.meetings
    scores[1, 1] = tuple(scores[1, 1])[:1]
    assert next_step(replace(course, rounds=[first], scores=scores)) == Play([(one, 2), (one, 3)])
    scores[1, 1] = course.scores[1, 1]
    del scores[1, 2]
    due = [(other, number) for number in (1, 2, 3)]
    assert next_step(replace(course, rounds=[first], scores=scores)) == Play(due)
    assert next_step(course) == Over()


@pytest.mark.parametrize("sides", [2, 3, 4])
def test_a_swiss_avoids_repeats_as_long_as_it_can(sides: int, seed: int) -> None:
    course = play_out(
        TournamentTerms(format="swiss", per_table=sides), field_of(16), by_strength(Random(seed))
    )
    met = [tally.met for tally in course.tallies().values()]
    if sides == 2:
        assert max(max(each.values()) for each in met) == 1
    for pairing in course.rounds:
        assert len(pairing.byes) == 16 % sides
    assert max(tally.byes for tally in course.tallies().values()) <= 1


def test_a_swiss_of_few_goes_on_with_repeats(seed: int) -> None:
    """lila#7675: a Swiss of 8 for 7 rounds ended after 5, because no new pairs were left."""
    course = play_out(
        TournamentTerms(format="swiss", rounds=12),
        field_of(8),
        by_strength(Random(seed)),
        most_rounds=12,
    )
    assert len(course.rounds) == 12


def test_owners_are_kept_apart_and_a_field_of_one_owner_plays_nothing(seed: int) -> None:
    owned = [Entrant(number, f"b{number}", owner="ab"[number % 2]) for number in range(1, 9)]
    course = play_out(TournamentTerms(format="swiss", rounds=4), owned, by_strength(Random(seed)))
    for meeting in course.meetings():
        assert len({course.entrant[one].owner for one in meeting.entrants}) == 2
    alone = [Entrant(number, f"b{number}", owner="a") for number in range(1, 5)]
    assert play_out(TournamentTerms(format="swiss"), alone, by_strength(Random(seed))).rounds == []


@pytest.mark.parametrize(
    "format", ["swiss", "round-robin", "single-elimination", "double-elimination"]
)
@pytest.mark.parametrize("sides", [2, 3])
def test_entrants_may_leave_at_any_moment(format: str, sides: int, seed: int) -> None:
    rng = Random(f"{seed} {format} {sides}")

    def somebody_leaves(course: TournamentCourse) -> TournamentCourse:
        entrants = list(course.entrants)
        if rng.random() < 0.2:
            gone = rng.randrange(len(entrants))
            one, now = entrants[gone], max(1, len(course.rounds))
            if one.withdrawn_round is None:
                entrants[gone] = replace(one, withdrawn_round=now + rng.randint(0, 1))
        return replace(course, entrants=entrants)

    course = play_out(
        TournamentTerms(format=format, per_table=sides),
        field_of(12),
        by_strength(rng),
        somebody_leaves,
    )
    assert isinstance(next_step(course), Over)
    placed = standings(course, "secret")
    assert sorted(one.number for one in placed) == list(range(1, 13))
    for meeting in course.meetings():
        for one in meeting.entrants:
            left = course.entrant[one].withdrawn_round
            assert left is None or left >= meeting.round


def test_a_round_of_a_round_robin_without_a_full_table_is_all_byes() -> None:
    entrants = [
        replace(one, withdrawn_round=2 if one.number in (1, 4) else None) for one in field_of(6)
    ]
    course = play_out(
        TournamentTerms(format="round-robin", per_table=3), entrants, by_strength(Random(1))
    )
    assert any(pairing.byes for pairing in course.rounds[1:])


def without_number_six(last_round: int) -> TournamentCourse:
    """A round robin of six, of whom the last leaves after a round. It loses to everybody, and the
    better number wins."""
    entrants = [
        replace(one, withdrawn_round=last_round + 1 if one.number == 6 else None)
        for one in field_of(6)
    ]
    terms = TournamentTerms(format="round-robin", groups=1)
    return play_out(terms, entrants, lambda meeting, _: tuple(-one for one in meeting.entrants))


def test_who_leaves_a_round_robin_early_has_played_for_nobody() -> None:
    """Of five tables it has played two: nobody keeps a point against it, and nobody gets one for a
    table that it has not played."""
    course = without_number_six(last_round=2)
    assert course.annulled == {6}
    points = {one.number: one.points for one in standings(course, "s")}
    assert points == {1: 4, 2: 3, 3: 2, 4: 1, 5: 0, 6: 0}


def test_who_leaves_a_round_robin_late_forfeits_the_rest() -> None:
    course = without_number_six(last_round=3)
    assert course.annulled == frozenset()
    points = {one.number: one.points for one in standings(course, "s")}
    assert points == {1: 5, 2: 4, 3: 3, 4: 2, 5: 1, 6: 0}


def test_who_has_its_results_annulled_comes_last_and_counts_in_no_tie_break() -> None:
    """Number 1 beats all in its first round, then leaves while it is to meet another. The rest is
    the standing of a round robin without it."""
    leaver = replace(field_of(6)[0], withdrawn_round=2)
    terms = TournamentTerms(format="round-robin", groups=2)
    course = play_out(
        terms,
        field_of(6),
        lambda meeting, _: tuple(-one for one in meeting.entrants),
        lambda course: (
            replace(course, entrants=[leaver, *field_of(6)[1:]])
            if len(course.rounds) > 1
            else course
        ),
    )
    [unplayed] = [one for one in course.rounds[1].meetings if 1 in one.entrants]
    assert course.scores_at(unplayed) == ()
    assert course.annulled == {1}
    placed = standings(course, "s")
    assert [one.number for one in placed] == [2, 3, 4, 5, 6, 1]
    encounters = Encounters(course, "s")
    assert all(encounters.unplayed[one] == [] for one in range(2, 7))
    chances = place_probabilities(course, "s")
    assert chances is not None
    assert chances[1] == {6: 1.0}


def test_at_larger_tables_those_left_keep_what_they_have_against_each_other() -> None:
    """Nine in threes meet once each, in four rounds: who lost a table gets an average one against
    the one opponent that is left."""
    entrants = [replace(one, withdrawn_round=2 if one.number == 9 else None) for one in field_of(9)]
    course = play_out(
        TournamentTerms(format="round-robin", per_table=3, groups=1),
        entrants,
        lambda meeting, _: tuple(-one for one in meeting.entrants),
    )
    assert course.annulled == {9}
    for pairing in course.rounds[1:]:
        assert [course.bye_points(one, pairing) for one in pairing.byes] == [0.5, 0.5]
    total = sum(one.points for one in standings(course, "s"))
    assert total == 8 * 7 / 2  # each pair of the other eight, once


def test_places_are_as_sure_as_the_margins(seed: int) -> None:
    terms = TournamentTerms(format="round-robin", groups=4)
    clear = play_out(terms, field_of(4), by_strength(Random(seed), noise=0.001))
    chances = place_probabilities(clear, "s")
    assert chances == {one: {one: 1.0} for one in range(1, 5)}
    even = play_out(
        terms, field_of(4), lambda m, g: tuple(Random(f"{m}{g}").random() for _ in "12")
    )
    chances = place_probabilities(even, "s")
    assert chances is not None
    assert chances == place_probabilities(even, "s")
    for one in range(1, 5):
        assert sum(chances[one].values()) == pytest.approx(1)
        assert len(chances[one]) > 1
    for place in range(1, 5):
        assert sum(chances[one].get(place, 0) for one in range(1, 5)) == pytest.approx(1)


def test_equal_bots_are_shown_as_nearly_equal() -> None:
    """Of eight equal bots each comes first once in eight times; the leader gained its lead by luck,
    which the shown chances take back."""
    terms, rng = TournamentTerms(format="round-robin"), Random("eight equal bots")
    shown = []
    for number in range(60):
        course = play_out(terms, field_of(8), lambda _, __: (first := rng.gauss(0, 1), -first))
        chances = place_probabilities(course, f"{number}")
        assert chances is not None
        [leader, *_] = standings(course, f"{number}")
        shown.append(chances[leader.number].get(1, 0))
    assert 1 / 8 < fmean(shown) < 1 / 5


def test_a_lead_of_three_to_one_between_two_is_no_certainty() -> None:
    """Four groups of a table of two, of which one won three. In a field of two nothing says how far
    its bots differ, so that the margin of the four groups counts nearly alone."""
    points = iter([(1.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 0.0)])
    terms = TournamentTerms(format="round-robin", groups=4)
    course = play_out(terms, field_of(2), lambda _, __: next(points))
    chances = place_probabilities(course, "s")
    assert chances is not None
    assert 0.55 < chances[1][1] < 0.85


def test_without_two_groups_or_in_a_bracket_no_probability_is_given() -> None:
    one_group = play_out(TournamentTerms(groups=1), field_of(4), by_strength(Random(1)))
    assert place_probabilities(one_group, "s") is None
    bracket = play_out(
        TournamentTerms(format="single-elimination"), field_of(4), by_strength(Random(1))
    )
    assert place_probabilities(bracket, "s") is None


@pytest.mark.parametrize(
    ("terms", "field"),
    [
        ({"format": "knockout"}, "format"),
        ({"format": "single-elimination", "rounds": 3}, "rounds"),
        ({"third_place": True}, "third_place"),
        ({"format": "single-elimination", "third_place": True, "per_table": 3}, "third_place"),
        ({"rounds": -1}, "rounds"),
        ({"per_table": 1}, "per_table"),
        ({"groups": 0}, "groups"),
        ({"most_groups": 0}, "most_groups"),
        ({"tie_breaks": ("elo",)}, "tie_breaks"),
        ({"tie_breaks": ("lot", "lot")}, "tie_breaks"),
    ],
)
def test_wrong_terms_are_named(terms: dict[str, object], field: str) -> None:
    with pytest.raises(TournamentError) as raised:
        TournamentTerms(**terms)  # type: ignore[arg-type]
    assert raised.value.field == field
    assert f"`{field}`" in str(raised.value)


def test_pairings_state_their_costs() -> None:
    course = play_out(
        TournamentTerms(format="swiss", rounds=2), field_of(5), by_strength(Random(2))
    )
    second: Pairing = course.rounds[1]
    assert [cost.name for cost in second.costs][:3] == ["byes", "second byes", "repeats"]
    assert second.costs[0].sentence == "1 without a table."
