"""A season in a minute, and the old data folder with which it begins."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from arena.store.data_folder import DataFolder
from arena.store.sqlite import sqlite_engine
from arena.store.upgrade import revision_of, revisions
from bench.season.first_release import make_first_release
from tests.support.command_line import ran
from tests.support.played_ladder import play_ladder
from tests.support.whole_arena.arena import SAMPLE_BOTS


def test_a_folder_of_the_first_release_is_upgraded_with_all_its_matches(tmp_path: Path) -> None:
    data = tmp_path / "data"
    play_ladder(SAMPLE_BOTS, data, 3)
    before = shown(data)
    make_first_release(DataFolder(data))
    engine = sqlite_engine(DataFolder(data).database, read_only=True)
    assert revision_of(engine) == revisions()[0]
    engine.dispose()
    assert ran("upgrade", "--data", data, "--json").json["upgraded"]
    assert shown(data) == before


def shown(data: Path) -> tuple[object, object]:
    """The matches and the ratings of a data folder."""
    matches = ran("matches", "--json", "--data", data).json["matches"]
    return matches, ran("ratings", "main", "--json", "--data", data).json["ratings"]


@pytest.mark.slow
@pytest.mark.nightly
@pytest.mark.needs("nginx", "openssl", "network namespaces", "disks in memory")
@pytest.mark.timeout(600)
def test_a_season_in_a_minute_loses_nothing() -> None:
    command = [sys.executable, "-m", "bench", "season", "--minutes", "1", "--seed", "7"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Nothing lost" in done.stdout
