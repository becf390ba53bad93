"""Workers that are blocked, and what workers say of themselves."""

from __future__ import annotations

import logging

import pytest
import redis

from arena.queue.embedded_valkey import EmbeddedValkey
from arena.queue.queue_watch import QueueWatch
from arena.queue.redis_queue import Queue
from arena.queue.worker_report import WorkerReport
from tests.support.queue_messages import KEY, new_job, outcome_of


async def test_a_blocked_machine_ends_what_it_plays_and_gets_no_more(
    queue: Queue, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    for job_id in ("first", "second", "third"):
        await queue.put(new_job(job_id))
    lease = await queue.take("slow-host-7", 1)
    assert lease
    await queue.announce({"v"}, {"slow-host"})
    assert await queue.take("slow-host-7", 0.05) is None
    assert await queue.take("slow-host-8", 0.05) is None
    assert await queue.heartbeat(lease)
    assert await queue.finish(lease, outcome_of(lease))
    assert await queue.take("slow-9", 1)
    await queue.announce({"v"})
    assert await queue.take("slow-host-7", 1)
    told = [one.message for one in caplog.records]
    assert told == [
        "this machine is blocked: it gets no jobs",
        "this machine may play again",
    ]


async def test_reports_are_read_of_workers_that_sign_them(
    queue: Queue, valkey: EmbeddedValkey, raw: redis.Redis
) -> None:
    await queue.put(new_job("a"))
    for worker in ("host-1", "host-2", "host-3"):
        await queue.take(worker, 0.05)
    report = WorkerReport(worker="host-1", version="7.7", at_once=2, jobs=("a",))
    await queue.report(report)
    words = raw.get("sevens:worker:host-1")
    assert isinstance(words, bytes)
    raw.set("sevens:worker:host-2", words)
    watch = QueueWatch(valkey.url)
    try:
        assert await watch.reports(KEY) == (report,)
        assert await watch.reports(bytes(32)) == ()
    finally:
        await watch.close()
    assert raw.ttl("sevens:worker:host-1") > 0
