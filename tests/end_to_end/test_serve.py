"""`arena serve` in a separate process: strangers submit bots, which play until it is stopped."""

from __future__ import annotations

import os
import re
import shutil
import signal
import ssl
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from arena.cli.app import run
from tests.support.command_line import ran, ran_apart
from tests.support.patience import PATIENCE_S, until
from tests.support.whole_arena.arena import SAMPLE_BOTS, Part, WholeArena
from tests.support.whole_arena.strangers import address, certificate, token_of

pytestmark = pytest.mark.slow

SANDBOXES = [
    pytest.param("bubblewrap", marks=pytest.mark.needs("bubblewrap")),
    pytest.param("none", marks=pytest.mark.nightly),
]
NEVER_ENDS = """
import time
print("thinking", flush=True)
time.sleep(600)
"""


@pytest.fixture(params=SANDBOXES)
def arena(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[WholeArena]:
    """An arena with the empty ladder main. After the test nothing of it runs."""
    with WholeArena(tmp_path, request.param) as arena:
        data = str(arena.data)
        assert run(["ladder", "create", "main", "xeri", "--set", "deals=1", "--data", data]) == 0
        yield arena
        arena.assert_nothing_runs()


def test_two_strangers_submit_and_their_bots_are_rated(arena: WholeArena) -> None:
    server = arena.server()
    server.until_says("There are no tokens yet")
    at = address(server)
    ann, bob = token_of(arena, "Ann"), token_of(arena, "Bob")
    submit = ("submit", SAMPLE_BOTS / "random_bot", "--ladder", "main", "--json")
    first = ran(*submit, server=at, token=ann).json
    assert (first["accepted"], first["bot"], first["number"]) == (True, "random", 1)
    assert ran(*submit, server=at, token=ann).json["number"] == 1
    assert "belongs to Ann" in ran(*submit, server=at, token=bob).err
    other = ran("submit", SAMPLE_BOTS / "xeri_fisher", "--ladder", "main", server=at, token=bob)
    assert "xeri-fisher version 1 is on the ladder main." in other.out, other.err
    until(lambda: arena.recorded() >= 3, "three matches are recorded")
    ratings = ran("ratings", "main", "--data", arena.data, "--json").json["ratings"]
    assert {(row["bot"], row["owner"]) for row in ratings} == {
        ("random", "Ann"),
        ("xeri-fisher", "Bob"),
    }
    assert all(row["faults"] == 0 and row["matches"] for row in ratings)
    held = ran("ladder", "run", "main", "--data", arena.data, "--sandbox", "none")
    assert (held.code, "holds the data folder" in held.err) == (3, True)
    server.stop()
    assert "Stopped" in server.said()
    # Matches in play continue after the next start.
    before = arena.recorded()
    again = arena.server()
    until(lambda: arena.recorded() > before, "another match is recorded")
    again.process.send_signal(signal.SIGINT)
    assert again.process.wait(PATIENCE_S) == 0


@pytest.mark.parametrize("arena", ["none"], indirect=True)
def test_a_contestant_far_away_sees_how_her_bot_fares(arena: WholeArena) -> None:
    server = arena.server()
    at = address(server)
    ann: dict[str, Any] = {"server": at, "token": token_of(arena, "Ann")}
    bob: dict[str, Any] = {"server": at, "token": token_of(arena, "Bob")}
    submit = ("submit", "--ladder", "main")
    assert ran(*submit, SAMPLE_BOTS / "random_bot", **ann).code == 0
    assert ran(*submit, SAMPLE_BOTS / "xeri_fisher", **bob).code == 0
    until(lambda: arena.recorded() >= 3, "three matches are recorded")
    shown = ran("ladder", "show", "main", "--json", **ann).json
    assert (shown["state"], shown["running_now"], shown["obstacle"]) == ("running", True, "")
    rows = ran("ratings", "main", "--json", **ann).json["ratings"]
    assert {row["bot"]: row["owner"] for row in rows} == {"random": "Ann", "xeri-fisher": "Bob"}
    assert all(row["matches"] >= 3 for row in rows)
    page = ran("matches", "--bot", "random", "--limit", 2, "--json", **ann).json
    assert {seat["bot"] for seat in page["matches"][0]["seats"]} == {"random", "xeri-fisher"}
    table = ran("matches", "--limit", 1, "--after", page["next"], **ann).out.splitlines()
    name = table[1].split()[0]
    assert f"read one: arena log {name}" in table
    told = ran("log", name, "--mine", "--json", **ann).json
    assert "random" in [seat["bot"] for seat in told["seats"]]
    assert told["match"] not in [match["match"] for match in page["matches"]]
    stranger = ran("ratings", "main", server=at, token="sat_nobody")
    assert (stranger.code, "The token is unknown" in stranger.err) == (3, True)
    server.stop()
    # In the folder, which no arena is using any more; ARENA_SERVER is then ignored.
    assert "not being run" in ran("ladder", "list", "--data", arena.data, **ann).out


def test_a_server_is_stopped_and_killed_while_it_tries_a_bot(
    arena: WholeArena, tmp_path: Path
) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(NEVER_ENDS)

    def trying() -> tuple[Part, subprocess.Popen[bytes]]:
        server = arena.server(workers=0)
        submitting = subprocess.Popen(
            [sys.executable, "-m", "arena.cli", "submit", str(bot), "--ladder", "main"],
            env=os.environ
            | {"ARENA_SERVER": address(server), "ARENA_USER_TOKEN": token_of(arena, "Ann")},
            stderr=subprocess.DEVNULL,
        )
        until(lambda: list(arena.data.glob("incoming-*/files/bot.py")), "the bot has arrived")
        return server, submitting

    server, submitting = trying()
    server.stop()
    assert submitting.wait(PATIENCE_S) == 3, server.said()
    assert list(arena.data.glob("incoming-*")) == []
    server, submitting = trying()
    server.process.kill()
    server.process.wait()
    assert submitting.wait(PATIENCE_S) == 3
    assert list(arena.data.glob("incoming-*")) != []
    arena.assert_nothing_runs()
    arena.server(workers=0).stop()
    assert list(arena.data.glob("incoming-*")) == []


def test_a_build_that_never_ends_is_stopped_when_the_organiser_said(
    arena: WholeArena, tmp_path: Path
) -> None:
    bot = tmp_path / "endless"
    shutil.copytree(SAMPLE_BOTS / "random_bot", bot)
    (bot / "bot.toml").write_text(
        'name = "endless"\nrun = ["python", "bot.py"]\nbuild = ["python", "build.py"]\n'
    )
    (bot / "build.py").write_text(NEVER_ENDS)
    server = arena.server("--build-s", "2", workers=0)
    submit = ("submit", bot, "--ladder", "main", "--json")
    told = ran(*submit, server=address(server), token=token_of(arena, "Ann"))
    assert told.code == 1
    last = told.json["steps"][-1]
    assert (last["step"], last["ok"]) == ("build", False)
    assert last["sentence"] == "The build did not end within 2 seconds."
    assert "thinking" in last["output"]
    server.stop()


@pytest.mark.needs("openssl")
@pytest.mark.parametrize("arena", ["none"], indirect=True)
def test_with_a_certificate_nothing_goes_without_tls(arena: WholeArena) -> None:
    key, chain = certificate(arena.folder, "DNS:localhost", "IP:127.0.0.1")
    server = arena.server("--tls-cert", str(chain), "--tls-key", str(key), workers=0)
    at = address(server)
    assert at.startswith("https://127.0.0.1:")
    ann = token_of(arena, "Ann")
    submit = ("submit", SAMPLE_BOTS / "random_bot", "--ladder", "main")
    roots = {"GRPC_DEFAULT_SSL_ROOTS_FILE_PATH": str(chain)}
    assert ran_apart(*submit, server=at, token=ann, **roots).code == 0
    unknown = ran(*submit, server=at, token=ann)
    assert unknown.code == 3
    assert "is not trusted here: self-signed certificate" in unknown.err.replace("\n    ", " ")
    plain = ran(*submit, server=at.removeprefix("https://"), token=ann)
    assert plain.code == 3
    assert "requires TLS: write https://127.0.0.1:" in plain.err.replace("\n    ", " ")
    server.stop()


@pytest.mark.needs("openssl")
@pytest.mark.parametrize("arena", ["none"], indirect=True)
def test_a_renewed_certificate_is_used_without_a_restart(arena: WholeArena) -> None:
    key, chain = certificate(arena.folder, "DNS:localhost", "IP:127.0.0.1")
    server = arena.server("--tls-cert", str(chain), "--tls-key", str(key), workers=0)
    server.until_says("Pages at ")
    ports = [int(port) for port in re.findall(r"(?:Serving|Pages) at \S+:(\d+)", server.said())]
    assert len(ports) == 2

    def presented() -> list[str]:
        return [ssl.get_server_certificate(("127.0.0.1", port)) for port in ports]

    old = chain.read_text()
    until(lambda: _is_presented(presented, old), "both ports answer")
    chain.write_text(old[: len(old) // 2])  # as if it were being written
    assert presented() == [old, old]
    certificate(arena.folder, "DNS:localhost", "IP:127.0.0.1")
    assert chain.read_text() != old
    assert presented() == [chain.read_text()] * 2
    server.process.send_signal(signal.SIGHUP)
    assert presented() == [chain.read_text()] * 2
    assert "is not used yet" in server.said()
    assert "was renewed" in server.said()
    server.stop()


def _is_presented(presented: Callable[[], list[str]], certificate: str) -> bool:
    try:
        return presented() == [certificate] * 2
    except OSError:  # the process of the pages starts later
        return False
