"""The embedded Valkey, and a queue whose server dies or loses its data."""

import asyncio
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from math import inf
from pathlib import Path

import psutil
import pytest
import redis
from redis.exceptions import BusyLoadingError

from arena.bots.sockets import private_folder
from arena.errors import Kind
from arena.queue.embedded_valkey import EmbeddedValkey
from arena.queue.keys import JOBS, PLAYING, RESULTS
from arena.queue.redis_queue import Queue, QueueUnreachable
from tests.support.failing import failing
from tests.support.opened_queues import OpenQueue, until_waiting
from tests.support.patience import PATIENCE_S, until
from tests.support.queue_messages import new_job, outcome_of

PARENT = """
import sys, time
from pathlib import Path
from arena.bots.sockets import private_folder
from arena.queue.embedded_valkey import EmbeddedValkey
with EmbeddedValkey(Path(sys.argv[1]), private_folder()) as valkey:
    print(valkey.pid, valkey.url, flush=True)
    time.sleep(60)
"""


@asynccontextmanager
async def kept_running(valkey: EmbeddedValkey) -> AsyncIterator[None]:
    keeper = asyncio.create_task(valkey.keep_running())
    yield
    keeper.cancel()
    with pytest.raises(asyncio.CancelledError):
        await keeper


def kill(valkey: EmbeddedValkey) -> None:
    """Kills it once its file has all that it knows: while the disk is busy, what came in the last
    two seconds is in its memory only."""
    with redis.Redis.from_url(valkey.url) as raw:
        until(lambda: not raw.info("persistence")["aof_buffer_length"], "its file is written")
    os.kill(valkey.pid, signal.SIGKILL)


async def leased_finished_and_queued(queue: Queue) -> None:
    for job_id in ("finished", "leased", "queued"):
        await queue.put(new_job(job_id))
    lease = await queue.take("w1", 1)
    assert lease
    assert await queue.finish(lease, outcome_of(lease))


async def test_a_killed_valkey_comes_back_with_jobs_leases_and_results(
    own_valkey: EmbeddedValkey, open_queue: OpenQueue
) -> None:
    queue = open_queue(own_valkey.url, lease_s=60)
    await leased_finished_and_queued(queue)
    lease = await queue.take("w1", 1)
    assert lease
    old = own_valkey.pid
    async with kept_running(own_valkey):
        kill(own_valkey)
        assert await queue.waiting_job_ids() == {"finished", "leased", "queued"}
        assert own_valkey.pid != old
        assert await queue.heartbeat(lease)
        queued = await queue.take("w2", 1)
        assert queued
        assert queued.job.job_id == "queued"
        assert await queue.finish(lease, outcome_of(lease))
        assert [one.job_id for one in await queue.outcomes(9, 1)] == ["finished", "leased"]


async def test_a_wait_for_a_job_outlives_the_server(
    own_valkey: EmbeddedValkey, open_queue: OpenQueue
) -> None:
    queue = open_queue(own_valkey.url)
    async with kept_running(own_valkey):
        waiting = asyncio.create_task(queue.take("w1", 60))
        with redis.Redis.from_url(own_valkey.url) as raw:
            await until_waiting(raw)
        kill(own_valkey)
        await queue.put(new_job("a"))
        lease = await waiting
    assert lease
    assert lease.job.job_id == "a"


async def test_after_the_loss_of_all_data_the_league_can_put_again(
    own_valkey: EmbeddedValkey, open_queue: OpenQueue
) -> None:
    queue = open_queue(own_valkey.url)
    await leased_finished_and_queued(queue)
    lease = await queue.take("w1", 1)
    assert lease
    kill(own_valkey)
    psutil.Process(own_valkey.pid).wait(PATIENCE_S)
    shutil.rmtree(own_valkey.folder)
    async with kept_running(own_valkey):
        assert await queue.waiting_job_ids() == set()
        assert not await queue.heartbeat(lease)
        await queue.put(new_job("leased"))
        again = await queue.take("w1", 1)
        assert again
        assert (again.job.job_id, again.attempt) == ("leased", 1)


@pytest.mark.parametrize("method", ["take", "outcomes", "heartbeat", "finish"])
async def test_each_method_brings_the_groups_back(
    queue: Queue, raw: redis.Redis, method: str
) -> None:
    await queue.put(new_job("a"))
    lease = await queue.take("w1", 1)
    assert lease
    raw.flushall()
    answer = {
        "take": lambda: queue.take("w1", 0),
        "outcomes": lambda: queue.outcomes(1, 0),
        "heartbeat": lambda: queue.heartbeat(lease),
        "finish": lambda: queue.finish(lease, outcome_of(lease)),
    }[method]
    assert not await answer()
    assert raw.xinfo_groups(JOBS)


@pytest.mark.parametrize("key", [JOBS, RESULTS, PLAYING])
async def test_what_is_not_of_our_kind_is_removed(queue: Queue, raw: redis.Redis, key: str) -> None:
    await queue.announce(["v"])
    raw.delete(key)
    raw.set(key, "x")
    assert await queue.take("w1", 0) is None
    assert await queue.outcomes(1, 0) == []
    assert await queue.waiting_job_ids() == set()
    assert await queue.retired(["w"]) <= {"w"}
    await queue.announce(["w"])
    await queue.put(new_job("a"))
    lease = await queue.take("w1", 1)
    assert lease
    assert await queue.finish(lease, outcome_of(lease))
    assert [one.job_id for one in await queue.outcomes(1, 0)] == ["a"]


async def test_a_wait_outlives_the_loss_of_all_data(queue: Queue, raw: redis.Redis) -> None:
    job = asyncio.create_task(queue.take("w1", 60))
    outcomes = asyncio.create_task(queue.outcomes(1, 60))
    await until_waiting(raw, clients=2)
    raw.flushall()
    await until_waiting(raw, clients=2)
    await queue.put(new_job("a"))
    lease = await job
    assert lease
    assert await queue.finish(lease, outcome_of(lease))
    assert [one.job_id for one in await outcomes] == ["a"]


async def test_a_redis_that_is_still_loading_is_asked_again(
    queue: Queue, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers: list[Exception | int] = [BusyLoadingError("loading"), BusyLoadingError("loading"), 7]

    async def xlen(_: str) -> int:
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    monkeypatch.setattr(queue._redis, "xlen", xlen)
    assert await queue.results_waiting() == 7


async def test_a_redis_that_does_not_answer_is_named_without_its_password(
    open_queue: OpenQueue,
) -> None:
    queue = open_queue("redis://arena:s3cret@127.0.0.1:1/0", patience_s=0.1)
    with pytest.raises(QueueUnreachable, match=r"redis://127.0.0.1:1/0 does not answer") as caught:
        await queue.connect()
    assert "s3cret" not in str(caught.value)
    assert ".." not in str(caught.value)
    with pytest.raises(QueueUnreachable):
        await queue.put(new_job("a"))


async def test_a_wrong_password_is_reported_at_once(
    own_valkey: EmbeddedValkey, open_queue: OpenQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.queue.redis_queue.FIRST_PATIENCE_S", inf)
    with redis.Redis.from_url(own_valkey.url) as client:
        client.config_set("requirepass", "right")
    queue = open_queue(f"{own_valkey.url}?password=wrong", patience_s=inf)
    with pytest.raises(QueueUnreachable, match="password"):
        await queue.connect()


def test_the_server_ends_with_the_block_and_its_socket_goes(tmp_path: Path) -> None:
    with EmbeddedValkey(tmp_path, private_folder()) as valkey:
        pid = valkey.pid
        socket = Path(valkey.url.removeprefix("unix://"))
        assert socket.is_socket()
    assert not psutil.pid_exists(pid)
    assert not socket.parent.exists()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a child with its parent")
def test_the_server_ends_when_its_parent_is_killed_and_the_next_has_its_data(
    tmp_path: Path,
) -> None:
    command = [sys.executable, "-c", PARENT, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout
        pid, url = parent.stdout.readline().split()
        server = psutil.Process(int(pid))
        with redis.Redis.from_url(url) as client:
            client.set("kept", "yes")
        parent.kill()
    # It may not have ended yet: the next one waits for it.
    with (
        EmbeddedValkey(tmp_path, private_folder()) as valkey,
        redis.Redis.from_url(valkey.url) as client,
    ):
        assert not server.is_running() or server.status() == psutil.STATUS_ZOMBIE
        assert client.get("kept") == b"yes"
    shutil.rmtree(Path(url.removeprefix("unix://")).parent)


def test_two_servers_never_share_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with EmbeddedValkey(tmp_path, private_folder()):
        monkeypatch.setattr("arena.queue.embedded_valkey.READY_WITHIN_S", 0.5)
        with failing(Kind.ARENA_FAILED, match="Another server is still running"):
            EmbeddedValkey(tmp_path, private_folder()).__enter__()


def test_a_spoiled_file_is_reported_in_the_words_of_the_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (
        EmbeddedValkey(tmp_path, private_folder()) as valkey,
        redis.Redis.from_url(valkey.url) as client,
    ):
        for number in range(100):
            client.set(str(number), "x" * 100)
    [written] = (tmp_path / "appendonlydir").glob("*.incr.aof")
    data = bytearray(written.read_bytes())
    data[1000:2000] = b"\x00" * 1000
    written.write_bytes(data)
    monkeypatch.setattr("arena.queue.embedded_valkey.READY_WITHIN_S", inf)  # it ends by itself
    with failing(Kind.ARENA_FAILED, match="Bad file format reading the append only file"):
        EmbeddedValkey(tmp_path, private_folder()).__enter__()


def test_a_folder_that_is_a_file_is_reported(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    with failing(Kind.ARENA_FAILED, match=r"File exists: .*file"):
        EmbeddedValkey(file, private_folder()).__enter__()


def test_a_start_that_failed_leaves_no_socket_folder(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    valkey = EmbeddedValkey(file, private_folder())
    with failing(Kind.ARENA_FAILED):
        valkey.__enter__()
    assert not Path(valkey.url.removeprefix("unix://")).parent.exists()


async def test_keep_running_says_it_if_the_server_does_not_come_back(
    own_valkey: EmbeddedValkey,
) -> None:
    kill(own_valkey)
    shutil.rmtree(own_valkey.folder)
    own_valkey.folder.touch()
    with failing(Kind.ARENA_FAILED):
        await own_valkey.keep_running()
