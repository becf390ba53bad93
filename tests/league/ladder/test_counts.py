"""The counts behind pairings are written with the jobs that they count, whatever happens."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
import sqlalchemy as sa

from arena.league.job_rows import row_of
from arena.league.ladder.counts import read_counts
from arena.league.ladder.field import Field
from arena.league.ladder.ladder_jobs import LadderJobs
from arena.league.ladder.ladders import delete_ladder, withdraw
from arena.league.recorder import Recorder
from arena.queue.job import Job
from arena.store.queries import ladder_named
from arena.store.schema import Format, Ladder, Partners
from arena.store.session import Store
from sevens_games import load
from tests.support.pairing_counts import counted, stored

NewLadder = Callable[..., Ladder]
JobsOf = Callable[..., list[Job]]

LADDERS: list[tuple[str, dict[str, Any]]] = [
    ("xeri", {}),
    ("xeri", {"format": Format.DUPLICATE}),
    ("insidious-sevens", {"seats": 3}),
    ("seven-euchre", {}),
    ("seven-euchre", {"partners": Partners.SAME}),
]


def teams_of(ladder: Ladder) -> tuple[int, ...]:
    return tuple(load(ladder.game).teams(ladder.seats))


def assert_counted(store: Store, ladder: Ladder) -> None:
    with store.reading() as session:
        right = counted(session, ladder.name, teams_of(ladder))
        assert right[0]
        assert stored(session, ladder.name) == right


@pytest.mark.parametrize(("game", "terms"), LADDERS)
def test_the_counts_are_those_of_all_jobs(
    store: Store, new_ladder: NewLadder, rng: Random, game: str, terms: dict[str, Any]
) -> None:
    """Also of those that were parked, and of versions that have left."""
    ladder = new_ladder(game, **terms)
    with store.reading() as session:
        source = LadderJobs(session, ladder, rng)
    for keep in range(1, 12):
        if rng.random() < 0.3:  # the league is killed, and another goes on
            with store.reading() as session:
                source = LadderJobs(session, ladder, rng)
        with store.writing() as session:
            jobs = source.make(session, keep)
        if keep == 4:
            Recorder(store).park(jobs[0].job_id, "Nobody plays it.")
        if keep == 7 and game == "xeri":
            with store.writing() as session:
                withdraw(session, ladder, jobs[0].entrants[0].version)
    assert_counted(store, ladder)


@pytest.mark.parametrize(("game", "terms"), LADDERS)
def test_who_starts_again_knows_what_who_goes_on_knows(
    store: Store, new_ladder: NewLadder, rng: Random, game: str, terms: dict[str, Any]
) -> None:
    ladder = new_ladder(game, **terms)
    with store.writing() as session:
        source = LadderJobs(session, ladder, rng)
        jobs = source.make(session, 9)
    going_on = Field(teams_of(ladder), own_partners=ladder.partners == Partners.SAME)
    for job in jobs:
        going_on.count([entrant.version for entrant in job.entrants])
    again = Field(teams_of(ladder), own_partners=ladder.partners == Partners.SAME)
    with store.reading() as session:
        assert read_counts(session, ladder.name, again) == len(jobs)
        assert LadderJobs(session, ladder, rng).matches == source.matches
    for one in going_on.names:
        assert again.played_by(one) == going_on.played_by(one)
        assert again.seats_of(one) == going_on.seats_of(one)
        for other in going_on.names:
            if other != one:
                assert again.meetings(one, other) == going_on.meetings(one, other)
                assert again.partnerships(one, other) == going_on.partnerships(one, other)


def test_jobs_that_were_never_committed_do_not_count(
    store: Store, new_ladder: NewLadder, jobs_of: JobsOf, rng: Random
) -> None:
    ladder = new_ladder()
    jobs_of(ladder, 3)

    def make_one_twice() -> None:
        with store.writing() as session:
            [job, *_] = LadderJobs(session, ladder, rng).make(session, 6)
            session.add(row_of(job))

    with pytest.raises(sa.exc.IntegrityError):
        make_one_twice()
    assert_counted(store, ladder)
    jobs_of(ladder, 6)
    assert_counted(store, ladder)


def test_a_ladder_without_matches_can_be_deleted_with_its_counts(
    store: Store, new_ladder: NewLadder, jobs_of: JobsOf
) -> None:
    jobs_of(new_ladder(), 3)
    with store.writing() as session:
        delete_ladder(session, ladder_named(session, "main"))
    with store.reading() as session:
        assert stored(session, "main") == ({}, {})
    new_ladder()
