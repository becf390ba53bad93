"""Bots that are images, on a machine without an engine."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.bots.host import Host
from arena.bots.interface import MachineFailure
from arena.bots.references import UnknownBot, find_bot
from arena.bots.source.image import Image


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("unix://{folder}/none", "none answers at {folder}/none"),
        ("tcp://127.0.0.1:1", "has to listen on a Unix socket of this machine"),
    ],
)
def test_it_reports_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str, sentence: str
) -> None:
    monkeypatch.setenv("DOCKER_HOST", address.format(folder=tmp_path))
    with pytest.raises(UnknownBot, match=sentence.format(folder=tmp_path)):
        find_bot("image:mine")


async def test_on_such_a_machine_an_image_is_left_to_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/none")
    async with Host() as host:
        with pytest.raises(MachineFailure, match="Start Docker, or set DOCKER_HOST"):
            await host.start(Image("mine", "7" * 64, "mine"))
