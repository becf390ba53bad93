"""The disk of the data folder runs full in the middle of play, and is given room again."""

import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.whole_arena.arena import WholeArena

pytestmark = [pytest.mark.slow, pytest.mark.needs("disks in memory")]

MATCHES = 60
FULL_FOR_S = 3.0


@pytest.fixture
def arena(tmp_path: Path) -> Iterator[WholeArena]:
    """An arena whose data folder is a disk of its own."""
    with WholeArena(tmp_path) as arena:
        arena.data.mkdir()
        mount = ["mount", "-t", "tmpfs", "-o", "size=32m", "tmpfs", str(arena.data)]
        subprocess.run(mount, check=True)
        try:
            yield arena
        finally:
            subprocess.run(["umount", "--lazy", str(arena.data)], check=True)


def fill(disk: Path) -> Path:
    """Returns a file that leaves no room for others."""
    filler = disk / "filler"
    with filler.open("wb", buffering=0) as file:
        while True:
            try:
                file.write(bytes(4096))
            except OSError:
                return filler


def test_matches_wait_while_the_disk_is_full_and_none_is_lost(arena: WholeArena) -> None:
    arena.create()
    league = arena.league(MATCHES, workers=1)
    arena.until_recorded(2)
    filler = fill(arena.data)
    league.until_says("Matches wait until there is room.")
    time.sleep(FULL_FOR_S)
    assert league.process.poll() is None
    assert arena.recorded() < MATCHES
    filler.unlink()
    league.until_done()
    assert league.said().count("Matches wait until there is room.") <= 2  # once a writer
    assert "Traceback" not in league.said()
    arena.assert_nothing_runs()
    arena.assert_all_is_recorded_once(MATCHES)
