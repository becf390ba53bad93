"""Commands on a full disk say so, and work as soon as there is room."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.command_line import ran, ran_apart

pytestmark = [pytest.mark.slow, pytest.mark.needs("disks in memory")]

SIZE_KIB = 1024
PLAY = "play xeri builtin:random builtin:random --sandbox none -n 2"


@pytest.fixture
def disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A small disk, which is the working directory."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={SIZE_KIB}k", "tmpfs", str(place)]
    subprocess.run(mount, check=True)
    try:
        with monkeypatch.context() as inside:
            inside.chdir(place)
            yield place
    finally:
        subprocess.run(["umount", "--lazy", str(place)], check=True)


def fill(disk: Path, but_kib: int) -> Path:
    filler = disk / "filler"
    filler.write_bytes(bytes((SIZE_KIB - but_kib) * 1024))
    return filler


@pytest.mark.parametrize(
    ("command", "room_kib"),
    [
        ("ladder create main xeri", 0),
        ("ladder create main xeri", 60),
        ("demo", 60),
        ("serve --listen 127.0.0.1:0 --sandbox none", 60),
    ],
)
def test_a_data_folder(disk: Path, command: str, room_kib: int) -> None:
    filler = fill(disk, room_kib)
    told = ran_apart(*command.split())
    assert told.code == 4
    assert "is full; make room there." in told.err
    assert "Traceback" not in told.err
    filler.unlink()
    again = ran("ladder", "create", "main", "xeri")
    assert again.code == 0, again.err


def test_records(disk: Path) -> None:
    filler = fill(disk, 0)
    told = ran_apart(*PLAY.split())
    assert told.code == 4
    assert "is full; make room there." in told.err
    assert not list(disk.glob("arena-data/played/*"))
    filler.unlink()
    assert ran_apart(*PLAY.split()).code == 0


@pytest.mark.parametrize("room_kib", [0, 40])
def test_a_new_bot(disk: Path, room_kib: int) -> None:
    filler = fill(disk, room_kib)
    told = ran_apart("bot", "new", "mine", "--language", "python")
    assert told.code == 2
    assert f"The disk of {disk} is full; make room there." in told.err
    assert list(disk.iterdir()) == [filler]
    filler.unlink()
    assert ran_apart("bot", "new", "mine", "--language", "python").code == 0
