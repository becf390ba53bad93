"""The `arena` command as users have it: run in this process, its output and exit code looked at."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import Arena, Ran

from arena.cli.app import run


@pytest.fixture
def arena(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Arena:
    """Runs `arena` with some arguments, in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def command(*arguments: object) -> Ran:
        code = run([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        return Ran(code, printed.out, printed.err)

    return command


@pytest.fixture
def samples() -> Path:
    """The folder of the sample bots."""
    return Path(__file__).parents[2] / "sample_bots"
