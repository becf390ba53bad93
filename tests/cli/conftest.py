"""The `arena` command as users have it: run in this process, its output and exit code looked at."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from arena.cli.app import run


@dataclass(frozen=True)
class Ran:
    """What a command printed, and how it ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one document on stdout."""
        return json.loads(self.out)

    @property
    def error(self) -> dict[str, str]:
        """The error on stderr, as `--json` gives it: its last line."""
        error: dict[str, str] = json.loads(self.err.splitlines()[-1])["error"]
        return error


Arena = Callable[..., Ran]


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
