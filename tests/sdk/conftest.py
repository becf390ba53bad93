"""The SDKs as bot authors use them: their examples, built, as processes of their language."""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.cli.app import run

SDKS = Path(__file__).parents[2] / "sdk"


@pytest.fixture(scope="session")
def examples_of() -> Callable[[str], Path]:
    """Returns the folder of a language's SDK examples, built. Workers of pytest-xdist build one
    after the other."""
    built: dict[str, Path] = {}

    def build(language: str) -> Path:
        if language not in built:
            folder = SDKS / language
            descriptor = os.open(folder, os.O_RDONLY)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX)
                make(language, "build")
            finally:
                os.close(descriptor)
            built[language] = folder / "examples"
        return built[language]

    return build


@pytest.fixture
def arena(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Any]:
    """Runs `arena` with some arguments in an empty folder; returns the JSON that it prints."""
    monkeypatch.chdir(tmp_path)

    def command(*arguments: object) -> Any:
        code = run([*map(str, arguments), "--json"])
        printed = capsys.readouterr()
        assert code == 0, printed.out + printed.err
        return json.loads(printed.out)

    return command


def make(language: str, target: str) -> None:
    subprocess.run(["make", "--directory", SDKS / language, target], check=True)
