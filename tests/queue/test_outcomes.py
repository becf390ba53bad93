"""Outcomes on their way to the recorder."""

import hmac

import redis

from arena.queue.keys import RECORDERS, RESULTS
from arena.queue.redis_queue import Queue
from tests.support.opened_queues import OpenQueue
from tests.support.queue_messages import KEY, new_job, outcome_of


async def finish(queue: Queue, *job_ids: str) -> None:
    for job_id in job_ids:
        await queue.put(new_job(job_id))
        lease = await queue.take("w1", 1)
        assert lease
        assert await queue.finish(lease, outcome_of(lease))


async def delivered(queue: Queue, count: int = 100) -> list[tuple[str, int]]:
    return [(one.job_id, one.times) for one in await queue.outcomes(count, 0)]


async def test_an_outcome_arrives_as_it_was_sent(queue: Queue) -> None:
    await queue.put(new_job("a"))
    lease = await queue.take("w1", 1)
    assert lease
    await queue.finish(lease, outcome_of(lease))
    [arrived] = await queue.outcomes(1, 1)
    assert (arrived.outcome, arrived.problem) == (outcome_of(lease), "")


async def test_outcomes_not_acknowledged_come_again_after_a_restart_and_are_counted(
    queue: Queue, open_queue: OpenQueue
) -> None:
    await finish(queue, "a", "b")
    assert await delivered(queue) == [("a", 1), ("b", 1)]
    restarted = open_queue()
    assert await delivered(restarted) == [("a", 2), ("b", 2)]
    assert await delivered(restarted, count=1) == [("a", 3)]


async def test_those_delivered_before_come_first(queue: Queue) -> None:
    await finish(queue, "a")
    assert await delivered(queue) == [("a", 1)]
    await finish(queue, "b")
    assert await delivered(queue) == [("a", 2)]


async def test_an_acknowledged_outcome_does_not_come_again(queue: Queue, raw: redis.Redis) -> None:
    await finish(queue, "a", "b", "c")
    [a, b, _] = await queue.outcomes(9, 0)
    await queue.acknowledge(b)
    assert await delivered(queue) == [("a", 2), ("c", 2)]
    await queue.acknowledge(a)
    await queue.acknowledge(a)
    assert await delivered(queue) == [("c", 3)]
    assert raw.xlen(RESULTS) == raw.xpending(RESULTS, RECORDERS)["pending"] == 1


async def test_bytes_that_are_no_outcome_are_delivered_with_the_problem(
    queue: Queue, raw: redis.Redis
) -> None:
    raw.xadd(RESULTS, {"job_id": "forged", "outcome": b"garbage"})
    signature = hmac.digest(KEY, b"Outcome 3 bad garbage", "sha256")
    raw.xadd(RESULTS, {"job_id": "bad", "outcome": signature + b"garbage"})
    raw.xadd(RESULTS, {"noise": "1"})
    await finish(queue, "good")
    forged, bad, nameless, good = await queue.outcomes(9, 0)
    assert (forged.job_id, forged.outcome, forged.signed) == ("forged", None, False)
    assert "is not signed" in forged.problem
    assert (bad.job_id, bad.outcome, bad.signed) == ("bad", None, True)
    assert "cannot be unpacked" in bad.problem
    assert (nameless.job_id, nameless.outcome, nameless.signed) == ("", None, False)
    assert nameless.problem
    assert good.outcome
    assert good.signed
    await queue.acknowledge(forged)
    await queue.acknowledge(bad)
    assert await delivered(queue) == [("", 2), ("good", 2)]


async def test_an_outcome_deleted_by_somebody_does_not_hide_the_others(
    queue: Queue, raw: redis.Redis
) -> None:
    await finish(queue, "a", "b")
    [a, _] = await queue.outcomes(2, 0)
    raw.xdel(RESULTS, a.entry)
    assert await delivered(queue, count=1) == []
    assert await delivered(queue, count=1) == [("b", 2)]
