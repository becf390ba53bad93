"""`make languages`: bots in every language, a container bot and a remote bot on one ladder."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import docker
import psutil
import pytest

from arena.cli.commands.bot.languages import LANGUAGES
from tests.support.patience import PATIENCE_S, until
from tools import every_kind

# The first build with gRPC in it takes minutes.
pytestmark = [pytest.mark.slow, pytest.mark.needs("bubblewrap"), pytest.mark.timeout(900)]

ROOT = Path(__file__).parents[2]
ROW = re.compile(
    r"^ *\d+ +(?P<bot>\S+) +(?P<kind>\S+) +-?[\d.]+ +(?P<matches>\d+) +(?P<faults>\d+)"
)
NO_ENGINE = {"DOCKER_HOST": "unix:///nowhere/docker.sock"}


@contextmanager
def started(matches: int, **environment: str) -> Iterator[subprocess.Popen[str]]:
    """A ladder in a process of its own, which plays no longer than the test."""
    with subprocess.Popen(
        [sys.executable, "-m", "tools.every_kind", "--matches", str(matches)],
        cwd=ROOT,
        env=os.environ | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as ladder:
        try:
            yield ladder
        finally:
            ladder.terminate()


def rows(out: str) -> list[dict[str, str]]:
    return [found.groupdict() for found in map(ROW.match, out.splitlines()) if found]


@pytest.fixture
def bare_path(tmp_path: Path) -> str:
    """A PATH with a sandbox and no language's tools."""
    (tmp_path / "bwrap").symlink_to(str(shutil.which("bwrap")))
    return str(tmp_path)


@pytest.mark.nightly
@pytest.mark.needs("a container engine", "c++", "go", "java", "node", "rust")
def test_bots_of_all_eight_kinds_are_rated_without_faults(engine: docker.DockerClient) -> None:
    images = {image.id for image in engine.images.list()}
    with started(matches=5) as ladder:
        out, err = ladder.communicate()
    assert ladder.returncode == 0, out + err
    told = rows(out)
    titles = {language.title for language in LANGUAGES.values()}
    assert {row["kind"] for row in told} == titles | {"container", "remote"}
    assert len({row["bot"] for row in told}) == len(told) == 2 * len(LANGUAGES) + 2
    assert all(int(row["matches"]) >= 5 for row in told)
    assert {row["faults"] for row in told} == {"0"}
    assert "Left out" not in out
    assert {image.id for image in engine.images.list()} == images


def test_what_a_machine_lacks_is_left_out_by_name(bare_path: str) -> None:
    with started(matches=2, PATH=bare_path, **NO_ENGINE) as ladder:
        out, err = ladder.communicate()
    assert ladder.returncode == 0, out + err
    assert sorted(row["kind"] for row in rows(out)) == ["Python", "Python", "remote"]
    for language in {*LANGUAGES} - {"python"}:
        assert (
            f"Left out: {LANGUAGES[language].title}, which needs {LANGUAGES[language].needs}."
            in out
        )
    assert "Left out: the container. " in out
    assert "none answers at /nowhere/docker.sock" in out


@pytest.mark.parametrize(
    "number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.nightly)]
)
def test_an_interrupted_ladder_leaves_nothing_running(
    bare_path: str, tmp_path: Path, number: signal.Signals
) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    with started(100_000, PATH=bare_path, TMPDIR=str(scratch), **NO_ENGINE) as ladder:
        until(lambda: list(scratch.glob("*/remote.log")), "a remote bot starts")
        below = psutil.Process(ladder.pid).children(recursive=True)
        ladder.send_signal(number)
        _, err = ladder.communicate(timeout=PATIENCE_S)
    assert ladder.returncode in (130, -number), err  # a shell says 130 for both
    assert "Traceback" not in err
    assert len(below) > 2
    _, alive = psutil.wait_procs(below, timeout=PATIENCE_S)
    assert not alive
    assert list(scratch.iterdir()) == []


def test_an_interrupt_in_the_middle_of_a_start_leaves_nothing_running(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[subprocess.Popen[bytes]] = []

    class Interrupted(subprocess.Popen[bytes]):
        def __init__(self, *words: Any, **settings: Any) -> None:
            super().__init__(*words, **settings)
            begun.append(self)
            os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(subprocess, "Popen", Interrupted)
    with (
        pytest.raises(KeyboardInterrupt),
        every_kind.running(["sleep", "100"], tmp_path / "log", dict(os.environ)),
    ):
        pytest.fail("the interrupt was lost")
    assert begun[0].returncode == -signal.SIGTERM
