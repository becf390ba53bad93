"""A contestant's whole path: from `arena bot new` to a bot that is rated on a server."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from arena.cli.commands.bot.languages import LANGUAGES
from tests.support.command_line import ran
from tests.support.patience import until
from tests.support.whole_arena.arena import WholeArena
from tests.support.whole_arena.strangers import address

# By language, the marker's name for what its tests need.
NEEDS = {
    "python": [],
    "go": ["go"],
    "typescript": ["node"],
    "java": ["java"],
    "rust": ["rust"],
    "cpp": ["c++"],
}

# A build with gRPC in it takes minutes.
pytestmark = [pytest.mark.slow, pytest.mark.needs("bubblewrap"), pytest.mark.timeout(1800)]


def parameters(languages: Iterable[str]) -> list[Any]:
    """One that is built stands for all; what each makes is checked in `tests/sdk` too."""
    soon = ("python", "go")
    return [
        pytest.param(
            name,
            marks=[
                pytest.mark.needs(*NEEDS[name]),
                *([] if name in soon else [pytest.mark.nightly]),
            ],
        )
        for name in sorted(languages)
    ]


@pytest.fixture
def arena(tmp_path: Path) -> Iterator[WholeArena]:
    with WholeArena(tmp_path / "server", "bubblewrap") as arena:
        arena.folder.mkdir()
        arena.create()
        yield arena
        arena.assert_nothing_runs()


def contestant(folder: Path, *arguments: object, server: str = "", token: str = "") -> Any:
    """Runs `arena` in a folder; returns the JSON that it prints."""
    told = ran(*arguments, "--json", folder=folder, server=server, token=token)
    assert told.code == 0, told.out + told.err
    return told.json


def name_rust(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Names the Rust toolchain as an organiser does: rustup puts it into a home folder, which
    builds cannot see."""
    sysroot = Path(subprocess.check_output(["rustc", "--print", "sysroot"], text=True).strip())
    if not sysroot.is_relative_to("/usr"):
        names = folder / "runtimes.toml"
        names.write_text(f'below = ["{sysroot.parent}"]\n[rust]\nfolder = "{sysroot}"\n')
        monkeypatch.setenv("ARENA_RUNTIMES", str(names))


def build_soon(manifest: Path) -> None:
    """Turns off Cargo's optimisation, also in the server's sandbox, which lacks our environment."""
    profile = "[profile.release]\n"
    assert profile in manifest.read_text()
    manifest.write_text(manifest.read_text().replace(profile, profile + "opt-level = 0\n"))


@pytest.mark.parametrize("language", parameters(LANGUAGES))
def test_a_new_bot_is_built_played_checked_submitted_and_rated(
    arena: WholeArena, tmp_path: Path, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    contestant(tmp_path, "bot", "new", "fisher", "--language", language)
    if language == "rust":
        build_soon(tmp_path / "fisher" / "Cargo.toml")
    subprocess.run(["make", "-C", "fisher"], cwd=tmp_path, check=True)
    sandbox = ("--sandbox", "bubblewrap")
    told = contestant(tmp_path, "play", "xeri", "fisher", "builtin:random", "-n", 4, *sandbox)
    assert [total["faults"] for total in told["totals"]] == [0, 0]
    told = contestant(tmp_path, "bot", "check", "fisher", "--game", "xeri", *sandbox)
    assert all(row["ok"] for row in told["checks"])
    if language == "rust":
        name_rust(tmp_path, monkeypatch)
    # The server must not test the files that were built here.
    for left in ("bot", "bin", "dist", "target", "build"):
        subprocess.run(["rm", "-rf", tmp_path / "fisher" / left], check=True)
    server = arena.server(workers=0)  # nothing is played while the bot is built
    token = contestant(
        tmp_path, "token", "create", "--role", "owner", "--owner", "Ann", "--data", arena.data
    )["text"]
    told = contestant(
        tmp_path, "submit", "fisher", "--ladder", "main", server=address(server), token=token
    )
    assert told["accepted"]
    assert ("build" in [step["step"] for step in told["steps"]]) is (language != "python")
    worker = arena.worker()

    def rating() -> dict[str, Any]:
        rows = contestant(tmp_path, "ratings", "main", "--data", arena.data)["ratings"]
        [row] = [row for row in rows if row["bot"] == "fisher"]
        return dict(row)

    # The other bots' jobs are still queued.
    until(lambda: rating()["matches"], "the new bot is rated", patience_s=60)
    assert (rating()["owner"], rating()["faults"]) == ("Ann", 0)
    worker.stop()
    server.stop()
