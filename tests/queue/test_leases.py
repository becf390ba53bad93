"""Jobs, and the leases under which workers hold them."""

import asyncio
import logging
from typing import Any

import pytest
import redis

from arena.queue import redis_queue
from arena.queue.codec import packed
from arena.queue.keys import JOBS, RESULTS, WORKERS
from arena.queue.redis_queue import Lease, Queue
from tests.support.clock import StoppedClock
from tests.support.opened_queues import LEASE_S, OpenQueue, age_leases, until_waiting
from tests.support.queue_messages import KEY, new_job, outcome_of
from tests.support.seats import until


async def taken(queue: Queue, worker: str = "w1", wait_s: float = 2) -> Lease:
    lease = await queue.take(worker, wait_s)
    assert lease is not None
    return lease


async def published(queue: Queue) -> list[tuple[str, str]]:
    """Returns the (job, worker) of each outcome that is waiting to be recorded."""
    outcomes = [delivered.outcome for delivered in await queue.outcomes(100, 0)]
    return [(outcome.job_id, outcome.worker) for outcome in outcomes if outcome]


async def test_jobs_are_taken_in_the_order_in_which_they_were_put(queue: Queue) -> None:
    for job_id in "abc":
        await queue.put(new_job(job_id))
    assert [(await taken(queue)).job for _ in "abc"] == [new_job(job_id) for job_id in "abc"]
    assert await queue.take("w1", 0) is None


async def test_a_worker_that_waits_gets_a_job_as_soon_as_it_is_put(
    queue: Queue, raw: redis.Redis
) -> None:
    waiting = asyncio.create_task(queue.take("w1", 60))
    await until_waiting(raw)
    await queue.put(new_job("a"))
    assert (await waiting).job.job_id == "a"


async def test_a_wait_may_be_longer_than_the_time_within_which_redis_must_answer(
    open_queue: OpenQueue, raw: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(redis_queue, "ANSWER_WITHIN_S", 0.2)
    monkeypatch.setattr(redis_queue, "LONGEST_BLOCK_S", 0.1)
    raw.config_resetstat()
    waiting = asyncio.create_task(open_queue().take("w1", 60))
    await until(lambda: _count(raw, "commandstats", "cmdstat_xreadgroup", "calls") > 5)
    await open_queue().put(new_job("a"))
    assert (await waiting).attempt == 1


async def test_a_finished_job_is_published_once_and_is_off_the_stream(
    queue: Queue, raw: redis.Redis
) -> None:
    await queue.put(new_job("a"))
    lease = await taken(queue)
    assert await queue.finish(lease, outcome_of(lease))
    assert await published(queue) == [("a", "w1")]
    assert raw.xlen(JOBS) == 0
    assert raw.xpending(JOBS, WORKERS)["pending"] == 0


async def test_of_a_stolen_lease_only_the_new_holder_publishes(
    queue: Queue, raw: redis.Redis
) -> None:
    await queue.put(new_job("a"))
    slow = await taken(queue, "slow")
    age_leases(raw)
    quick = await taken(queue, "quick")
    assert not await queue.finish(slow, outcome_of(slow))
    assert await queue.finish(quick, outcome_of(quick))
    assert not await queue.finish(slow, outcome_of(slow))
    assert await published(queue) == [("a", "quick")]


async def test_a_worker_asleep_past_its_lease_has_lost_it_for_all_purposes(
    queue: Queue, raw: redis.Redis
) -> None:
    await queue.put(new_job("a"))
    asleep = await taken(queue, "asleep")
    age_leases(raw)
    await taken(queue, "awake")
    assert not await queue.heartbeat(asleep)
    assert not await queue.finish(asleep, outcome_of(asleep))
    assert not await queue.give_back(asleep, "no sandbox")
    assert not await queue.fail(asleep, "no sandbox")
    assert await queue.results_waiting() == 0
    assert await queue.take("third", 0) is None


async def test_a_worker_that_takes_its_own_lost_job_holds_the_new_lease_only(
    queue: Queue, raw: redis.Redis
) -> None:
    await queue.put(new_job("a"))
    first = await taken(queue)
    age_leases(raw)
    second = await taken(queue)
    assert (first.attempt, second.attempt) == (1, 2)
    assert not await queue.heartbeat(first)
    assert not await queue.finish(first, outcome_of(first))
    assert await queue.finish(second, outcome_of(second))
    assert [one.outcome.attempt for one in await queue.outcomes(9, 0) if one.outcome] == [2]


async def test_heartbeats_keep_a_lease(queue: Queue, raw: redis.Redis) -> None:
    await queue.put(new_job("a"))
    lease = await taken(queue)
    for _ in range(6):
        age_leases(raw, LEASE_S / 3)
        assert await queue.heartbeat(lease)
        assert await queue.take("thief", 0) is None
    assert await queue.finish(lease, outcome_of(lease))


async def test_a_lost_job_is_found_by_a_worker_that_waits(queue: Queue, raw: redis.Redis) -> None:
    await queue.put(new_job("a"))
    await taken(queue, "lost")
    waiting = asyncio.create_task(taken(queue, "heir", wait_s=60))
    await until_waiting(raw)
    age_leases(raw)
    again = await waiting
    assert (again.job.job_id, again.attempt) == ("a", 2)


async def test_a_lost_job_is_found_behind_many_leases_that_are_alive(
    queue: Queue, raw: redis.Redis
) -> None:
    for number in range(30):
        await queue.put(new_job(str(number)))
    alive = [await taken(queue, "alive") for _ in range(29)]
    await taken(queue, "lost")
    age_leases(raw)
    for lease in alive:
        assert await queue.heartbeat(lease)
    assert (await taken(queue, "heir")).job.job_id == "29"


async def test_a_job_lost_three_times_is_reported_as_failed_and_not_taken(
    queue: Queue, raw: redis.Redis
) -> None:
    await queue.put(new_job("a"))
    for attempt in (1, 2, 3):
        assert (await taken(queue)).attempt == attempt
        age_leases(raw)
    assert await queue.take("w1", 0) is None
    [delivered] = await queue.outcomes(9, 0)
    assert delivered.outcome
    assert "lost" in delivered.outcome.failure
    assert delivered.outcome.result_token == "token of a"
    await queue.acknowledge(delivered)
    assert await queue.waiting_job_ids() == set()


async def test_a_job_given_back_counts_the_attempt_and_goes_to_the_end(queue: Queue) -> None:
    await queue.put(new_job("a"))
    await queue.put(new_job("b"))
    assert await queue.give_back(await taken(queue), "no sandbox")
    assert (await taken(queue)).job.job_id == "b"
    again = await taken(queue)
    assert (again.job, again.attempt) == (new_job("a"), 2)


async def test_a_job_given_back_three_times_is_reported_as_failed(queue: Queue) -> None:
    await queue.put(new_job("a"))
    for attempt in (1, 2, 3):
        lease = await taken(queue)
        assert lease.attempt == attempt
        assert await queue.give_back(lease, f"no sandbox, {attempt}")
    assert await queue.take("w1", 0) is None
    [delivered] = await queue.outcomes(9, 0)
    assert delivered.outcome
    assert delivered.outcome.failure == "no sandbox, 3"


async def test_attempts_lost_and_given_back_count_together(queue: Queue, raw: redis.Redis) -> None:
    await queue.put(new_job("a"))
    await queue.give_back(await taken(queue), "no sandbox")
    await taken(queue)
    age_leases(raw)
    third = await taken(queue)
    assert third.attempt == 3
    assert await queue.give_back(third, "no sandbox")
    assert await queue.results_waiting() == 1


async def test_while_too_many_results_wait_no_job_is_taken(
    queue: Queue, clock: StoppedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(redis_queue, "RESULTS_WAITING_LIMIT", 1)
    for job_id in "abc":
        await queue.put(new_job(job_id))
    for _ in "ab":
        lease = await taken(queue)
        assert await queue.finish(lease, outcome_of(lease))
    assert await queue.take("w1", 0) is None
    waiting = asyncio.create_task(queue.take("w1", 60))
    await clock.until_alarm(redis_queue.LONGEST_BLOCK_S)
    await queue.acknowledge((await queue.outcomes(1, 0))[0])
    await clock.advance(redis_queue.LONGEST_BLOCK_S)
    assert (await waiting).job.job_id == "c"


@pytest.mark.parametrize(
    "fields",
    [
        {"noise": b"\x00"},
        {"job_id": "bad", "job": b"\xff\xfe", "attempts": 0},
        {"job_id": "bad", "job": packed(new_job("bad"), KEY), "attempts": "many"},
        {"job_id": "bad", "attempts": 0},
    ],
    ids=["unknown field", "no message", "attempts no number", "no job"],
)
async def test_an_entry_that_holds_no_job_is_dropped_with_a_word(
    queue: Queue, raw: redis.Redis, caplog: pytest.LogCaptureFixture, fields: dict[Any, Any]
) -> None:
    raw.xadd(JOBS, fields)
    await queue.put(new_job("good"))
    with caplog.at_level(logging.ERROR):
        assert (await taken(queue, wait_s=0)).job.job_id == "good"
    assert "which is not a job" in caplog.text
    assert raw.xlen(JOBS) == raw.xpending(JOBS, WORKERS)["pending"] == 1


async def test_a_leased_entry_deleted_by_somebody_blocks_nothing(
    queue: Queue, raw: redis.Redis
) -> None:
    await queue.put(new_job("a"))
    lease = await taken(queue)
    age_leases(raw)
    raw.xdel(JOBS, lease.entry)
    await queue.put(new_job("b"))
    assert (await taken(queue, wait_s=0)).job.job_id == "b"
    assert raw.xpending(JOBS, WORKERS)["pending"] == 1
    assert not await queue.finish(lease, outcome_of(lease))


async def test_finishing_again_because_the_answer_was_lost_publishes_once(
    queue: Queue, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers_to_lose = 1
    settle = queue._settle

    async def settle_and_lose(**arguments: Any) -> Any:
        nonlocal answers_to_lose
        answer = await settle(**arguments)
        if answers_to_lose:
            answers_to_lose -= 1
            raise redis.exceptions.ConnectionError("the answer is lost")
        return answer

    monkeypatch.setattr(queue, "_settle", settle_and_lose)
    await queue.put(new_job("a"))
    lease = await taken(queue)
    assert await queue.finish(lease, outcome_of(lease))
    assert not answers_to_lose
    assert await published(queue) == [("a", "w1")]


async def test_waiting_job_ids_sees_jobs_queued_leased_and_finished(queue: Queue) -> None:
    for job_id in ("recorded", "finished", "leased", *map(str, range(250))):
        await queue.put(new_job(job_id))
    for _ in ("recorded", "finished"):
        lease = await taken(queue)
        assert await queue.finish(lease, outcome_of(lease))
    [recorded] = await queue.outcomes(1, 0)
    await queue.acknowledge(recorded)
    await taken(queue)
    assert await queue.waiting_job_ids() == {"finished", "leased", *map(str, range(250))}


async def test_waiting_job_ids_passes_over_what_others_put_there(
    queue: Queue, raw: redis.Redis
) -> None:
    raw.xadd(JOBS, {"noise": "1"})
    raw.xadd(RESULTS, {"job_id": b"\xff"})
    await queue.put(new_job("a"))
    assert await queue.waiting_job_ids() == {"a", "�"}


async def test_connecting_forgets_workers_long_gone_but_not_their_jobs(
    queue: Queue, raw: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    await queue.put(new_job("a"))
    await taken(queue, "holder")
    await queue.take("gone", 0.01)
    monkeypatch.setattr(redis_queue, "FORGET_WORKERS_AFTER_S", 0)
    await until(lambda: _idle_ms(raw, "gone") > 0)
    await queue.connect()
    assert [one["name"] for one in raw.xinfo_consumers(JOBS, WORKERS)] == [b"holder"]
    age_leases(raw)
    assert (await taken(queue, "heir")).job.job_id == "a"


async def test_a_job_handed_back_by_a_worker_that_stops_has_lost_no_attempt(queue: Queue) -> None:
    await queue.put(new_job("a"))
    for _ in range(redis_queue.ATTEMPTS + 1):
        lease = await taken(queue)
        assert lease.attempt == 1
        assert await queue.hand_back(lease)


async def alive(queue: Queue, *workers: str) -> None:
    """Lets workers ask for jobs while there is none."""
    for worker in workers:
        assert await queue.take(worker, 0) is None


async def test_a_job_is_left_to_a_worker_that_has_not_failed_on_it(open_queue: OpenQueue) -> None:
    queue = open_queue(lease_s=60)
    await queue.connect()
    await alive(queue, "sick", "healthy")
    await queue.put(new_job("a"))
    for _ in range(3 * redis_queue.ATTEMPTS):
        assert await queue.give_back(await taken(queue, "sick"), "no runtime")
        assert await queue.results_waiting() == 0
    lease = await taken(queue, "healthy")
    assert (lease.attempt, lease.failed_on) == (redis_queue.ATTEMPTS, {"sick"})
    assert await queue.finish(lease, outcome_of(lease))


@pytest.mark.parametrize(("workers", "fail"), [(2, 2), (5, redis_queue.ATTEMPTS)])
async def test_a_job_on_which_enough_workers_fail_is_reported_as_failed(
    open_queue: OpenQueue, workers: int, fail: int
) -> None:
    queue = open_queue(lease_s=60)
    await queue.connect()
    names = [f"w{number}" for number in range(workers)]
    await alive(queue, *names)
    await queue.put(new_job("a"))
    for name in [*names[:1] * redis_queue.ATTEMPTS, *names[1:fail]]:
        assert await queue.results_waiting() == 0
        assert await queue.give_back(await taken(queue, name), "no disk")
    assert await published(queue) == [("a", names[fail - 1])]


async def test_a_job_is_left_to_others_no_longer_than_ten_minutes(
    open_queue: OpenQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    queue = open_queue(lease_s=60)
    await queue.connect()
    await alive(queue, "sick", "busy")
    await queue.put(new_job("a"))
    for _ in range(redis_queue.ATTEMPTS):
        assert await queue.give_back(await taken(queue, "sick"), "no disk")
    assert await queue.results_waiting() == 0
    monkeypatch.setattr(redis_queue, "LEFT_TO_OTHERS_S", -1.0)
    assert await queue.give_back(await taken(queue, "sick"), "no disk")
    assert await published(queue) == [("a", "sick")]


async def test_a_worker_that_is_gone_is_not_waited_for(
    open_queue: OpenQueue, raw: redis.Redis
) -> None:
    queue = open_queue(lease_s=0.1)
    await queue.connect()
    await alive(queue, "gone")
    await until(lambda: _idle_ms(raw, "gone") > 100)
    await queue.put(new_job("a"))
    assert await queue.give_back(await taken(queue), "another version", for_good=True)
    assert await published(queue) == [("a", "w1")]


async def test_a_job_is_not_given_up_because_one_machine_kills_its_workers(
    open_queue: OpenQueue, raw: redis.Redis
) -> None:
    queue = open_queue(lease_s=60)
    await queue.connect()
    await alive(queue, "sick-1", "healthy-1")
    await queue.put(new_job("a"))
    lease = await taken(queue, "sick-1")
    for number in range(2 * redis_queue.ATTEMPTS):
        lost: Any = [JOBS, WORKERS, lease.worker, 0, lease.entry]
        raw.execute_command("XCLAIM", *lost, "IDLE", 61_000, "RETRYCOUNT", redis_queue.ATTEMPTS)
        lease = await taken(queue, f"sick-{number + 2}")
        assert (lease.attempt, lease.failed_on) == (redis_queue.ATTEMPTS, {"sick"})
    assert await queue.results_waiting() == 0


@pytest.mark.parametrize(
    ("workers", "machines"), [(("a-1", "a-2"), {"a"}), (("a", "b"), {"a", "b"})]
)
async def test_workers_of_one_machine_fail_as_one(
    open_queue: OpenQueue, workers: tuple[str, str], machines: set[str]
) -> None:
    queue = open_queue(lease_s=60)
    await queue.connect()
    await alive(queue, *workers, "other-1")
    await queue.put(new_job("a"))
    for worker in workers:
        assert await queue.give_back(await taken(queue, worker), "no disk")
    assert (await taken(queue, "other-1")).failed_on == machines


async def test_what_no_longer_plays_is_retired_once_something_is_announced(
    queue: Queue, raw: redis.Redis
) -> None:
    assert await queue.retired({"a", "b"}) == set()
    assert await queue.announce({"a", "b"})
    assert await queue.retired({"a", "b"}) == set()
    assert await queue.announce({"b"})
    assert await queue.retired({"a", "b"}) == {"a"}
    assert await queue.announce(set())
    assert await queue.retired({"a", "b"}) == {"a", "b"}
    raw.flushall()
    assert await queue.retired({"a", "b"}) == set()
    assert not await queue.announce(set())
    assert await queue.announce(set())


async def test_what_redis_has_no_room_for_waits_without_a_limit_and_is_logged_once(
    open_queue: OpenQueue,
    raw: redis.Redis,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(redis_queue, "LONGEST_PAUSE_S", 0.02)
    queue = open_queue(patience_s=0.1)
    await queue.connect()
    await queue.put(new_job("a"))
    lease = await taken(queue)
    raw.config_resetstat()
    raw.config_set("maxmemory", 1)
    try:
        waiting = [
            asyncio.create_task(queue.put(new_job("b"))),
            asyncio.create_task(queue.finish(lease, outcome_of(lease))),
        ]
        await until(lambda: _count(raw, "errorstats", "errorstat_OOM", "count") > 20)
        assert not any(task.done() for task in waiting)
        assert caplog.text.count("takes nothing at present") == 1
    finally:
        raw.config_set("maxmemory", 0)
    assert await asyncio.gather(*waiting) == [None, True]
    assert caplog.text.count("works again") == 1
    assert await published(queue) == [("a", "w1")]


def test_a_full_disk_is_no_room() -> None:
    for answer in (
        "MISCONF Errors writing to the AOF file: No space left on device",
        "Command # 1 (XACK …) of pipeline caused error: ('MISCONF Errors writing to the AOF',)",
        "ERR Error running script: @user_script:7: -MISCONF Errors writing to the AOF file",
    ):
        assert redis_queue.PASSING.search(answer)
    assert not redis_queue.PASSING.search("NOGROUP No such key 'sevens:jobs'")


def _count(raw: redis.Redis, section: str, name: str, what: str) -> int:
    """Returns how often Redis has run a command, or answered with an error."""
    info: dict[str, Any] = raw.info(section)
    return int(info.get(name, {what: 0})[what])


def _idle_ms(raw: redis.Redis, worker: str) -> int:
    """Returns the milliseconds since a worker has asked for something."""
    workers = raw.xinfo_consumers(JOBS, WORKERS)
    return next(int(one["idle"]) for one in workers if one["name"] == worker.encode())
