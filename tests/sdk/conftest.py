"""The SDKs as bot authors use them: their examples, built, as processes of their language."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.cli.app import run


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
