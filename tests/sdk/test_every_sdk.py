"""Features that the SDKs of all languages share."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import tomllib
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc.aio
import pytest

from arena.bots.remote import AwaitedBot
from sevens.bot.v1.bot_service_pb2 import ArenaFrame, Hello, Welcome
from sevens.bot.v1.bot_service_pb2_grpc import (
    BotServiceServicer,
    add_BotServiceServicer_to_server,
)
from sevens.bot.v1.match_pb2 import MatchEnd, MatchStart
from tests.support.free_port import free_port
from tests.support.remote_streams import Heard, question
from tests.support.sdk_examples import SDKS, Examples, make
from tests.support.seats import within

SAMPLES = Path(__file__).parents[2] / "sample_bots"
# By language, the marker's name for what its tests need.
LANGUAGES = {"cpp": "c++", "go": "go", "java": "java", "rust": "rust", "typescript": "node"}

Arena = Callable[..., Any]

# The first build compiles gRPC in some languages, which takes minutes.
pytestmark = [pytest.mark.slow, pytest.mark.needs("bubblewrap"), pytest.mark.timeout(900)]
each_language = pytest.mark.parametrize(
    "language",
    [pytest.param(name, marks=pytest.mark.needs(need)) for name, need in LANGUAGES.items()],
)


def test_every_sdk_is_tested() -> None:
    folders = {path.name for path in SDKS.iterdir() if path.is_dir()}
    assert folders == {"python", *LANGUAGES}


@each_language
@pytest.mark.parametrize(
    ("example", "games"),
    [
        ("starter", ["xeri", "envite"]),
        # The SDKs know nothing of games.
        pytest.param("starter", [], id="starter-every game", marks=pytest.mark.nightly),
        # The fisher plays as in Python, which another test shows in less time.
        pytest.param("xeri_fisher", [], marks=pytest.mark.nightly),
    ],
)
def test_an_example_passes_every_check(
    arena: Arena, examples_of: Examples, language: str, example: str, games: list[str]
) -> None:
    chosen = [word for game in games for word in ("--game", game)]
    told = arena(
        "bot", "check", examples_of(language) / example, *chosen, "--sandbox", "bubblewrap"
    )
    assert all(row["ok"] for row in told["checks"])
    assert told["repeatable"]


@each_language
@pytest.mark.parametrize(
    "slug",
    [
        "envite",
        # The SDKs know nothing of games: at night, other tables and longer matches.
        *(
            pytest.param(slug, marks=pytest.mark.nightly)
            for slug in ("xeri", "insidious-sevens", "forty-thieves")
        ),
    ],
)
def test_the_starter_plays_without_fault_and_its_records_verify(
    arena: Arena, examples_of: Examples, language: str, slug: str
) -> None:
    others = {"xeri": 1, "envite": 1}.get(slug, 3)
    bots = (examples_of(language) / "starter", *["builtin:random"] * others)
    told = arena("play", slug, *bots, "-n", 2, "--sandbox", "bubblewrap")
    assert [total["faults"] for total in told["totals"]] == [0] * len(told["totals"])
    arena("verify", *(match["record"] for match in told["matches"]))
    record = told["matches"][0]["record"]
    again = arena("rewind", record, bots[0], "--seat", 0, "--sandbox", "bubblewrap")
    assert again["same"]


@each_language
@pytest.mark.parametrize(
    "slug", ["xeri", pytest.param("kontsina", marks=pytest.mark.nightly), "seven-euchre"]
)
def test_the_starter_reads_hand_table_and_phase(
    arena: Arena, examples_of: Examples, language: str, slug: str
) -> None:
    """At random it would win half of the matches, and 16 of 20 once in 170 tries."""
    bots = (examples_of(language) / "starter", "builtin:random")
    told = arena("play", slug, *bots, "-n", 20, "--seed", "starter")
    assert told["totals"][0]["wins"] >= 16
    assert [total["faults"] for total in told["totals"]] == [0, 0]


@each_language
def test_the_fisher_plays_as_its_original_in_python(
    arena: Arena, examples_of: Examples, language: str
) -> None:
    bots = (examples_of(language) / "xeri_fisher", SAMPLES / "xeri_fisher")
    told = arena("play", "xeri", *bots, "-n", 4, "--duplicate")
    scores = [[seat["score"] for seat in match["seats"]] for match in told["matches"]]
    assert scores[::2] == scores[1::2]


@each_language
def test_a_bot_without_an_arena_says_so(examples_of: Examples, language: str) -> None:
    folder = examples_of(language) / "starter"
    run = tomllib.loads((folder / "bot.toml").read_text())["run"]

    def started(**environment: str) -> subprocess.CompletedProcess[str]:
        names = {"PATH": os.environ["PATH"], **environment}
        return subprocess.run(
            run, cwd=folder, env=names, capture_output=True, text=True, check=False
        )

    without = started()
    assert without.returncode == 2
    assert "This bot is started by the arena; to try it" in without.stderr
    assert "(Not set in the environment: ARENA_ADDRESS, ARENA_TOKEN.)" in without.stderr
    alone = started(ARENA_ADDRESS="unix:/nowhere", ARENA_TOKEN="secret")
    assert alone.returncode == 3
    assert "The arena at unix:/nowhere has been out of reach for " in alone.stderr


@asynccontextmanager
async def greeted(program: Path, port: int) -> AsyncIterator[Process]:
    """Starts an example that is to dial in to a port, with variables from a file of Windows."""
    run = tomllib.loads((program / "bot.toml").read_text())["run"]
    variables = {
        "ARENA_ADDRESS": f"127.0.0.1:{port}\r",
        "ARENA_TOKEN": "secret\r",
        "ARENA_TLS": "0\r",
    }
    process = await asyncio.create_subprocess_exec(
        *run, cwd=program, env=os.environ | variables, stderr=PIPE
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


@each_language
async def test_a_bot_says_at_once_that_it_cannot_reach_the_arena_and_goes_on_trying(
    examples_of: Examples, language: str
) -> None:
    port = free_port()
    async with greeted(examples_of(language) / "starter", port) as process:
        assert process.stderr is not None
        line = (await within(process.stderr.readline())).decode()
        assert line.startswith(f"The arena at 127.0.0.1:{port} cannot be reached (")
        assert line.endswith("). Trying until it answers.\n")
        async with newer_arena(port) as hellos:
            assert (await within(hellos.get())).token == "secret"


@each_language
async def test_a_bot_ends_if_the_arena_speaks_a_protocol_that_it_does_not_know(
    examples_of: Examples, language: str
) -> None:
    port = free_port()
    async with (
        newer_arena(port) as hellos,
        greeted(examples_of(language) / "starter", port) as process,
    ):
        assert (await within(hellos.get())).protocol == 1
        _, said = await within(process.communicate())
        assert process.returncode == 3
        assert said.decode().startswith("The arena speaks protocol 2, and this SDK 1: ")


@asynccontextmanager
async def newer_arena(port: int) -> AsyncIterator[asyncio.Queue[Hello]]:
    """An arena that answers every hello with protocol 2; yields the hellos it has heard."""
    hellos: asyncio.Queue[Hello] = asyncio.Queue()

    class Newer(BotServiceServicer):
        async def Play(self, frames: Any, context: Any) -> AsyncIterator[ArenaFrame]:
            async for frame in frames:
                if frame.HasField("hello"):
                    hellos.put_nowait(frame.hello)
                    yield ArenaFrame(welcome=Welcome(protocol=2))

    server = grpc.aio.server()
    add_BotServiceServicer_to_server(Newer(), server)
    server.add_insecure_port(f"127.0.0.1:{port}")
    await server.start()
    try:
        yield hellos
    finally:
        await server.stop(None)


@each_language
def test_the_sdks_own_tests_pass(examples_of: Examples, language: str) -> None:
    examples_of(language)  # with which it shares what it builds
    make(language, "test")


@asynccontextmanager
async def playing(program: Path) -> AsyncIterator[tuple[AwaitedBot, Process]]:
    """Starts an example as its author would, and yields it with its seat in an arena."""
    run = tomllib.loads((program / "bot.toml").read_text())["run"]
    async with AwaitedBot("mine", lambda connected: None) as seat:
        process = await asyncio.create_subprocess_exec(
            *run, cwd=program, env=os.environ | seat.environment, stderr=PIPE
        )
        try:
            await within(seat.ready())
            yield seat, process
        finally:
            if process.returncode is None:
                process.kill()
            await process.wait()


@each_language
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_a_bot_that_is_asked_to_end_plays_its_match_and_leaves(
    examples_of: Examples, language: str, number: signal.Signals
) -> None:
    heard = Heard()
    async with playing(examples_of(language) / "starter") as (seat, process):
        channel = seat.sit("m", heard)
        channel.send_start(MatchStart(match_id="m", game="xeri", teams=[0, 1], seed=bytes(32)))
        await within(heard.accepted_.get())
        process.send_signal(number)
        assert process.stderr is not None
        told = b"Leaving after 1 match; press Ctrl-C again to stop at once."
        assert (await within(process.stderr.readline())).rstrip() == told
        channel.ask(question("m"))
        assert (await within(heard.answered_.get()))[0].number == 1
        channel.send_end(MatchEnd(match_id="m", reason="played-out"))
        assert await within(process.wait()) == 0
    assert heard.lost_.empty()


@each_language
@pytest.mark.parametrize(
    "number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.nightly)]
)
async def test_a_bot_that_is_asked_twice_ends_at_once(
    examples_of: Examples, language: str, number: signal.Signals
) -> None:
    heard = Heard()
    async with playing(examples_of(language) / "starter") as (seat, process):
        channel = seat.sit("m", heard)
        channel.send_start(MatchStart(match_id="m", game="xeri", teams=[0, 1], seed=bytes(32)))
        await within(heard.accepted_.get())
        process.send_signal(number)
        assert process.stderr is not None
        await within(process.stderr.readline())
        process.send_signal(number)
        assert await within(process.wait()) == 128 + number
