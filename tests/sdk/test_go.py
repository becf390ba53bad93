"""The Go SDK, as bot authors meet it: its examples are built, checked and played as processes."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.cli.app import run

TOP = Path(__file__).parents[2]
SDK = TOP / "sdk" / "go"
EXAMPLES = ("random", "xeri_fisher")

# The first build compiles gRPC, which takes a minute or two.
pytestmark = [pytest.mark.slow, pytest.mark.needs("go"), pytest.mark.timeout(600)]

Arena = Callable[..., Any]


@pytest.fixture(scope="session")
def examples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the examples, built. Workers of pytest-xdist build one after the other."""
    with (tmp_path_factory.getbasetemp().parent / "building-go").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        make("build")
    return SDK / "examples"


@pytest.fixture
def arena(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Arena:
    """Runs `arena` with some arguments in an empty folder; returns the JSON that it prints."""
    monkeypatch.chdir(tmp_path)

    def command(*arguments: object) -> Any:
        code = run([*map(str, arguments), "--json"])
        printed = capsys.readouterr()
        assert code == 0, printed.out + printed.err
        return json.loads(printed.out)

    return command


def make(*targets: str) -> None:
    subprocess.run(["make", "--directory", SDK, *targets], check=True)


@pytest.mark.needs("bubblewrap")
@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_passes_every_check(arena: Arena, examples: Path, name: str) -> None:
    told = arena("bot", "check", examples / name, "--sandbox", "bubblewrap")
    assert all(row["ok"] for row in told["checks"])
    assert told["repeatable"]


@pytest.mark.needs("bubblewrap")
@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_plays_without_fault_and_its_records_verify(
    arena: Arena, examples: Path, name: str
) -> None:
    opponent = "builtin:random"
    told = arena("play", "xeri", examples / name, opponent, "-n", 4, "--sandbox", "bubblewrap")
    assert [total["faults"] for total in told["totals"]] == [0, 0]
    assert len(told["matches"]) == 4
    for match in told["matches"]:
        arena("verify", match["record"])


def test_the_fisher_plays_as_its_original_in_python(arena: Arena, examples: Path) -> None:
    original = TOP / "sample_bots" / "xeri_fisher"
    told = arena(
        *("play", "xeri", examples / "xeri_fisher", original, "-n", 10, "--duplicate"),
        *("--sandbox", "none"),
    )
    first, second = told["matches"][::2], told["matches"][1::2]
    scores = [[seat["score"] for seat in match["seats"]] for match in first]
    assert scores == [[seat["score"] for seat in match["seats"]] for match in second]


def test_a_bot_without_an_arena_says_so(examples: Path) -> None:
    ended = started(examples, {})
    assert ended.returncode == 2
    assert ended.stderr == (
        "This bot is started by the arena; to try it:"
        f" arena play xeri {examples / 'random'} builtin:random\n"
        "(Not set in the environment: ARENA_ADDRESS, ARENA_TOKEN.)\n"
    )
    ended = started(examples, {"ARENA_ADDRESS": "unix:/nowhere", "ARENA_TOKEN": "secret"})
    assert ended.returncode == 3
    assert ended.stderr.startswith("The arena at unix:/nowhere has been out of reach for ")


def started(examples: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    command = examples / "random" / "bot"
    return subprocess.run([command], env=environment, capture_output=True, text=True, check=False)


def test_a_vendored_example_is_built_anywhere_without_a_network(tmp_path: Path) -> None:
    # A copy of the SDK, so that other tests never find it half vendored.
    shutil.copytree(SDK, tmp_path / "sdk", ignore=shutil.ignore_patterns("vendor"))
    subprocess.run(["make", "vendor"], cwd=tmp_path / "sdk", check=True)
    alone = (tmp_path / "sdk" / "examples" / "random").rename(tmp_path / "mybot")
    shutil.rmtree(tmp_path / "sdk")
    (alone / "bot").unlink(missing_ok=True)
    manifest = tomllib.loads((alone / "bot.toml").read_text())
    offline = {"GOPROXY": "off", "GOMODCACHE": str(tmp_path / "none"), "GOFLAGS": ""}
    subprocess.run(manifest["build"], cwd=alone, env={**os.environ, **offline}, check=True)
    assert (alone / manifest["run"][0]).is_file()


def test_the_sdks_own_tests_pass() -> None:
    make("test")
