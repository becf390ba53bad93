"""The fit of a ladder: stored by a rebuild and by a running arena, whatever the order of jobs."""

import asyncio
from collections import Counter
from collections.abc import Callable
from random import Random

import pytest
import sqlalchemy as sa

from arena.league.ladder.fitted_ratings import Fits
from arena.league.ladder.rate import rebuild
from arena.league.recorder import Recorded, Recorder
from arena.queue.job import Job
from arena.ratings import RatedSeat, fit, job_result
from arena.store import schema
from arena.store.queries import ladder_named
from arena.store.schema import Format, Ladder, Match
from arena.store.session import Store
from arena.views.ladders.standing import standings
from tests.support.job_outcomes import outcome_of

NewLadder = Callable[..., Ladder]
JobsOf = Callable[..., list[Job]]
Fitted = dict[str, tuple[float, float] | None]


def record(store: Store, jobs: list[Job], rng: Random) -> None:
    for job in jobs:
        at_fault = rng.choice([[], [], [], [0], range(len(job.entrants))])
        assert Recorder(store).record(outcome_of(job, rng, at_fault=at_fault)) == Recorded()


def fitted(store: Store) -> tuple[int | None, Fitted]:
    """Returns the number of the last job that the fit has seen, and the fit."""
    with store.reading() as session:
        until = ladder_named(session, "main").fitted_jobs
        placings = standings(session, "main")
        fits = {one.version: one.fit for one in placings}
        return until, {one: (fit.mu, fit.sigma) if fit else None for one, fit in fits.items()}


def last_number(store: Store) -> int | None:
    with store.reading() as session:
        return session.scalar(sa.select(sa.func.max(schema.Job.sequence)))


@pytest.mark.parametrize(
    ("game", "terms", "jobs"),
    [
        ("xeri", {"format": Format.DUPLICATE, "options": {"deals": 1}}, 8),
        ("insidious-sevens", {"seats": 3}, 8),
        ("seven-euchre", {}, 10),
    ],
)
def test_a_rebuild_stores_the_fit_of_all_rated_jobs(
    store: Store,
    new_ladder: NewLadder,
    jobs_of: JobsOf,
    rng: Random,
    game: str,
    terms: dict[str, object],
    jobs: int,
) -> None:
    record(store, jobs_of(new_ladder(game, **terms), jobs), rng)
    assert fitted(store)[0] is None
    rebuild(store, "main")
    results = Counter()
    with store.reading() as session:
        for job in session.scalars(sa.select(schema.Job).where(schema.Job.sequence.is_not(None))):
            matches = session.scalars(
                sa.select(Match).where(Match.job == job.id, Match.rated).order_by(Match.number)
            )
            seats = [[RatedSeat(s.version, s.team, s.rank) for s in one.seats] for one in matches]
            results[job_result(seats)] += 1
        right = fit(results, ladder_named(session, "main").draw_probability)
    until, found = fitted(store)
    assert until == last_number(store) == sum(results.values())
    assert {version: one for version, one in found.items() if one is not None} == {
        version: (skill.mu, skill.sigma) for version, skill in right.items()
    }


def test_the_fit_does_not_depend_on_the_order_of_the_jobs(
    store: Store, new_ladder: NewLadder, jobs_of: JobsOf, rng: Random
) -> None:
    record(store, jobs_of(new_ladder(options={"deals": 1}), 12), rng)
    rebuild(store, "main")
    before = fitted(store)
    with store.writing() as session:
        rated = session.scalars(sa.select(schema.Job).where(schema.Job.sequence.is_not(None))).all()
        numbers = [job.sequence for job in rated]
        for job in rated:
            job.sequence = None
        session.flush()
        rng.shuffle(numbers)
        for job, number in zip(rated, numbers, strict=True):
            job.sequence = number
    rebuild(store, "main")
    assert fitted(store) == before


def test_a_running_arena_renews_a_fit_when_a_tenth_more_jobs_are_rated(
    store: Store, new_ladder: NewLadder, jobs_of: JobsOf, rng: Random
) -> None:
    jobs = jobs_of(new_ladder(options={"deals": 1}), 23)
    fits = Fits(store)

    def play(count: int) -> None:
        for _ in range(count):
            assert Recorder(store).record(outcome_of(jobs.pop(), rng)) == Recorded()

    asyncio.run(fits.renew(0.1))
    assert fitted(store)[0] is None
    for count, until in ((20, 20), (2, 20), (1, 23)):
        play(count)
        asyncio.run(fits.renew(0.1))
        assert fitted(store)[0] == until
    renewed = fitted(store)
    rebuild(store, "main")
    assert fitted(store) == renewed


def test_a_running_arena_leaves_a_damaged_ladder_alone(
    store: Store,
    new_ladder: NewLadder,
    jobs_of: JobsOf,
    rng: Random,
    caplog: pytest.LogCaptureFixture,
) -> None:
    record(store, jobs_of(new_ladder(options={"deals": 1}), 5), rng)
    with store.writing() as session:
        session.execute(sa.delete(schema.MatchSeat).where(schema.MatchSeat.seat == 1))
    fits = Fits(store)
    for _ in range(2):
        asyncio.run(fits.renew())
    assert fitted(store)[0] is None
    [line] = caplog.messages
    assert "cannot be rated (A match needs two teams.)" in line
    assert "put a backup of the data folder back" in line
