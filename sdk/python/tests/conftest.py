import os
import shutil
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from scripted_arena import Arena, BotProcess, Connect, RunBot, Stream, start_process

PRELUDE = "from sevens_sdk import *\nimport asyncio, json, sys, time\n"


@pytest_asyncio.fixture
async def arena() -> AsyncIterator[Arena]:
    # pytest's own folders may be too long for the path of a socket.
    folder = Path(tempfile.mkdtemp(prefix="sdk-"))
    arena = Arena(folder)
    await arena.open()
    yield arena
    await arena.close()
    shutil.rmtree(folder)


@pytest_asyncio.fixture
async def run_bot(arena: Arena, tmp_path: Path) -> AsyncIterator[RunBot]:
    """Starts a bot from its source, which need not import the SDK."""
    started: list[BotProcess] = []

    async def run_bot(source: str, **environment: str) -> BotProcess:
        program = tmp_path / "bot.py"
        program.write_text(PRELUDE + source)
        inherited = {name: value for name, value in os.environ.items() if "ARENA_" not in name}
        settings = {"ARENA_ADDRESS": arena.address, "ARENA_TOKEN": "secret", **environment}
        bot = BotProcess(
            await start_process(
                str(program), folder=tmp_path, environment={**inherited, **settings}
            )
        )
        started.append(bot)
        return bot

    yield run_bot
    for bot in started:
        if bot.process.returncode is None:
            bot.process.kill()
            await bot.process.communicate()


@pytest.fixture
def connect(arena: Arena, run_bot: RunBot) -> Connect:
    """Starts a bot and welcomes it."""

    async def connect(source: str, **environment: str) -> tuple[BotProcess, Stream]:
        bot = await run_bot(source, **environment)
        stream = await arena.stream()
        await stream.welcome()
        return bot, stream

    return connect
