"""Teams of every size at a table: their seats, the ladders that allow them, the rating of
results."""

from collections import Counter
from collections.abc import Callable
from itertools import combinations
from random import Random

import pytest

from arena.errors import Kind
from arena.league.ladder.ladders import create_ladder
from arena.league.outcome_verification import check
from arena.match.seatings import list_seatings, mixed_orders
from arena.queue.job import Job
from arena.ratings.rater import Rater, Skill
from arena.store.schema import Format, Ladder, Partners
from arena.store.session import Store
from tests.support.failing import failing
from tests.support.job_outcomes import outcome_of

ALTERNATING = [tuple(seat % 2 for seat in range(size)) for size in range(6, 13)]


@pytest.mark.parametrize("teams", ALTERNATING, ids=len)
def test_many_in_teams_have_each_seat_once_and_each_other_as_partner_about_equally_often(
    teams: tuple[int, ...],
) -> None:
    found = list_seatings(teams, range(len(teams)))
    assert (found[0], len(found)) == (tuple(range(len(teams))), len(teams))
    assert found == mixed_orders(teams)
    seats = Counter((who, seat) for seating in found for seat, who in enumerate(seating))
    assert set(seats.values()) == {1}
    partners = Counter(
        frozenset((seating[one], seating[other]))
        for seating in found
        for one, other in combinations(range(len(teams)), 2)
        if teams[one] == teams[other]
    )
    assert len(partners) == len(teams) * (len(teams) - 1) / 2
    assert max(partners.values()) - min(partners.values()) <= 2


def test_a_duplicate_ladder_needs_teams_that_can_change_places(store: Store) -> None:
    with failing(Kind.WRONG_INPUT, match="With 5 seats the teams of Envite differ") as refused:
        create_ladder(
            store, "odd", "envite", seats=5, format=Format.DUPLICATE, partners=Partners.SAME
        )
    assert refused.value.field == "format"
    create_ladder(store, "odd", "envite", seats=5, format=Format.DUPLICATE, draw_probability=0.1)
    create_ladder(
        store,
        *("even", "envite"),
        seats=6,
        format=Format.DUPLICATE,
        partners=Partners.SAME,
        draw_probability=0.5,
    )


def test_an_option_is_checked_for_the_ladders_number_of_seats(store: Store) -> None:
    for seats, most in ((4, 1), (5, 1), (6, 2), (12, 5)):
        terms = {"game": "envite", "seats": seats, "draw_probability": 0.1}
        create_ladder(store, f"fits-{seats}", options={"captain_index": most}, **terms)  # type: ignore[arg-type]
        with failing(Kind.WRONG_INPUT, match=f"captain_index must be.* 0 to {most}") as refused:
            create_ladder(store, "not", options={"captain_index": most + 1}, **terms)  # type: ignore[arg-type]
        assert refused.value.field == "options"


@pytest.mark.parametrize("seats", range(4, 13))
def test_two_bots_play_a_ladder_of_any_number_of_seats(
    seats: int,
    new_ladder: Callable[..., Ladder],
    jobs_of: Callable[..., list[Job]],
    rng: Random,
) -> None:
    ladder = new_ladder("envite", seats=seats, partners=Partners.SAME)
    jobs = jobs_of(ladder, 10)
    sat = Counter(job.entrants[0].version for job in jobs)
    assert max(sat.values()) <= 4, "five bots take turns at the seats of team 0"
    for job in jobs:
        assert [e.version for e in job.entrants] == [
            job.entrants[seat % 2].version for seat in range(seats)
        ]
        assert job.entrants[0] != job.entrants[1]
    [match] = check(jobs[0], outcome_of(jobs[0], rng))
    ranks = list(match.record.result.ranks)
    assert ranks == [ranks[seat % 2] for seat in range(seats)]
    assert 1 in ranks[:2]


@pytest.mark.parametrize("sizes", [(3, 2), (2, 3), (6, 5)])
def test_a_smaller_team_that_is_as_strong_wins_and_loses_as_much(sizes: tuple[int, int]) -> None:
    teams = [[Skill()] * size for size in sizes]
    rater = Rater(0.005)
    won, lost = rater.rate(teams, [1, 2], even=True), rater.rate(teams, [2, 1], even=True)
    for after_win, after_loss in zip(won, lost, strict=True):
        for up, down in zip(after_win, after_loss, strict=True):
            assert up.mu + down.mu == pytest.approx(2 * Skill().mu)
            assert up.sigma == pytest.approx(down.sigma)


def test_teams_of_one_size_are_rated_as_ever() -> None:
    teams = [[Skill(20, 3), Skill(31, 2)], [Skill(27, 5), Skill(22, 1)]]
    rater = Rater(0.1)
    assert rater.rate(teams, [1, 2], even=True) == rater.rate(teams, [1, 2])
