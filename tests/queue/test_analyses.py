"""Matches to be analysed wait behind those to be played, and are leased as they are."""

import pytest
import redis

from arena.queue import redis_queue
from arena.queue.job import Job
from arena.queue.keys import ANALYSES, JOBS
from arena.queue.redis_queue import Lease, Queue
from tests.support.opened_queues import age_leases
from tests.support.queue_messages import new_job, outcome_of


def analysis(job_id: str) -> Job:
    return new_job(job_id).model_copy(update={"record": b"\x00 a record \xff"})


async def taken(queue: Queue, worker: str = "w1") -> Lease:
    lease = await queue.take(worker, 0)
    assert lease is not None
    return lease


async def test_an_analysis_waits_until_no_match_does(queue: Queue, raw: redis.Redis) -> None:
    for job in (analysis("a"), new_job("b"), new_job("c")):
        await queue.put(job)
    assert (raw.xlen(JOBS), raw.xlen(ANALYSES)) == (2, 1)
    assert await queue.waiting_job_ids() == {"a", "b", "c"}
    assert [(await taken(queue)).job.job_id for _ in range(3)] == ["b", "c", "a"]
    assert (await queue.in_play(), await queue.analysed()) == (2, {"a"})


async def test_matches_without_end_do_not_hold_it_up_for_ever(
    queue: Queue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(redis_queue, "MATCHES_PER_ANALYSIS", 2)
    for job in (*map(analysis, "ab"), *map(new_job, "stuvwx")):
        await queue.put(job)
    order = [(await taken(queue)).job.job_id for _ in range(8)]
    assert order == ["s", "t", "a", "u", "v", "b", "w", "x"]


async def test_a_lost_one_is_taken_again_and_published_once(queue: Queue, raw: redis.Redis) -> None:
    await queue.put(analysis("a"))
    slow = await taken(queue, "slow")
    assert await queue.heartbeat(slow)
    age_leases(raw, stream=ANALYSES)
    quick = await taken(queue, "quick")
    assert (quick.job, quick.attempt) == (analysis("a"), 2)
    assert not await queue.heartbeat(slow)
    assert not await queue.finish(slow, outcome_of(slow))
    assert await queue.finish(quick, outcome_of(quick))
    assert [one.job_id for one in await queue.outcomes(9, 0)] == ["a"]
    assert (raw.xlen(ANALYSES), await queue.analysed()) == (0, set())


async def test_one_that_is_given_back_is_still_an_analysis(queue: Queue) -> None:
    await queue.put(analysis("a"))
    assert await queue.give_back(await taken(queue), "no memory")
    await queue.put(new_job("b"))
    assert [(await taken(queue)).job.job_id for _ in range(2)] == ["b", "a"]
