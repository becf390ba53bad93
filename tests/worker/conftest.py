"""A real Valkey for the tests of workers, emptied before each test."""

from collections.abc import AsyncIterator, Iterator

import pytest
import redis

from arena.bots.sockets import private_folder
from arena.queue.embedded_valkey import EmbeddedValkey
from arena.queue.redis_queue import Queue
from tests.support.opened_queues import LEASE_S
from tests.support.queue_messages import KEY


@pytest.fixture(scope="session")
def valkey(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedValkey]:
    with EmbeddedValkey(tmp_path_factory.mktemp("valkey"), private_folder()) as valkey:
        yield valkey


@pytest.fixture
def raw(valkey: EmbeddedValkey) -> Iterator[redis.Redis]:
    """Direct access to Redis, without the queue."""
    with redis.Redis.from_url(valkey.url) as client:
        client.flushall()
        yield client


@pytest.fixture
async def queue(valkey: EmbeddedValkey, raw: redis.Redis) -> AsyncIterator[Queue]:
    queue = Queue(valkey.url, KEY, lease_s=LEASE_S, patience_s=2)
    await queue.connect()
    yield queue
    await queue.close()
