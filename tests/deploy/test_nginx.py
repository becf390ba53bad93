"""An arena behind nginx, as deploy/nginx.conf sets it up, its pages below a path."""

from __future__ import annotations

import shutil
import ssl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPResponse, HTTPSConnection
from pathlib import Path
from urllib.parse import urlencode

import pytest

from arena.cli.app import run
from tests.support.command_line import ran, ran_apart
from tests.support.free_port import free_port
from tests.support.patience import PATIENCE_S, until
from tests.support.whole_arena.arena import SAMPLE_BOTS, WholeArena
from tests.support.whole_arena.nginx import nginx_command
from tests.support.whole_arena.remote_bots import RemoteProcess, faults
from tests.support.whole_arena.strangers import certificate, token_of

PATH = "/games/arena"
FISHER = SAMPLE_BOTS / "xeri_fisher"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.needs("nginx", "openssl"),
]


class Proxied:
    """An arena and the nginx in front of it. `origin`: where visitors find both; the pages are
    below PATH."""

    def __init__(self, arena: WholeArena, port: int, chain: Path) -> None:
        self.arena = arena
        self.port = port
        self.origin = f"https://localhost:{port}"
        self.pages = f"{self.origin}{PATH}"
        self.trust = {"GRPC_DEFAULT_SSL_ROOTS_FILE_PATH": str(chain)}
        self.chain = chain

    def asks(
        self, method: str, path: str, visitor: str = "127.0.0.1", **form: str
    ) -> tuple[HTTPSConnection, HTTPResponse]:
        """Sends a request from an address of this machine."""
        connection = HTTPSConnection(
            *("localhost", self.port),
            context=ssl.create_default_context(cafile=str(self.chain)),
            source_address=(visitor, 0),
            timeout=PATIENCE_S,
        )
        headers = {"Origin": self.origin, "Content-Type": "application/x-www-form-urlencoded"}
        connection.request(method, f"{PATH}{path}", urlencode(form), headers)
        return connection, connection.getresponse()

    def status(self, method: str, path: str, visitor: str = "127.0.0.1", **form: str) -> int:
        connection, answer = self.asks(method, path, visitor, **form)
        connection.close()
        return answer.status


@pytest.fixture
def proxied(tmp_path: Path) -> Iterator[Proxied]:
    with WholeArena(tmp_path) as arena:
        data = ("--data", str(arena.data))
        assert run(["ladder", "create", "main", "xeri", "--set", "deals=1", *data]) == 0
        assert run(["ladder", "enter", "main", str(SAMPLE_BOTS / "random_bot"), *data]) == 0
        _, chain = certificate(tmp_path, "DNS:localhost", "IP:127.0.0.1")
        port, grpc, web = free_port(), free_port(), free_port()
        origin = f"https://localhost:{port}"
        server = arena.server(
            *("--web-origin", f"{origin}{PATH}", "--grpc-origin", origin),
            *("--web", f"127.0.0.1:{web}", "--listen", f"127.0.0.1:{grpc}"),
        )
        with nginx(tmp_path, {443: port, 7777: grpc, 7778: web}):
            server.pages()
            yield Proxied(arena, port, chain)
        server.stop()
        arena.assert_nothing_runs()


@contextmanager
def nginx(folder: Path, ports: dict[int, int]) -> Iterator[None]:
    with subprocess.Popen(nginx_command(folder, ports, PATH)) as process:
        try:
            yield
        finally:
            process.terminate()


def test_strangers_submit_play_and_look_through_nginx(proxied: Proxied) -> None:
    arena = proxied.arena
    until(lambda: proxied.status("GET", "/") == 200, "nginx answers")
    ann = token_of(arena, "Ann")
    bot = arena.folder / "large"
    shutil.copytree(FISHER, bot)
    noise = subprocess.run(["openssl", "rand", "3000000"], capture_output=True, check=True).stdout
    (bot / "weights.bin").write_bytes(noise)
    there = {"server": proxied.pages, "token": ann, **proxied.trust}
    accepted = ran_apart("submit", bot, "--ladder", "main", **there)
    assert accepted.code == 0, accepted.err
    registered = ran_apart("submit", "remote:far", "--ladder", "main", "--json", **there)
    assert registered.code == 0, registered.err
    environment = registered.json["environment"] | {"ARENA_TLS_CA": str(proxied.chain)}
    assert environment["ARENA_ADDRESS"] == f"localhost:{proxied.port}"
    with RemoteProcess(arena.folder, environment, [sys.executable, FISHER / "bot.py"]):
        until(lambda: arena.recorded() >= 4, "four matches are recorded")
    assert len(faults(arena)) <= 1  # the one in which the remote bot was killed


def test_events_arrive_at_once_and_logins_are_counted_by_visitor(proxied: Proxied) -> None:
    until(lambda: proxied.status("GET", "/") == 200, "nginx answers")
    entered = ran("ladder", "enter", "main", FISHER, "--data", proxied.arena.data)
    assert entered.code == 0, entered.err
    connection, answer = proxied.asks("GET", "/api/ladders/main/events")
    try:
        seen = b""
        while seen.count(b"data: ") < 2:  # what holds at first, then what changes
            seen += answer.read1()
    finally:
        connection.close()
    token = token_of(proxied.arena, "Ann")
    connection, answer = proxied.asks("POST", "/login", "127.0.0.4", token=token)
    connection.close()
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith("__Secure-login=")
    assert f"; Path={PATH}/;" in cookie
    wrong = [proxied.status("POST", "/login", "127.0.0.2", token="wrong") for _ in range(11)]
    assert wrong[-1] == 429
    assert proxied.status("POST", "/login", "127.0.0.3", token="wrong") == wrong[0] != 429
