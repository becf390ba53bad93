"""The server, a worker and a remote bot, each on a separate machine."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.cli.app import run
from tests.support.patience import until
from tests.support.whole_arena.arena import SAMPLE_BOTS, WholeArena
from tests.support.whole_arena.remote_bots import PONDERER, faults, state
from tests.support.whole_arena.strangers import certificate
from tests.support.whole_arena.three_machines import Machine

pytestmark = [
    pytest.mark.slow,
    pytest.mark.needs("openssl", "network namespaces"),
]

TO_WORKER, TO_BOT = "10.77.1", "10.77.2"


@pytest.fixture
def machines(tmp_path: Path) -> Iterator[tuple[Machine, Machine, Machine]]:
    """The machines of the server, the worker and the bot."""
    made: list[Machine] = []
    try:
        for name in ("server", "worker", "bot"):
            made.append(Machine(f"sevens-{name}-{os.getpid()}", tmp_path))  # noqa: PERF401 (ends)
        server, worker, bot = made
        server.joined(worker, TO_WORKER)
        server.joined(bot, TO_BOT)
        yield server, worker, bot
    finally:
        for machine in reversed(made):
            machine.close()


def test_a_bot_plays_matches_of_a_worker_that_it_cannot_reach(
    tmp_path: Path, machines: tuple[Machine, Machine, Machine]
) -> None:
    here, there, far = machines
    arena = WholeArena(tmp_path)
    local = str(SAMPLE_BOTS / "random_bot")
    data = ("--data", str(arena.data))
    assert run(["ladder", "create", "main", "xeri", "--set", "deals=1", *data]) == 0
    assert run(["ladder", "enter", "main", local, *data]) == 0
    key, chain = certificate(tmp_path, f"IP:{TO_WORKER}.1", f"IP:{TO_BOT}.1")
    redis = here.redis(f"{TO_WORKER}.1")
    server = here.arena(
        *("serve", "--listen", "0.0.0.0:7777", "--tls-cert", chain, "--tls-key", key, *data),
        *("--workers", 0, "--web", "0.0.0.0:7778", "--redis", redis, "--sandbox", "none"),
    )
    server.until_says("Serving at https://")
    server.until_says("Pages at https://")
    trusted = {"GRPC_DEFAULT_SSL_ROOTS_FILE_PATH": str(chain)}
    create = ("token", "create", *data, "--role")
    ann = here.run_arena(*create, "owner", "--owner", "Ann").strip()
    organiser = here.run_arena(*create, "organiser", "--owner", "Org").strip()
    # The bot's owner registers and starts it on their own machine.
    told = far.run_arena(
        *("submit", "remote:ann-bot", "--ladder", "main"),
        **{"ARENA_SERVER": f"https://{TO_BOT}.1:7778", "ARENA_USER_TOKEN": ann, **trusted},
    )
    words = [line.removeprefix("export ").partition("=") for line in told.splitlines()]
    environment = {name: value for name, _, value in words} | {"ARENA_TLS_CA": str(chain)}
    assert environment["ARENA_ADDRESS"] == f"{TO_BOT}.1:7777"
    program = tmp_path / "ponderer.py"
    program.write_text(PONDERER)
    bot = far.start([sys.executable, program], **environment)
    server.until_says("the remote bot ann-bot connected")
    # The worker has neither the data folder nor a route to the bot, only the queue and the gateway.
    worker = there.arena(
        *("worker", "--redis", redis, "--server", f"https://{TO_WORKER}.1:7778"),
        *("--versions", arena.data / "versions", "--sandbox", "none", "--finish-within", "0"),
        **{"ARENA_USER_TOKEN": organiser, **trusted},
    )
    until(lambda: arena.recorded() >= 1, "a match is recorded")
    # Its network fails for a moment, in the middle of a match.
    asked = len(bot.said().split())
    until(lambda: len(bot.said().split()) > asked + 2, "it is in a match")
    far.unplug(TO_BOT)
    asked = len(bot.said().split())
    far.plug_in(TO_BOT)
    until(lambda: len(bot.said().split()) > asked + 2, "it goes on")
    recorded = arena.recorded()
    until(lambda: arena.recorded() > recorded, "another match is recorded")
    assert (faults(arena), arena.parked()) == ([], [])
    assert state(arena) == "active"
    assert worker.process.poll() is None
    server.stop()
