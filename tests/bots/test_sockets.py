"""Folders for sockets: short, private, and removed after their process, however it ends."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.bots import sockets
from arena.bots.sockets import PARENT_BYTES, sweep

OWNER = """
import sys
from arena.bots.sockets import private_folder
print(private_folder().parent, flush=True)
sys.stdin.read()
"""


@pytest.fixture
def parent(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder for private folders; the paths of pytest's folders are too long."""
    with tempfile.TemporaryDirectory() as folder:
        monkeypatch.setenv("XDG_RUNTIME_DIR", folder)
        yield Path(folder)


def owner() -> tuple[subprocess.Popen[str], Path]:
    """A process with a private folder."""
    process = subprocess.Popen(
        [sys.executable, "-c", OWNER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    folder = Path(process.stdout.readline().strip())
    return process, folder


def test_a_folder_whose_process_was_killed_is_removed_by_the_next(parent: Path) -> None:
    process, folder = owner()
    with process:
        process.kill()
    assert folder.is_dir()
    assert str(process.pid) in folder.name
    sweep(parent)
    assert not folder.exists()


def test_a_folder_whose_process_lives_is_left_alone(parent: Path) -> None:
    process, folder = owner()
    with process:
        sweep(parent)
        assert folder.is_dir()
        process.communicate()
    assert not folder.exists()  # its process removed it


def test_what_is_young_or_none_of_ours_is_left_alone(parent: Path) -> None:
    """A folder exists before it is locked, and other programs' folders may have similar names."""
    names = (".sevens-1-abc", "sevens-abc", "sevens-2-a", ".sevens-3-abc")
    young, other, file, old = (parent / name for name in names)
    for folder in (young, other, old):
        folder.mkdir()
    file.write_text("")
    for path in (other, file, old):
        os.utime(path, (0, 0))
    sweep(parent)
    assert all(path.exists() for path in (young, other, file))
    assert not old.exists()


def test_a_private_folder_is_private_and_short_enough_for_a_socket() -> None:
    folder = sockets.private_folder()
    assert folder.stat().st_mode & 0o777 == 0o700
    assert folder.parent.stat().st_mode & 0o777 == 0o700
    longest = "x" * PARENT_BYTES
    assert len(f"{longest}/{folder.parent.name}/{folder.name}/valkey.sock") <= 107
    folder.rmdir()


def test_a_folder_left_with_a_tree_deeper_than_the_stack_is_removed(parent: Path) -> None:
    process, folder = owner()
    with process:
        process.kill()
    place = os.open(folder, os.O_RDONLY)
    for _ in range(2 * sys.getrecursionlimit()):
        os.mkdir("d", dir_fd=place)
        inside = os.open("d", os.O_RDONLY, dir_fd=place)
        os.close(place)
        place = inside
    os.close(place)
    sweep(parent)
    assert not folder.exists()
