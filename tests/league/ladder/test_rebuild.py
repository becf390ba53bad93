"""Ratings rebuilt from the matches equal the stored ones, to the last bit."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
import sqlalchemy as sa

from arena.errors import Kind
from arena.league.ladder.rate import rebuild
from arena.league.recorder import Recorded, Recorder
from arena.queue.job import Job
from arena.store import schema
from arena.store.schema import Format, Ladder, Partners, Rating, RatingChange
from arena.store.session import Store
from arena.views.ladders.rating_history import rating_history
from arena.views.ladders.standing import Estimate, standings
from tests.support.failing import failing
from tests.support.job_outcomes import outcome_of

NewLadder = Callable[..., Ladder]
JobsOf = Callable[..., list[Job]]

LADDERS: list[tuple[str, dict[str, Any], int]] = [
    ("xeri", {"options": {"deals": 1}}, 25),
    ("xeri", {"format": Format.DUPLICATE, "options": {"deals": 1}, "draw_probability": None}, 15),
    ("insidious-sevens", {"seats": 3}, 10),
    ("seven-euchre", {}, 15),
    ("seven-euchre", {"partners": Partners.SAME, "format": Format.DUPLICATE}, 10),
    ("seven-euchre", {"format": Format.DUPLICATE}, 1),
]


def figures(store: Store) -> tuple[list[Any], list[Any]]:
    """Returns the running ratings and their history."""
    running = [one for one in Rating.__table__.columns if not one.name.startswith("fit_")]
    with store.reading() as session:
        ratings = session.execute(sa.select(*running))
        changes = session.execute(sa.select(*RatingChange.__table__.columns))
        return sorted(map(tuple, ratings)), sorted(map(tuple, changes))


@pytest.mark.parametrize(("game", "terms", "jobs"), LADDERS)
def test_a_rebuild_gives_the_same_figures(
    store: Store,
    new_ladder: NewLadder,
    jobs_of: JobsOf,
    rng: Random,
    game: str,
    terms: dict[str, Any],
    jobs: int,
) -> None:
    recorder = Recorder(store)
    queued = jobs_of(new_ladder(game, **terms), jobs)
    rng.shuffle(queued)
    for job in queued:
        everybody = range(len(job.entrants))
        at_fault = rng.choice([[], [], [], [0], [1], rng.sample(everybody, 2), everybody])
        assert recorder.record(outcome_of(job, rng, at_fault=at_fault)) == Recorded()
    kept = figures(store)
    assert rebuild(store, "main") == []
    assert figures(store) == kept
    with store.writing() as session:
        altered = session.scalars(sa.select(Rating).where(Rating.matches > 0)).all()[:1]
        altered[0].mu += 1e-12
    assert rebuild(store, "main") == [altered[0].version]
    assert figures(store) == kept


@pytest.fixture
def played(store: Store, new_ladder: NewLadder, jobs_of: JobsOf, rng: Random) -> list[Job]:
    """The jobs of a ladder that has been played and rated."""
    jobs = jobs_of(new_ladder(options={"deals": 1}), 8)
    for job in jobs:
        assert Recorder(store).record(outcome_of(job, rng)) == Recorded()
    return jobs


DAMAGE = [
    sa.delete(Rating).where(Rating.matches > 0),
    sa.delete(Rating),
    sa.delete(RatingChange),
    sa.delete(RatingChange).where(RatingChange.sequence == 3),
    sa.update(RatingChange).where(RatingChange.sequence == 3).values(mu=RatingChange.mu + 1e-12),
    sa.update(RatingChange).where(RatingChange.sequence == 8).values(sequence=9),
    sa.update(Rating).values(matches=0),
]


@pytest.mark.parametrize("damage", DAMAGE, ids=str)
def test_a_rebuild_repairs_ratings_and_their_history_and_names_whom_it_concerned(
    store: Store, played: list[Job], damage: Any
) -> None:
    kept = figures(store)
    with store.writing() as session:
        session.execute(damage)
    damaged = figures(store)
    concerned = {row[1] for row in {*kept[0]} ^ {*damaged[0]}}
    concerned |= {row[2] for row in {*kept[1]} ^ {*damaged[1]}}
    assert rebuild(store, "main") == sorted(concerned) != []
    assert figures(store) == kept
    assert rebuild(store, "main") == []


def test_a_rated_job_that_lost_its_number_receives_one(store: Store, played: list[Job]) -> None:
    with store.writing() as session:
        session.execute(sa.update(schema.Job).values(sequence=None))
    rebuild(store, "main")
    with store.reading() as session:
        numbers = session.scalars(sa.select(schema.Job.sequence)).all()
    assert (len(numbers), {*numbers}) == (len(played), {*range(1, len(played) + 1)})
    assert rebuild(store, "main") == []


@pytest.mark.parametrize(
    ("damage", "how"),
    [
        ("DELETE FROM match_seats WHERE seat = 1", "has lost seats"),
        ("DELETE FROM match_seats", "has lost seats"),
        ("UPDATE match_seats SET version = 'x'", "cannot be rated"),
        ("DELETE FROM jobs", "has lost its job"),
    ],
)
def test_damaged_matches_stop_a_rebuild_with_a_sentence(
    store: Store, played: list[Job], tmp_path: Path, damage: str, how: str
) -> None:
    kept = figures(store)
    with closing(sqlite3.connect(tmp_path / "arena.sqlite3")) as database, database:
        database.execute(damage)
    with failing(Kind.DAMAGED, match=rf"^In the store, the match \w+(-1)? {how}.*backup"):
        rebuild(store, "main")
    assert figures(store) == kept


def test_a_ladder_that_lost_ratings_is_played_and_rated(
    store: Store, new_ladder: NewLadder, jobs_of: JobsOf, rng: Random
) -> None:
    ladder = new_ladder(options={"deals": 1})
    with store.writing() as session:
        session.execute(sa.delete(Rating))
    for job in jobs_of(ladder, 8):
        assert Recorder(store).record(outcome_of(job, rng)) == Recorded()
    assert rebuild(store, "main") == []


def test_the_history_of_a_bot_ends_at_its_rating(
    store: Store, new_ladder: NewLadder, jobs_of: JobsOf, rng: Random
) -> None:
    recorder = Recorder(store)
    for job in jobs_of(new_ladder(options={"deals": 1}), 12):
        recorder.record(outcome_of(job, rng))
    with store.reading() as session:
        table = standings(session, "main")
        for entry in table:
            whole = rating_history(session, "main", entry.bot)
            changes = whole.changes
            assert (whole.next, len(changes)) == (None, entry.matches)
            now = changes[0].after
            assert (now.mu, now.sigma, changes[0].rating) == (entry.mu, entry.sigma, entry.rating)
            assert changes[-1].before == Estimate(mu=25.0, sigma=25 / 3)
            for later, earlier in pairwise(changes):
                assert later.sequence > earlier.sequence
                assert later.before == earlier.after
            paged, after = [], None
            while len(paged) < len(changes):
                page = rating_history(session, "main", entry.bot, after=after, limit=2)
                paged += page.changes
                after = page.next
            assert (tuple(paged), after) == (changes, None)
    assert [p.rating for p in table] == sorted((p.rating for p in table), reverse=True)
    assert table[0].place == 1


def test_a_ladder_that_is_not_there_cannot_be_rebuilt(store: Store, new_ladder: NewLadder) -> None:
    new_ladder()
    with failing(Kind.NOT_FOUND, match=r"There is no ladder 'mian'\. Did you mean main"):
        rebuild(store, "mian")
