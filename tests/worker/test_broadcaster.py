"""Which matches a worker broadcasts, and what a failing Redis does to them, on a real Valkey."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import redis

from arena.bots.interface import Listener, PendingDecision
from arena.bots.sockets import private_folder
from arena.match.timekeeper import Timekeeper
from arena.queue.broadcast import Broadcast, Seen
from arena.queue.embedded_valkey import EmbeddedValkey
from arena.queue.job import Outcome
from arena.queue.redis_queue import Lease
from arena.records.record import read_compressed
from arena.worker import broadcaster
from arena.worker.broadcaster import broadcasting
from arena.worker.play_job import play_job
from arena.worker.process_pool import Pool
from tests.support.clock import StoppedClock
from tests.support.queue_messages import KEY
from tests.support.stand_ins import Stable, StandIn, StandInLine, new_job

LOOK_EVERY_S, THINKS_S = 0.05, 0.04


class Slow(StandIn):
    """Thinks for a moment before each choice."""

    def sit(self, match_id: str, listener: Listener) -> StandInLine:
        return SlowLine(self, listener)


class SlowLine(StandInLine):
    def ask(self, pending: PendingDecision) -> None:
        asyncio.get_running_loop().call_later(THINKS_S, super().ask, pending)


@pytest.fixture(autouse=True)
def broadcasters_look_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broadcaster, "LOOK_EVERY_S", LOOK_EVERY_S)


@pytest.fixture
def valkey(tmp_path: Path) -> Iterator[EmbeddedValkey]:
    with EmbeddedValkey(tmp_path / "valkey", private_folder()) as valkey:
        yield valkey


@pytest.fixture
async def broadcast(valkey: EmbeddedValkey) -> AsyncIterator[Broadcast]:
    async with Broadcast(valkey.url, KEY) as opened:
        yield opened


@asynccontextmanager
async def playing(
    broadcast: Broadcast, clock: StoppedClock
) -> AsyncIterator["asyncio.Task[Outcome]"]:
    """Plays a job of one match while it may be watched; it is over when the context ends."""

    async def healthy() -> None:
        pass

    timekeeper, pool = Timekeeper(), Pool(Stable(Slow).start)
    keeping = asyncio.create_task(timekeeper.run())
    async with broadcasting(broadcast) as observing:
        lease = Lease(new_job(), b"", "w", 1, 1)
        job = play_job(lease, pool, timekeeper, healthy, observing=observing)
        play = asyncio.create_task(job)
        yield play
        while not play.done():
            await clock.advance(THINKS_S)
    keeping.cancel()
    await pool.close()


async def next_look(clock: StoppedClock) -> None:
    """Lets time pass until the broadcaster has looked at the match once more."""
    await clock.advance(LOOK_EVERY_S)
    await clock.until_alarm(LOOK_EVERY_S)


def choices(outcome: Outcome) -> list[tuple[int, str, int]]:
    [match] = outcome.matches
    record = read_compressed(match.record).record
    return [(one.seat, one.action, one.milliseconds) for one in record.choices]


async def test_a_watched_match_is_broadcast_from_its_first_deal_on(
    broadcast: Broadcast, clock: StoppedClock
) -> None:
    seen: list[Seen] = []
    async with playing(broadcast, clock) as play:
        for _ in range(10):  # whoever comes late misses nothing
            await next_look(clock)
        while not play.done():
            if found := await broadcast.watch("a"):
                seen.append(found)
            await next_look(clock)
    [match] = play.result().matches
    record = read_compressed(match.record).record
    assert len({len(one.match.choices) for one in seen}) > 5
    for one in seen:
        got = one.match
        assert (got.job_id, got.attempt, got.match_number) == ("a", 1, 1)
        assert list(got.choices) == choices(play.result())[: len(got.choices)]
        assert [list(cards) for cards in got.shuffles] == [
            list(shuffle.cards) for shuffle in record.shuffles
        ][: len(got.shuffles)]
        assert got.extents[-1].choices == len(got.choices)
        ages = [extent.age_ms for extent in got.extents]
        assert ages == sorted(ages, reverse=True)
        counts = [extent.choices for extent in got.extents]
        assert counts == sorted(counts)
        assert counts[0] <= 2  # it was followed before it was watched


async def test_nothing_is_written_of_a_match_that_nobody_watches(
    broadcast: Broadcast, valkey: EmbeddedValkey, clock: StoppedClock
) -> None:
    async with playing(broadcast, clock) as play:
        while not play.done():
            await next_look(clock)
    assert play.result().matches
    with redis.Redis.from_url(valkey.url) as raw:
        assert raw.keys() == []


async def test_nothing_is_written_any_more_when_nobody_watches_any_more(
    broadcast: Broadcast, valkey: EmbeddedValkey, clock: StoppedClock
) -> None:
    with redis.Redis.from_url(valkey.url) as raw:
        async with playing(broadcast, clock) as play:
            while await broadcast.watch("a") is None:
                await next_look(clock)
            raw.delete("sevens:watched:a")
            before = raw.get("sevens:broadcast:a")
            for _ in range(5):
                await next_look(clock)
            assert not play.done()
            assert raw.get("sevens:broadcast:a") == before


async def test_the_loss_of_redis_does_not_harm_the_match(
    broadcast: Broadcast, valkey: EmbeddedValkey, clock: StoppedClock
) -> None:
    async with playing(broadcast, clock) as play:
        while await broadcast.watch("a") is None:
            await next_look(clock)
        valkey._close()
    assert len(choices(play.result())) > 20
    [match] = play.result().matches
    assert not read_compressed(match.record).record.faults
