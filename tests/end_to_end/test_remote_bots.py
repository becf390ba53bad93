"""Bots on their owners' machines play rated matches of a real server, whatever fails."""

from __future__ import annotations

import random
import signal
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from arena.cli.app import run
from arena.league.ladder.rate import rebuild
from arena.store.open import open_store
from tests.support.command_line import ran
from tests.support.free_port import free_port
from tests.support.patience import until
from tests.support.sdk_examples import Examples
from tests.support.whole_arena.arena import SAMPLE_BOTS, Part, WholeArena
from tests.support.whole_arena.remote_bots import RemoteProcess, Wire, faults, registered, state
from tests.support.whole_arena.strangers import certificate, grpc_address

pytestmark = pytest.mark.slow

FISHER: list[str | Path] = [sys.executable, SAMPLE_BOTS / "xeri_fisher" / "bot.py"]
ANN_BOT = "ann-bot"


@pytest.fixture
def arena(tmp_path: Path) -> Iterator[WholeArena]:
    """An arena with a ladder that has one bot with files. After the test nothing of it runs."""
    with WholeArena(tmp_path) as arena:
        local, data = str(SAMPLE_BOTS / "random_bot"), ("--data", str(arena.data))
        assert run(["ladder", "create", "main", "xeri", "--set", "deals=1", *data]) == 0
        assert run(["ladder", "enter", "main", local, *data]) == 0
        yield arena
        arena.assert_nothing_runs()


def test_a_remote_bot_plays_rated_matches_while_it_is_connected(arena: WholeArena) -> None:
    server = arena.server(workers=2)
    environment = registered(arena, server)
    assert environment["ARENA_ADDRESS"] == grpc_address(server)
    assert state(arena) == "offline"
    with RemoteProcess(arena.folder, environment, FISHER) as bot:
        until(lambda: arena.recorded() >= 5, "five matches are recorded")
        assert state(arena) == "active"
        bot.process.send_signal(signal.SIGINT)
        assert bot.exit_code() == 0
    until(lambda: state(arena) == "offline", "the ratings show that it has left")
    until(lambda: "ann-bot disconnected" in server.said(), "the log says so")
    ratings = ran("ratings", "main", "--data", arena.data, "--json").json["ratings"]
    assert {(row["bot"], row["owner"]) for row in ratings if row["matches"]} >= {(ANN_BOT, "Ann")}
    assert faults(arena) == []
    server.stop()


@pytest.mark.timeout(600)
@pytest.mark.parametrize("times", [2, pytest.param(50, marks=pytest.mark.nightly)])
def test_a_remote_bot_may_be_stopped_and_started_again_and_again(
    arena: WholeArena, seed: int, times: int
) -> None:
    rng = random.Random(seed)
    server = arena.server(workers=2)
    environment = registered(arena, server)
    for _ in range(times):
        with RemoteProcess(arena.folder, environment) as bot:
            until(lambda: state(arena) == "active", "it is there")
            time.sleep(rng.uniform(0, 1))
            bot.process.send_signal(rng.choice([signal.SIGINT, signal.SIGTERM]))
            assert bot.exit_code() == 0, bot.log.read_text()
        until(lambda: state(arena) == "offline", "it has left")
    recorded = arena.recorded()
    with RemoteProcess(arena.folder, environment) as bot:
        until(lambda: state(arena) == "active", "it is there")
        until(lambda: arena.recorded() > recorded, "a match is recorded")
        bot.process.send_signal(signal.SIGINT)
        assert bot.exit_code() == 0, bot.log.read_text()
    server.stop()
    assert faults(arena) == []
    store = open_store(arena.data, "write")
    assert rebuild(store, "main") == []
    store.close()


def test_a_wrong_token_ends_the_program(arena: WholeArena) -> None:
    server = arena.server(workers=0)
    environment = registered(arena, server) | {"ARENA_TOKEN": "srt_wrong"}
    with RemoteProcess(arena.folder, environment) as bot:
        assert bot.exit_code() == 3
    assert "The token belongs to no remote bot" in bot.log.read_text()
    server.stop()


def _is_missed(server: Part, times: int) -> bool:
    return server.said().count("disconnected") >= times


def test_a_short_absence_in_a_match_does_no_harm(arena: WholeArena) -> None:
    server = arena.server()
    environment = registered(arena, server)
    with Wire(grpc_address(server)) as wire:
        at = {"ARENA_ADDRESS": wire.address}
        with RemoteProcess(arena.folder, environment | at) as bot:
            for absences in range(3):
                bot.until_asked_again()
                wire.cut()
                until(partial(_is_missed, server, absences + 1), "the bot is missed")
                wire.restore()
            recorded = arena.recorded()
            until(lambda: arena.recorded() >= recorded + 2, "matches are recorded")
            assert faults(arena) == []
    assert server.said().count("ann-bot connected") == 4
    server.stop()


def test_beyond_the_grace_the_match_goes_on_without_the_bot(arena: WholeArena) -> None:
    server = arena.server("--grace", "0.5")
    environment = registered(arena, server)
    with Wire(grpc_address(server)) as wire:
        at = {"ARENA_ADDRESS": wire.address}
        with RemoteProcess(arena.folder, environment | at) as bot:
            until(lambda: bot.decisions() >= 3, "it is in a match")
            wire.cut()
            until(lambda: arena.recorded() == 1, "the match is over")
            assert faults(arena) == [(ANN_BOT, "disconnected")]
            until(lambda: state(arena) == "offline", "the ratings show that it has left")
            wire.restore()
            until(lambda: arena.recorded() >= 2, "the bot is back and plays")
    server.stop()
    # Of the jobs created for it while it was connected, at most one had begun to wait.
    missed = f"The remote bot {ANN_BOT} was not connected when its match should have begun."
    assert arena.parked() in ([], [missed])
    assert " ERROR " not in server.said()  # a bot's absence is nothing that an organiser must fix


def test_a_bot_outlives_the_server_and_plays_on_with_the_next(arena: WholeArena) -> None:
    listen = ("--listen", f"127.0.0.1:{free_port()}")
    server = arena.server(*listen)
    environment = registered(arena, server)
    with RemoteProcess(arena.folder, environment) as bot:
        for killed in (False, True):
            bot.until_asked_again()
            if killed:
                server.process.kill()
                server.process.wait()
            else:
                server.stop()
            recorded = arena.recorded()
            server = arena.server(*listen)
            arena.until_recorded(recorded + 1)
        assert bot.process.poll() is None
    assert faults(arena) == []
    assert arena.parked() == []
    server.stop()


def test_a_match_of_a_worker_that_was_killed_is_played_again(arena: WholeArena) -> None:
    server = arena.server(workers=0)
    environment = registered(arena, server)
    with RemoteProcess(arena.folder, environment) as bot:
        worker = arena.worker(gateway=True)
        until(lambda: bot.decisions() >= 3, "it is in a match")
        worker.process.kill()
        worker.process.wait()
        other = arena.worker(gateway=True)
        until(lambda: arena.recorded() >= 1, "the match is recorded")
        other.stop()
    assert faults(arena) == []
    server.stop()


@pytest.mark.needs("openssl")
@pytest.mark.parametrize("language", ["python", pytest.param("go", marks=pytest.mark.needs("go"))])
def test_bots_dial_in_with_tls(arena: WholeArena, examples_of: Examples, language: str) -> None:
    go = language == "go"
    fisher = [examples_of("go") / "xeri_fisher" / "bot"] if go else FISHER
    key, chain = certificate(arena.folder, "IP:127.0.0.1")
    server = arena.server("--tls-cert", str(chain), "--tls-key", str(key))
    roots = {"GRPC_DEFAULT_SSL_ROOTS_FILE_PATH": str(chain)}
    environment = registered(arena, server, **roots)
    assert environment["ARENA_TLS"] == "1"
    trusted = environment | {"ARENA_TLS_CA": str(chain)}
    with RemoteProcess(arena.folder, trusted, fisher):
        until(lambda: arena.recorded() >= 3, "three matches are recorded")
    assert len(faults(arena)) <= 1  # the one in which it was killed
    server.stop()
