"""Bots that are images, where there is no engine."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.bots import engine
from arena.bots.source import UnknownBot, find_bot


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("unix://{folder}/none", "none answers at {folder}/none"),
        ("tcp://127.0.0.1:1", "has to listen on a Unix socket of this machine"),
    ],
)
def test_it_is_told_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str, sentence: str
) -> None:
    # Other tests may be connected.
    monkeypatch.setattr(engine, "engine", engine.engine.__wrapped__)
    monkeypatch.setenv("DOCKER_HOST", address.format(folder=tmp_path))
    with pytest.raises(UnknownBot, match=sentence.format(folder=tmp_path)):
        find_bot("image:mine")
