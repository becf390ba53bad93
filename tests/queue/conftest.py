"""A real Valkey for the tests of the queue: one per session, emptied before each test."""

from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, closing
from pathlib import Path

import pytest
import redis

from arena.bots.sockets import private_folder
from arena.queue.embedded_valkey import EmbeddedValkey
from arena.queue.redis_queue import Queue
from tests.support.opened_queues import LEASE_S, OpenQueue
from tests.support.queue_messages import KEY


@pytest.fixture(scope="session")
def shared_valkey(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedValkey]:
    with EmbeddedValkey(tmp_path_factory.mktemp("valkey"), private_folder()) as valkey:
        yield valkey


@pytest.fixture
def valkey(shared_valkey: EmbeddedValkey) -> EmbeddedValkey:
    with redis.Redis.from_url(shared_valkey.url) as client:
        client.flushall()
    return shared_valkey


@pytest.fixture
def own_valkey(tmp_path: Path) -> Iterator[EmbeddedValkey]:
    """A Valkey that the test may kill."""
    with EmbeddedValkey(tmp_path / "valkey", private_folder()) as valkey:
        yield valkey


@pytest.fixture
def raw(valkey: EmbeddedValkey) -> Iterator[redis.Redis]:
    """Direct access to Redis, without the queue."""
    with closing(redis.Redis.from_url(valkey.url)) as client:
        yield client


@pytest.fixture
async def open_queue(valkey: EmbeddedValkey) -> AsyncIterator[OpenQueue]:
    """Opens queues on the shared Valkey, or elsewhere, and closes them after the test."""
    async with AsyncExitStack() as after:

        def opened(
            url: str = valkey.url,
            *,
            key: bytes = KEY,
            lease_s: float = LEASE_S,
            patience_s: float = 5,
        ) -> Queue:
            queue = Queue(url, key, lease_s=lease_s, patience_s=patience_s)
            after.push_async_callback(queue.close)
            return queue

        yield opened


@pytest.fixture
async def queue(open_queue: OpenQueue) -> Queue:
    queue = open_queue()
    await queue.connect()
    return queue
