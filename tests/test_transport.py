"""The choice of gRPC's engine, and its log."""

import os
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module

import pytest

from arena import transport
from arena.cli import app

SDK = import_module("sevens_sdk.run")  # as an attribute, `run` is the function


@pytest.fixture(autouse=True)
def _undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GRPC_EXPERIMENTS", raising=False)


@pytest.mark.parametrize(
    ("release", "chosen"),
    [("1.82.3", True), ("1.85.0rc1", True), ("1.81.9", False), ("1.86.0", False), ("2.0", False)],
)
def test_the_older_engine_is_chosen_only_where_it_is_known_to_exist(
    monkeypatch: pytest.MonkeyPatch, release: str, chosen: bool
) -> None:
    monkeypatch.setattr(transport, "version", lambda _: release)
    transport.prefer_older_engine()
    assert ("GRPC_EXPERIMENTS" in os.environ) == chosen


@pytest.mark.parametrize("command", ["serve", "worker"])
def test_a_server_keeps_the_engine_that_gives_everybody_a_turn(
    monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setattr(transport, "version", lambda _: "1.85.1")
    monkeypatch.setattr(app, "run", lambda _: 0)
    with pytest.raises(SystemExit):
        app.main([command])
    assert ("GRPC_EXPERIMENTS" in os.environ) == (command == "worker")


@pytest.mark.parametrize("release", ["1.81.9", "1.82.0", "1.85.1", "1.86.0"])
def test_the_python_sdk_chooses_alike(monkeypatch: pytest.MonkeyPatch, release: str) -> None:
    monkeypatch.setattr(transport, "version", lambda _: release)
    monkeypatch.setattr(SDK, "version", lambda _: release)
    monkeypatch.setenv("GRPC_VERBOSITY", "ERROR")
    transport.prefer_older_engine()
    chosen = os.environ.pop("GRPC_EXPERIMENTS", None)
    SDK.configure_grpc()
    assert os.environ.get("GRPC_EXPERIMENTS") == chosen


@pytest.mark.parametrize("setting", [transport.keep_log_to_itself, SDK.configure_grpc])
def test_grpc_logs_nothing_unless_the_environment_asks_for_it(
    monkeypatch: pytest.MonkeyPatch, setting: Callable[[], None]
) -> None:
    environment: dict[str, str] = {}
    monkeypatch.setattr(os, "environ", environment)
    setting()
    assert environment["GRPC_VERBOSITY"] == "NONE"
    environment["GRPC_VERBOSITY"] = "DEBUG"
    setting()
    assert environment["GRPC_VERBOSITY"] == "DEBUG"


def test_what_the_environment_says_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRPC_EXPERIMENTS", "")
    transport.prefer_older_engine()
    assert os.environ["GRPC_EXPERIMENTS"] == ""


def test_the_installed_release_knows_what_is_chosen() -> None:
    """It would print an error about an experiment that it does not know."""
    transport.prefer_older_engine()
    script = "import grpc; grpc.insecure_channel('unix:/nowhere').close()"
    environment = {**os.environ, "GRPC_VERBOSITY": "ERROR"}
    ran = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True)
    assert (ran.returncode, ran.stderr) == (0, b"")
