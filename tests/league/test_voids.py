"""Void matches count for nothing, and may count again, to the last bit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import pytest
import sqlalchemy as sa

from arena.league.aggregates import recount
from arena.league.ladder.rate import rebuild
from arena.league.recorder import Recorded, Recorder
from arena.league.voids import unvoid_jobs, void_jobs
from arena.queue.job import Job
from arena.store.schema import (
    DecisionTimes,
    Entry,
    EntryState,
    Format,
    Ladder,
    Match,
    MeetingResults,
    Partners,
    Rating,
    RatingChange,
    SeatResults,
    Version,
    table_of,
)
from arena.store.session import Store
from arena.views.competition import match_totals
from arena.views.matches.fault import find_faults
from arena.views.matches.match import match_counts, match_named
from arena.views.matches.match_filter import MatchFilter
from arena.views.matches.match_list import count_matches, find_matches
from tests.support.job_outcomes import outcome_of

WHY = "The machine was overloaded."
KINDS = (Rating, RatingChange, SeatResults, MeetingResults, DecisionTimes)
TERMS: list[tuple[str, dict[str, Any]]] = [
    ("xeri", {"options": {"deals": 1}}),
    ("xeri", {"options": {"deals": 1}, "format": Format.DUPLICATE}),
    ("seven-euchre", {"partners": Partners.SAME, "format": Format.DUPLICATE}),
]


def following(store: Store) -> dict[str, Any]:
    """Returns everything that follows from matches. Fits see only every tenth job."""
    with store.reading() as session:
        found: dict[str, Any] = {}
        for kind in KINDS:
            columns = [one for one in table_of(kind).columns if not one.name.startswith("fit_")]
            found[kind.__tablename__] = sorted(map(tuple, session.execute(sa.select(*columns))))
        found["faults"] = sorted(session.execute(sa.select(Version.digest, Version.faults)).all())
        entries = sa.select(Entry.version, Entry.state, Entry.suspended_for)
        found["entries"] = sorted(map(tuple, session.execute(entries)))
        found["matches"] = (match_counts(session), match_totals(session, ["main"]))
        found["listed"] = find_matches(session, limit=1000)
        found["of faults"] = find_faults(session, limit=1000)
        return found


def played(store: Store, jobs: Sequence[Job], rng: Random) -> None:
    for job in jobs:
        at_fault = rng.choice([[], [], [0], [1], range(len(job.entrants))])
        assert Recorder(store).record(outcome_of(job, rng, at_fault=at_fault)) == Recorded()


@pytest.mark.parametrize(("game", "terms"), TERMS)
def test_what_is_void_has_never_been_until_it_counts_again(
    store: Store,
    new_ladder: Callable[..., Ladder],
    jobs_of: Callable[..., list[Job]],
    rng: Random,
    game: str,
    terms: dict[str, Any],
) -> None:
    ladder = new_ladder(game, fault_quota=1, **terms)
    jobs = jobs_of(ladder, 12)
    played(store, jobs[:-3], rng)
    before = following(store)
    played(store, jobs[-3:], rng)
    after = following(store)
    last, middle = {job.job_id for job in jobs[-3:]}, {job.job_id for job in jobs[3:6]}
    for chosen in (last, middle):
        with store.writing() as session:
            found = void_jobs(session, chosen, WHY)
        assert found == {"main": sum(len(job.seatings) for job in jobs if job.job_id in chosen)}
        assert following(store) != after
        if chosen is last:
            assert following(store) == before
        assert rebuild(store, "main") == []
        assert not recount(store, "main").changed
        with store.writing() as session:
            assert unvoid_jobs(session, chosen) == found
        assert following(store) == after
        assert rebuild(store, "main") == []


def test_void_matches_are_listed_apart_with_their_reason(
    store: Store,
    new_ladder: Callable[..., Ladder],
    jobs_of: Callable[..., list[Job]],
    rng: Random,
) -> None:
    jobs = jobs_of(new_ladder(options={"deals": 1}, format=Format.DUPLICATE), 3)
    played(store, jobs, rng)
    with store.writing() as session:
        void_jobs(session, {jobs[1].job_id}, WHY)
    with store.reading() as session:
        void = find_matches(session, MatchFilter(void=True))
        assert [(one.job, one.void) for one in void.matches] == [(jobs[1].job_id, WHY)] * 2
        for counting in (MatchFilter(), MatchFilter(bot=jobs[1].entrants[0].bot)):
            listed = find_matches(session, counting, limit=100).matches
            assert {one.void for one in listed} <= {None}
            assert jobs[1].job_id not in {one.job for one in listed}
            assert count_matches(session, counting).number == len(listed)
        assert match_named(session, void.matches[0].match).void == WHY


def test_a_suspension_ends_with_the_fault_that_was_too_many(
    store: Store,
    new_ladder: Callable[..., Ladder],
    jobs_of: Callable[..., list[Job]],
    rng: Random,
) -> None:
    [job] = jobs_of(new_ladder(options={"deals": 1}, fault_quota=0), 1)
    version = job.entrants[0].version
    assert Recorder(store).record(outcome_of(job, rng, at_fault=[0])) == Recorded()

    def entry() -> tuple[EntryState, str | None]:
        with store.reading() as session:
            found = session.get_one(Entry, ("main", version))
            return found.state, found.suspended_for

    with store.reading() as session:
        match = session.scalars(sa.select(Match.id)).one()
    assert entry() == (EntryState.SUSPENDED, match)
    with store.writing() as session:
        void_jobs(session, {job.job_id}, WHY)
    assert entry() == (EntryState.ACTIVE, None)
    with store.writing() as session:
        unvoid_jobs(session, {job.job_id})
    assert entry() == (EntryState.SUSPENDED, match)
