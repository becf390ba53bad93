"""Matches in play, carried from workers to those who watch them by a real Valkey."""

import asyncio
from collections.abc import AsyncIterator

import pytest
import redis

from arena.queue import broadcast as module
from arena.queue.broadcast import FLAG_S, KEPT_MS, Broadcast, BroadcastFailed
from arena.queue.codec import packed
from arena.queue.embedded_valkey import EmbeddedValkey
from arena.queue.redis_queue import Queue
from tests.support.patience import PATIENCE_S
from tests.support.queue_messages import KEY, live_match, new_job

VALUE = "sevens:broadcast:a"


@pytest.fixture
async def broadcast(valkey: EmbeddedValkey) -> AsyncIterator[Broadcast]:
    async with Broadcast(valkey.url, KEY) as opened:
        yield opened


async def test_a_watched_match_is_seen_with_the_time_since_it_was_written(
    broadcast: Broadcast, raw: redis.Redis
) -> None:
    assert await broadcast.watched(["a", "b"]) == set()
    assert await broadcast.watch("a") is None
    assert await broadcast.watched(["a", "b"]) == {"a"}
    assert await broadcast.write(live_match("a"))
    raw.pexpire(VALUE, KEPT_MS - 7_000)  # as it would in seven seconds
    seen = await broadcast.watch("a")
    assert seen is not None
    assert seen.match.model_dump_json() == live_match("a").model_dump_json()
    assert 7_000 <= seen.passed_ms < KEPT_MS


async def test_flags_and_matches_expire(broadcast: Broadcast, raw: redis.Redis) -> None:
    await broadcast.watch("a")
    await broadcast.write(live_match("a"))
    assert set(raw.keys()) == {b"sevens:watched:a", VALUE.encode()}
    assert 0 < int(raw.pttl("sevens:watched:a")) <= FLAG_S * 1000
    assert 0 < int(raw.pttl(VALUE)) <= KEPT_MS


async def test_what_has_no_signature_for_that_job_is_not_believed(
    broadcast: Broadcast, raw: redis.Redis
) -> None:
    for forged in (
        b"not a message",
        packed(live_match("a"), bytes(32)),
        packed(live_match("b"), KEY),
        packed(new_job("a"), KEY),
    ):
        raw.set(VALUE, forged, px=KEPT_MS)
        assert await broadcast.watch("a") is None


async def test_a_value_of_another_kind_fails_until_a_worker_writes_over_it(
    broadcast: Broadcast, raw: redis.Redis
) -> None:
    raw.lpush(VALUE, "x")
    with pytest.raises(BroadcastFailed, match="WRONGTYPE"):
        await broadcast.watch("a")
    await broadcast.write(live_match("a"))
    assert await broadcast.watch("a")


async def test_a_match_that_has_become_too_long_is_not_written(
    broadcast: Broadcast, raw: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LIMIT_BYTES", 400)
    assert await broadcast.write(live_match("a"))
    assert not await broadcast.write(live_match("b", 1_000))
    assert raw.keys("sevens:broadcast:*") == [VALUE.encode()]


async def test_the_jobs_in_play_are_those_that_workers_have_taken(
    broadcast: Broadcast, queue: Queue
) -> None:
    for job_id in ("a", "b"):
        await queue.put(new_job(job_id))
    await queue.take("w-1", 0)
    assert await broadcast.in_play() == {"a"}


async def test_a_redis_that_has_ended_is_a_failure_at_once(own_valkey: EmbeddedValkey) -> None:
    async with Broadcast(own_valkey.url, KEY) as broadcast:
        await broadcast.watch("a")
        own_valkey._close()
        with pytest.raises(BroadcastFailed, match="does not answer as it should"):
            await broadcast.watch("a")


async def test_whoever_watches_can_be_cancelled_at_any_step(broadcast: Broadcast) -> None:
    async def watch_for_ever() -> None:
        while True:
            await broadcast.watch("a")

    await broadcast.watch("a")  # it is connected
    for steps in range(30):
        watching = asyncio.create_task(watch_for_ever())
        for _ in range(steps):
            await asyncio.sleep(0)
        watching.cancel()
        await asyncio.wait([watching], timeout=PATIENCE_S)
        assert watching.cancelled(), f"{steps} steps of the loop after its start"
