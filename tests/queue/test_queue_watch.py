"""The queue, looked at from outside."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import psutil
import pytest

from arena.queue.embedded_valkey import EmbeddedValkey
from arena.queue.queue_watch import QueueSilent, QueueWatch
from arena.queue.redis_queue import Queue
from tests.support.queue_messages import new_job


@asynccontextmanager
async def watching(url: str) -> AsyncIterator[QueueWatch]:
    watch = QueueWatch(url)
    try:
        yield watch
    finally:
        await watch.close()


async def test_it_counts_jobs_and_the_workers_that_call(
    queue: Queue, valkey: EmbeddedValkey
) -> None:
    await queue.connect()
    async with watching(valkey.url) as watch:
        empty = await watch.look()
        assert (empty.waiting, empty.oldest_s, empty.in_play, empty.workers) == (0, 0, 0, ())
        for job_id in "abc":
            await queue.put(new_job(job_id))
        alone = await watch.look()
        assert (alone.waiting, alone.in_play, alone.workers) == (3, 0, ())
        assert alone.oldest_s >= 0
        assert await queue.take("host-w1", 2)
        [worker] = (taken := await watch.look()).workers
        assert (taken.waiting, taken.in_play) == (2, 1)
        assert (worker.name, worker.jobs) == ("host-w1", 1)


async def test_a_worker_that_analyses_is_one_that_calls(
    queue: Queue, valkey: EmbeddedValkey
) -> None:
    await queue.put(new_job("a").model_copy(update={"record": b"of a match"}))
    assert await queue.take("host-w1", 0)
    async with watching(valkey.url) as watch:
        found = await watch.look()
    assert (found.analyses, found.waiting, found.in_play) == (1, 0, 0)
    assert [(worker.name, worker.jobs) for worker in found.workers] == [("host-w1", 1)]


async def test_a_queue_that_has_lost_its_streams_is_silent(valkey: EmbeddedValkey) -> None:
    async with watching(valkey.url) as watch:
        with pytest.raises(QueueSilent, match="does not answer as it should"):
            await watch.look()


async def test_a_stopped_valkey_is_silent_until_it_goes_on(
    own_valkey: EmbeddedValkey,
) -> None:
    queue = Queue(own_valkey.url, bytes(32))
    await queue.connect()
    await queue.close()
    valkey = psutil.Process(own_valkey.pid)
    async with watching(own_valkey.url) as watch:
        assert (await watch.look()).waiting == 0
        valkey.send_signal(signal.SIGSTOP)
        try:
            with pytest.raises(QueueSilent):
                await watch.look()
        finally:
            valkey.send_signal(signal.SIGCONT)
        assert (await watch.look()).waiting == 0


async def test_a_cancellation_that_a_call_of_redis_swallows_is_raised(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def swallow() -> None:
        with suppress(asyncio.CancelledError):
            await asyncio.Event().wait()

    async with watching("redis://127.0.0.1:1") as watch:
        monkeypatch.setattr(watch, "_look", swallow)
        look = asyncio.create_task(watch.look())
        await asyncio.sleep(0)
        look.cancel()
        with pytest.raises(asyncio.CancelledError):
            await look
