"""The scheduler and the recorder at work, on a real Valkey."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from random import Random

import pytest
import redis
import sqlalchemy as sa

from arena.league.recorder import Recorder
from arena.league.scheduler import Scheduler
from arena.queue.cancellation import cancellations
from arena.queue.embedded_valkey import EmbeddedValkey
from arena.queue.job import Job
from arena.queue.redis_queue import Queue
from arena.store import schema
from arena.store.queries import job_counts
from arena.store.schema import JobState, Ladder
from arena.store.session import Store
from tests.support.job_outcomes import outcome_of, reported
from tests.support.queue_messages import KEY

NewLadder = Callable[..., Ladder]
JobsOf = Callable[..., list[Job]]


def counts(store: Store) -> dict[JobState, int]:
    with store.reading() as session:
        return job_counts(session, "main")


def queued_ids(store: Store) -> set[str]:
    with store.reading() as session:
        return set(
            session.scalars(sa.select(schema.Job.id).where(schema.Job.state == JobState.QUEUED))
        )


async def work(queue: Queue, rng: Random) -> None:
    """Runs a worker until it is cancelled."""
    while not cancellations():
        lease = await queue.take("w1", 0.2)
        if lease is not None:
            await queue.finish(lease, outcome_of(lease.job, rng, attempt=lease.attempt))


@asynccontextmanager
async def running(*coroutines: Coroutine[object, object, None]) -> AsyncIterator[None]:
    tasks = [asyncio.ensure_future(coroutine) for coroutine in coroutines]
    yield
    for task in tasks:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def test_a_ladder_runs_until_it_has_its_matches(
    store: Store, queue: Queue, valkey: EmbeddedValkey, new_ladder: NewLadder, rng: Random
) -> None:
    new_ladder(options={"deals": 1})
    scheduler = Scheduler(store, queue, until_over=True, matches=20, keep=4, rng=rng)
    recorder = Recorder(store, scheduler.wake)
    workers, results = Queue(valkey.url, KEY), Queue(valkey.url, KEY)
    async with running(recorder.run(results), work(workers, rng)):
        await asyncio.wait_for(scheduler.run(), 20)
    assert counts(store) == {
        JobState.QUEUED: 0,
        JobState.RECORDED: 20,
        JobState.PARKED: 0,
        JobState.DROPPED: 0,
    }
    assert await queue.waiting_job_ids() == set()
    await asyncio.gather(workers.close(), results.close())


async def test_a_few_jobs_are_kept_queued(
    store: Store, queue: Queue, new_ladder: NewLadder, rng: Random
) -> None:
    new_ladder()
    scheduler = Scheduler(store, queue, keep=3, rng=rng)
    await scheduler.refill()
    assert await queue.waiting_job_ids() == queued_ids(store)
    assert len(queued_ids(store)) == 3
    await scheduler.refill()
    assert len(queued_ids(store)) == 3


async def test_more_jobs_are_kept_the_more_the_workers_take(
    store: Store, queue: Queue, new_ladder: NewLadder, rng: Random
) -> None:
    new_ladder()
    scheduler = Scheduler(store, queue, keep=3, rng=rng)
    for kept, taken in ((3, 3), (9, 9), (21, 10), (23, 0), (23, 0)):
        await scheduler.announce()
        await scheduler.refill()
        assert len(queued_ids(store)) == kept
        already = await queue.in_play()
        for _ in range(taken - already):
            assert await queue.take("w1", 0.2)


async def test_a_cancellation_that_a_call_of_redis_swallows_is_not_the_end_of_the_matches(
    store: Store,
    queue: Queue,
    new_ladder: NewLadder,
    rng: Random,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    new_ladder()
    scheduler = Scheduler(store, queue, rng=rng)
    waiting = asyncio.Event()

    async def swallow() -> None:
        with suppress(asyncio.CancelledError):
            waiting.set()
            await asyncio.Event().wait()

    monkeypatch.setattr(scheduler, "refill", swallow)
    task = asyncio.create_task(scheduler.run())
    await waiting.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_what_was_lost_with_redis_is_put_again_and_can_be_recorded(
    store: Store, queue: Queue, new_ladder: NewLadder, jobs_of: JobsOf, rng: Random
) -> None:
    lost, leased, reported_ = jobs_of(new_ladder(), 3)
    await queue.put(leased)
    assert await queue.take("w1", 0.2)
    await queue.put(reported_)
    lease = await queue.take("w1", 0.2)
    assert lease
    outcome = outcome_of(lease.job, rng)
    await queue.finish(lease, outcome)
    await Scheduler(store, queue, rng=rng).put_again()
    again = await queue.take("w2", 0.2)
    assert again
    assert again.job.job_id == lost.job_id
    assert again.job.result_token != lost.result_token  # only its hash is stored
    assert again.job == lost.model_copy(update={"result_token": again.job.result_token})
    assert await queue.take("w2", 0.05) is None  # the others are on their way
    await queue.finish(again, outcome_of(again.job, rng))
    recorder = Recorder(store)
    for delivered in await queue.outcomes(10, 0.2):
        assert recorder.settle([delivered])
    assert queued_ids(store) == {leased.job_id}


async def test_jobs_are_put_again_within_seconds_when_redis_was_emptied(
    store: Store, queue: Queue, valkey: EmbeddedValkey, new_ladder: NewLadder, rng: Random
) -> None:
    new_ladder()
    async with running(Scheduler(store, queue, keep=2, rng=rng).run()):
        async with asyncio.timeout(25):
            while len(await queue.waiting_job_ids()) < 2:
                await asyncio.sleep(0.05)
        with redis.Redis.from_url(valkey.url) as client:
            client.flushall()
        async with asyncio.timeout(25):
            while await queue.waiting_job_ids() != queued_ids(store):
                await asyncio.sleep(0.05)


async def test_workers_are_told_which_versions_play(
    store: Store, queue: Queue, new_ladder: NewLadder, rng: Random
) -> None:
    ladder = new_ladder()
    with store.reading() as session:
        entered = set(session.scalars(sa.select(schema.Entry.version)))
    scheduler = Scheduler(store, queue, rng=rng)
    assert await scheduler.announce()
    assert entered
    assert await queue.retired({*entered, "another"}) == {"another"}
    retired = min(entered)
    with store.writing() as session:
        entry = session.get_one(schema.Entry, (ladder.name, retired))
        entry.state = schema.EntryState.SUSPENDED
    assert await scheduler.announce()
    assert await queue.retired(entered) == {retired}


async def test_a_job_is_a_row_before_it_is_on_the_stream(
    store: Store, queue: Queue, new_ladder: NewLadder, rng: Random
) -> None:
    """The arena is killed between the two: the next one publishes the row."""
    new_ladder()
    scheduler = Scheduler(store, queue, keep=2, rng=rng)
    made = scheduler._make()
    assert queued_ids(store) == {job.job_id for job in made}
    assert await queue.waiting_job_ids() == set()
    await Scheduler(store, queue, keep=2, rng=rng).put_again()
    assert await queue.waiting_job_ids() == queued_ids(store)


async def test_a_wrong_result_is_delivered_three_times_and_then_parks_its_job(
    store: Store, queue: Queue, new_ladder: NewLadder, jobs_of: JobsOf, rng: Random
) -> None:
    wrong, right = jobs_of(new_ladder(), 2)
    for job in (wrong, right):
        await queue.put(job)
        lease = await queue.take("w1", 0.2)
        assert lease
        good = outcome_of(job, rng)
        await queue.finish(lease, good if job is right else reported(job, []))
    settled = asyncio.Event()

    def settle() -> None:
        if not queued_ids(store):
            settled.set()

    async with running(Recorder(store, settle).run(queue)):
        await asyncio.wait_for(settled.wait(), 25)
    assert counts(store) == {
        JobState.QUEUED: 0,
        JobState.RECORDED: 1,
        JobState.PARKED: 1,
        JobState.DROPPED: 0,
    }
    assert await queue.waiting_job_ids() == set()
    with store.reading() as session:
        parked = session.scalars(
            sa.select(schema.Job).where(schema.Job.state == JobState.PARKED)
        ).one()
    assert parked.id == wrong.job_id
    assert parked.reason.endswith("The job has 1 matches, the outcome 0.")


async def test_what_was_committed_but_not_acknowledged_is_acknowledged_the_next_time(
    store: Store, queue: Queue, new_ladder: NewLadder, jobs_of: JobsOf, rng: Random
) -> None:
    """The recorder is killed after the commit."""
    [job] = jobs_of(new_ladder(), 1)
    await queue.put(job)
    lease = await queue.take("w1", 0.2)
    assert lease
    await queue.finish(lease, outcome_of(job, rng))
    [delivered] = await queue.outcomes(1, 0.2)
    assert Recorder(store).settle([delivered])
    assert await queue.waiting_job_ids() == {job.job_id}
    settled = asyncio.Event()
    async with running(Recorder(store, settled.set).run(queue)):
        await asyncio.wait_for(settled.wait(), 25)
    assert await queue.waiting_job_ids() == set()
    assert counts(store)[JobState.RECORDED] == 1


async def test_a_ladder_that_cannot_go_on_ends_the_run(
    store: Store, queue: Queue, new_ladder: NewLadder, rng: Random
) -> None:
    new_ladder()
    with store.writing() as session:
        session.execute(sa.delete(schema.Entry))
    await asyncio.wait_for(Scheduler(store, queue, until_over=True, matches=5, rng=rng).run(), 25)
