"""`arena demo` in a separate process: played to its end, and interrupted."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from arena.cli.app import run
from arena.cli.commands.demo import SHORT_TOUR
from sevens_games import slugs
from tests.support.command_line import ran
from tests.support.patience import PATIENCE_S, until

pytestmark = pytest.mark.slow

ARENA = (sys.executable, "-m", "arena.cli")


def started(data: Path, matches: int, *options: str) -> subprocess.Popen[str]:
    """A demo whose progress nobody watches."""
    command = [*ARENA, "demo", "--matches", str(matches), "--data", str(data), *options]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )


def test_the_demo_plays_every_ladder_to_its_end_and_says_where_to_look(tmp_path: Path) -> None:
    with started(tmp_path, matches=6) as demo:
        out, err = demo.communicate(timeout=150)
    assert demo.returncode == 0, err
    for slug in SHORT_TOUR:
        assert f"demo-{slug}" in out
    assert str(tmp_path) in out
    assert "arena replay" in out


@pytest.mark.nightly
def test_the_long_demo_plays_a_ladder_on_every_game(tmp_path: Path) -> None:
    with started(tmp_path, 1, "--all") as demo:
        out, err = demo.communicate(timeout=170)
    assert demo.returncode == 0, err
    for slug in slugs():
        assert f"demo-{slug}" in out


@pytest.mark.parametrize(
    "number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.nightly)]
)
def test_an_interrupted_demo_ends_cleanly_and_leaves_nothing_running(
    tmp_path: Path, number: signal.Signals
) -> None:
    log = tmp_path / "logs" / "worker-1.log"
    with started(tmp_path, 5000, "--game", "trash", "--searcher") as demo:
        until(lambda: log.exists() and ": done" in log.read_text(), "a match is over")
        below = psutil.Process(demo.pid).children(recursive=True)
        assert below
        demo.send_signal(number)
        _, err = demo.communicate(timeout=PATIENCE_S)
    assert demo.returncode == 130
    assert "Traceback" not in err
    gone, alive = psutil.wait_procs(below, timeout=PATIENCE_S)
    assert gone
    assert not alive
    rated = ran("ratings", "demo-trash", "--data", tmp_path, "--json").json["ratings"]
    assert {"searcher", "trash-collector"} < {row["bot"] for row in rated}


def test_a_killed_demo_leaves_nothing_running_and_goes_on_when_run_again(tmp_path: Path) -> None:
    log = tmp_path / "logs" / "worker-1.log"
    with started(tmp_path, matches=5000) as demo:
        until(lambda: log.exists() and ": done" in log.read_text(), "a match is over")
        below = psutil.Process(demo.pid).children(recursive=True)
        demo.kill()
        demo.communicate(timeout=PATIENCE_S)
    _, alive = psutil.wait_procs(below, timeout=PATIENCE_S)
    assert not alive
    assert run(["doctor", "--data", str(tmp_path)]) in (0, 1)
    with started(tmp_path, matches=1) as again:
        _, err = again.communicate(timeout=150)
    assert again.returncode == 0, err
