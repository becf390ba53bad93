"""Whoever has Redis, and nothing else, can neither invent a result nor change one."""

import logging
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from random import Random
from typing import Any, TypeAlias

import pytest
import redis.asyncio
import sqlalchemy as sa
import zstandard

from arena.league.recorder import Recorder
from arena.league.scheduler import Scheduler
from arena.queue.embedded_valkey import EmbeddedValkey
from arena.queue.job import Job, Outcome
from arena.queue.keys import JOBS, RESULTS
from arena.queue.redis_queue import Queue
from arena.store.schema import Job as JobRow
from arena.store.schema import JobState, Ladder, Match
from arena.store.session import Store
from tests.support.job_outcomes import outcome_of
from tests.support.queue_messages import KEY

Thief: TypeAlias = Any
"""A `redis.asyncio.Redis`; its annotations know nothing of bytes."""


@pytest.fixture
async def thief(valkey: EmbeddedValkey) -> AsyncIterator[Thief]:
    """Somebody who has Redis, but not the key."""
    async with aclosing(redis.asyncio.Redis.from_url(valkey.url)) as client:
        yield client


@pytest.fixture
async def jobs(
    queue: Queue,
    new_ladder: Callable[..., Ladder],
    jobs_of: Callable[..., list[Job]],
) -> list[Job]:
    """Two jobs of a ladder, on the queue."""
    jobs = jobs_of(new_ladder(options={"deals": 1}), 2)
    for job in jobs:
        await queue.put(job)
    return jobs


async def settled(queue: Queue, store: Store) -> Recorder:
    """Returns a recorder that has settled all that has arrived."""
    recorder = Recorder(store)
    for delivered in await queue.outcomes(100, 0):
        assert recorder.settle([delivered])
        await queue.acknowledge(delivered)
    return recorder


async def play(queue: Queue, rng: Random) -> Job:
    """Plays the next job and reports it."""
    lease = await queue.take("w1", 0)
    assert lease is not None
    outcome = outcome_of(lease.job, rng, attempt=lease.attempt)
    assert await queue.finish(lease, outcome)
    return lease.job


def recorded(store: Store) -> set[str]:
    """Returns the jobs of all matches; every other job must still be queued."""
    with store.reading() as session:
        played = set(session.scalars(sa.select(Match.job)))
        for row in session.scalars(sa.select(JobRow)):
            assert row.state == (JobState.RECORDED if row.id in played else JobState.QUEUED)
    return played


def as_bytes(outcome: Outcome) -> bytes:
    return zstandard.compress(outcome.model_dump_json().encode())


@pytest.mark.parametrize("signature", [b"", bytes(32), KEY])
async def test_an_invented_result_is_dropped_and_its_job_played(
    store: Store,
    queue: Queue,
    jobs: list[Job],
    thief: Thief,
    rng: Random,
    signature: bytes,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """It is true to the rules and has the job's token, which is on the stream for all to read."""
    forged = signature + as_bytes(outcome_of(jobs[0], rng))
    for _ in range(4):  # as often as would park the job
        await thief.xadd(RESULTS, {"job_id": jobs[0].job_id, "outcome": forged})
        with caplog.at_level(logging.ERROR):
            assert (await settled(queue, store)).dropped == 1
    assert f"{jobs[0].job_id!r} is dropped, 1 so far: It is not signed" in caplog.text
    assert recorded(store) == set()
    assert {(await play(queue, rng)).job_id for _ in jobs} == {job.job_id for job in jobs}
    await settled(queue, store)
    assert recorded(store) == {job.job_id for job in jobs}


async def test_a_result_that_was_altered_is_dropped_and_its_job_played_again(
    store: Store, queue: Queue, jobs: list[Job], thief: Thief, rng: Random
) -> None:
    first, second = await play(queue, rng), await play(queue, rng)
    [(_, one), (_, other)] = await thief.xrange(RESULTS)
    await thief.xtrim(RESULTS, maxlen=0)
    signature, true = one[b"outcome"][:32], one[b"outcome"][32:]
    for outcome in (
        signature + as_bytes(outcome_of(first, rng)),  # another course of the match
        signature + true[:-1],
        other[b"outcome"],  # another job's result
        other[b"outcome"][:32] + true,
    ):
        await thief.xadd(RESULTS, {b"job_id": one[b"job_id"], b"outcome": outcome})
    assert (await settled(queue, store)).dropped == 4
    assert recorded(store) == set()
    await Scheduler(store, queue).put_again()
    assert {(await play(queue, rng)).job_id for _ in jobs} == {first.job_id, second.job_id}
    await settled(queue, store)
    assert recorded(store) == {first.job_id, second.job_id}


async def test_a_result_counts_for_the_latest_offer_of_its_job_only(
    store: Store, queue: Queue, jobs: list[Job], thief: Thief, rng: Random
) -> None:
    """Otherwise one could hold results back, and choose one of them."""
    await play(queue, rng)
    [(_, held_back)] = await thief.xrange(RESULTS)
    await thief.xtrim(RESULTS, maxlen=0)
    await Scheduler(store, queue).put_again()
    await thief.xadd(RESULTS, held_back)
    assert (await settled(queue, store)).dropped == 1
    assert recorded(store) == set()


async def test_a_result_that_is_repeated_is_recorded_once(
    store: Store, queue: Queue, jobs: list[Job], thief: Thief, rng: Random
) -> None:
    job = await play(queue, rng)
    [(_, result)] = await thief.xrange(RESULTS)
    for _ in range(3):
        await thief.xadd(RESULTS, result)
    await settled(queue, store)
    with store.reading() as session:
        assert session.scalars(sa.select(Match.job)).all() == [job.job_id]


async def test_a_job_that_was_altered_is_not_played(
    store: Store, queue: Queue, jobs: list[Job], thief: Thief
) -> None:
    entries = await thief.xrange(JOBS)
    await thief.xtrim(JOBS, maxlen=0)
    mine = jobs[0].model_copy(update={"entrants": jobs[0].entrants[:1] * 2})
    body = zstandard.compress(mine.model_dump_json().encode())
    (_, one), (_, other) = entries
    for job in (body, one[b"job"][:32] + body, other[b"job"]):
        await thief.xadd(JOBS, {**one, b"job": job})
    assert await queue.take("w1", 0) is None
    assert await thief.xlen(JOBS) == 0
    await Scheduler(store, queue).put_again()
    assert await thief.xlen(JOBS) == 2
