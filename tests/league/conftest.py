"""A store with one or more ladders, and a real Valkey."""

import hashlib
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
import redis

from arena.bots.sockets import private_folder
from arena.league.ladder.ladder_jobs import LadderJobs
from arena.league.ladder.ladders import create_ladder, enter
from arena.queue.embedded_valkey import EmbeddedValkey
from arena.queue.job import Job
from arena.queue.redis_queue import Queue
from arena.store.schema import Ladder
from arena.store.session import Store
from arena.store.versions import add_version
from tests.support.new_store import new_store
from tests.support.queue_messages import KEY

BOTS = ["ann", "bob", "cy", "di", "eve"]


@pytest.fixture
def rng(seed: int) -> Random:
    return Random(seed)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = new_store(tmp_path)
    yield store
    store.close()


@pytest.fixture
def new_ladder(store: Store) -> Callable[..., Ladder]:
    """Creates a ladder that all of BOTS have entered."""

    def make(game: str = "xeri", name: str = "main", **terms: Any) -> Ladder:
        ladder = create_ladder(store, name, game, **{"draw_probability": 0.05} | terms)
        with store.writing() as session:
            for bot in BOTS:
                digest = hashlib.sha256(bot.encode()).hexdigest()
                add_version(session, bot=bot, owner=bot.title(), version=digest, manifest={})
                enter(session, ladder, digest)
        return ladder

    return make


@pytest.fixture
def jobs_of(store: Store, rng: Random) -> Callable[..., list[Job]]:
    """Returns new jobs of a ladder, queued in the store."""

    def make(ladder: Ladder, count: int) -> list[Job]:
        with store.writing() as session:
            return LadderJobs(session, ladder, rng).make(session, count)

    return make


@pytest.fixture(scope="session")
def valkey(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedValkey]:
    with EmbeddedValkey(tmp_path_factory.mktemp("valkey"), private_folder()) as valkey:
        yield valkey


@pytest.fixture
async def queue(valkey: EmbeddedValkey) -> AsyncIterator[Queue]:
    with redis.Redis.from_url(valkey.url) as client:
        client.flushall()
    queue = Queue(valkey.url, KEY)
    await queue.connect()
    yield queue
    await queue.close()
