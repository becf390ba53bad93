"""A queue on a Redis that demands TLS, or a user with few rights."""

import asyncio
import hashlib
import re
import ssl
import subprocess
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import redis

from arena.queue.broadcast import Broadcast
from arena.queue.embedded_valkey import EmbeddedValkey
from arena.queue.redis_queue import Queue, QueueUnreachable
from arena.queue.worker_report import WorkerReport
from tests.support.free_port import free_port
from tests.support.opened_queues import OpenQueue
from tests.support.queue_messages import KEY, live_match, new_job, outcome_of
from tests.support.whole_arena.strangers import certificate

PAGE = Path(__file__).parents[2] / "docs" / "deploying.md"
USERS = Path(__file__).parents[2] / "deploy" / "users.conf"
PASSWORD = "a long one"


async def plays_a_job(queue: Queue) -> None:
    """Does all that leagues and workers do with a queue."""
    await queue.connect()
    for job_id in ("lost", "played"):
        await queue.put(new_job(job_id))
    lost = await queue.take("w1", 1)
    assert lost
    assert await queue.hand_back(lost)
    lease = await queue.take("w1", 1)
    assert lease
    assert await queue.give_back(lease, "no disk")
    assert await queue.announce({"played"}, {"other"})
    await queue.report(WorkerReport(worker="w1", version="0", at_once=1))
    assert await queue.retired({"played", "retired"}) == {"retired"}
    for _ in range(2):
        lease = await queue.take("w1", 1)
        assert lease
        assert await queue.heartbeat(lease)
        assert await queue.finish(lease, outcome_of(lease))
    assert await queue.waiting_job_ids() == {"lost", "played"}
    for delivered in await queue.outcomes(9, 0):
        assert delivered.signed
        await queue.acknowledge(delivered)
    assert await queue.results_waiting() == 0


async def broadcasts_a_match(url: str) -> None:
    """Does all that workers and pages do with a broadcast."""
    async with Broadcast(url, KEY) as broadcast:
        assert await broadcast.watch("played") is None
        assert await broadcast.watched(["played"]) == {"played"}
        assert await broadcast.write(live_match("played"))
        assert await broadcast.watch("played")
        assert await broadcast.in_play() == set()


@asynccontextmanager
async def behind_tls(valkey: EmbeddedValkey, key: Path, chain: Path) -> AsyncIterator[int]:
    """Puts TLS in front of a Valkey, as that of the arena has none; yields the port."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(chain, key)

    async def pump(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        while data := await source.read(65_536):
            target.write(data)
        target.close()

    async def connect(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        ahead, back = await asyncio.open_unix_connection(valkey.url.removeprefix("unix://"))
        await asyncio.gather(pump(source, back), pump(ahead, target), return_exceptions=True)

    server = await asyncio.start_server(connect, "127.0.0.1", 0, ssl=context)
    async with server:
        yield server.sockets[0].getsockname()[1]


@pytest.mark.needs("openssl")
async def test_a_queue_is_reached_by_tls_if_its_certificate_is_trusted(
    valkey: EmbeddedValkey, open_queue: OpenQueue, tmp_path: Path
) -> None:
    (tmp_path / "other").mkdir()
    key, chain = certificate(tmp_path, "DNS:localhost")
    _, other = certificate(tmp_path / "other", "DNS:localhost")
    async with behind_tls(valkey, key, chain) as port:
        await plays_a_job(open_queue(f"rediss://localhost:{port}?ssl_ca_certs={chain}"))
        advice = r"add \?ssl_ca_certs=FILE to the address"
        for address, told in (
            (f"rediss://localhost:{port}?ssl_ca_certs={other}", advice),  # another in the middle
            (f"rediss://localhost:{port}", advice),
            (f"rediss://127.0.0.1:{port}?ssl_ca_certs={chain}", advice),  # not its name
            (f"redis://localhost:{port}", "is the address right"),
        ):
            queue = open_queue(address, patience_s=0)
            with pytest.raises(QueueUnreachable, match=told):
                await queue.connect()


def users(change: Callable[[str], str]) -> list[list[str]]:
    """Returns the words of the users in `deploy/users.conf`, their text changed."""
    lines = (line for line in USERS.read_text().splitlines() if line.startswith("user "))
    return [change(line).split()[1:] for line in lines]


async def test_the_user_of_users_conf_can_do_what_the_arena_does_and_no_more(
    own_valkey: EmbeddedValkey, open_queue: OpenQueue
) -> None:
    digest = hashlib.sha256(PASSWORD.encode()).hexdigest()
    default, arena = users(lambda line: line.replace("0" * 64, digest))
    with redis.Redis.from_url(own_valkey.url) as admin:
        admin.set("else", "where")
        for user in (arena, default):  # from then on nobody else may do anything
            admin.execute_command("ACL", "SETUSER", *user)
    url = f"{own_valkey.url}?username=arena&password={PASSWORD.replace(' ', '%20')}"
    await plays_a_job(open_queue(url))
    await broadcasts_a_match(url)
    with redis.Redis.from_url(url) as user:
        for command in (
            *("FLUSHALL", "MONITOR", "KEYS *", "CONFIG GET *", "ACL LIST", "SAVE", "GET else"),
            *("SET else x", "CLIENT LIST", "SHUTDOWN", "XTRIM sevens:jobs MAXLEN 0"),
        ):
            with pytest.raises(redis.exceptions.NoPermissionError):
                user.execute_command(*command.split())
    for refused in (own_valkey.url, url.replace("%20", "")):
        with pytest.raises(QueueUnreachable, match="does not answer"):
            await open_queue(refused, patience_s=0).connect()


@pytest.mark.needs("openssl", "redis")
async def test_redis_of_a_distribution_runs_as_the_page_says(
    open_queue: OpenQueue, tmp_path: Path
) -> None:
    [command] = re.findall(r"^ +(redis-server .*)$", PAGE.read_text(), re.MULTILINE)
    certificate(tmp_path, "DNS:localhost")
    digest = hashlib.sha256(b"x").hexdigest()
    (tmp_path / "users.conf").write_text(USERS.read_text().replace("0" * 64, digest))
    port = free_port()
    for printed, here in (("/etc/arena", tmp_path), ("/var/lib/redis", tmp_path), ("6379", port)):
        command = command.replace(printed, str(here))
    with subprocess.Popen(command.split(), stdout=subprocess.DEVNULL) as server:
        try:
            url = f"rediss://arena:x@localhost:{port}?ssl_ca_certs={tmp_path}/chain.pem"
            queue = open_queue(url)
            await until_it_answers(queue)
            await plays_a_job(queue)
            await broadcasts_a_match(url)
        finally:
            server.terminate()


async def until_it_answers(queue: Queue) -> None:
    async with asyncio.timeout(30):
        while True:
            try:
                return await queue.connect()
            except QueueUnreachable:  # it is being started
                await asyncio.sleep(0.05)
