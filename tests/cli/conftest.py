"""The `arena` command as users run it: called in this process, with its output and exit code."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from arena.cli.app import run
from tests.support.command_line import Arena, Ran
from tests.support.played_ladder import play_ladder
from tests.support.run_folder import data_folder


@pytest.fixture
def arena(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Arena:
    """Runs `arena` with some arguments in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def command(*arguments: object) -> Ran:
        code = run([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        return Ran(code, printed.out, printed.err)

    return command


SAMPLES = Path(__file__).parents[2] / "sample_bots"


@pytest.fixture
def samples() -> Path:
    """The folder of the sample bots."""
    return SAMPLES


# A data folder with the ladder `main`, on which three matches were played. Tests use copies.
kept = data_folder(lambda data: play_ladder(SAMPLES, data, 3))


@pytest.fixture
def data(kept: Path, tmp_path: Path) -> Path:
    """A copy of `kept`, where commands look for a data folder."""
    shutil.copytree(kept, tmp_path / "arena-data")
    return tmp_path / "arena-data"
