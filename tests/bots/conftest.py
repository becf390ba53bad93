"""Bots for tests, and hosts to run them on."""

from __future__ import annotations

import shutil
import uuid
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from arena.bots.host import Bot, Host
from arena.bots.isolation import Isolation
from arena.bots.references import find_bot
from arena.bots.source.program import Program
from tests.support.puppets import SCRIPTED, MakePuppet, StartPuppet, vanished

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
    """Creates a bot that runs puppet.py with some arguments; `limits` as in bot.toml."""

    def make(*argv: str, **limits: int) -> Program:
        folder = tmp_path / f"bot-{uuid.uuid4()}"
        folder.mkdir()
        shutil.copy(SCRIPTED / "puppet.py", folder)
        run = ["python", "puppet.py", mark, *argv]
        lines = ['name = "puppet"', f"run = {run}", "[limits]"]
        lines += [f"{name} = {value}" for name, value in limits.items()]
        (folder / "bot.toml").write_text("\n".join(lines))
        program = find_bot(str(folder))
        assert isinstance(program, Program)
        return program

    return make


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
