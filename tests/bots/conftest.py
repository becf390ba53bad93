"""Bots for tests, and hosts to run them on."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path

import pytest

from arena.bots.host import Bot, Host
from arena.bots.isolation import Isolation
from tests.support.puppets import MakePuppet, StartPuppet, new_puppet, vanished

ISOLATIONS = [
    pytest.param(Isolation.BUBBLEWRAP, marks=pytest.mark.needs("bubblewrap")),
    Isolation.NONE,
]


@pytest.fixture
def mark() -> Iterator[str]:
    """An argument passed to the test's bots. After the test, no process may have it."""
    mark = f"mark-{uuid.uuid4()}"
    yield mark
    vanished(mark)


@pytest.fixture
def make_puppet(tmp_path: Path, mark: str) -> MakePuppet:
    """Creates bots with the mark, which run puppet.py."""
    return partial(new_puppet, tmp_path, mark)


@pytest.fixture(params=ISOLATIONS)
def isolation(request: pytest.FixtureRequest) -> Isolation:
    isolation: Isolation = request.param
    return isolation


@pytest.fixture
async def start_puppet(isolation: Isolation, make_puppet: MakePuppet) -> AsyncIterator[StartPuppet]:
    """Starts puppets, each on a host that is closed after the test."""
    async with AsyncExitStack() as hosts:

        async def start(*argv: str, grace: float = 20.0, **limits: int) -> Bot:
            host = await hosts.enter_async_context(Host(isolation, grace))
            return await host.start(make_puppet(*argv, **limits))

        yield start
