from __future__ import annotations

import subprocess
import tarfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from arena.store.open import open_store
from arena.views.matches.match_list import find_matches
from sevens_games import slugs
from tests.support.chromium import Visit, visiting
from tests.support.crowded_ladder import crowd
from tests.support.played_competitions import play_competitions
from tests.support.played_ladder import play_ladder
from tests.support.run_folder import data_folder, pages_of

HERE = Path(__file__).parent
SAMPLES = HERE.parent.parent / "sample_bots"
AXE = "axe-core@4.14.1"


@pytest.fixture(scope="session")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The source of axe-core, which finds what keeps people out."""
    folder = tmp_path_factory.mktemp("axe")
    subprocess.run(["npm", "pack", "--silent", AXE], cwd=folder, check=True)
    [package] = folder.glob("*.tgz")
    with tarfile.open(package) as archive:
        source = archive.extractfile("package/axe.min.js")
        assert source is not None
        return source.read().decode()


def play_every_game(data: Path) -> None:
    for slug in slugs():
        play_ladder(SAMPLES, data, 1, name=f"{slug}-ladder", game=slug, deals=2)


# Data folders that no test changes, each with the origin of its pages: a ladder; competitions of
# every kind; many matches of bots with strange names; a match of every game.
shown = data_folder(lambda data: play_ladder(SAMPLES, data, 12))
site = pages_of("shown")
busy = data_folder(play_competitions)
busy_site = pages_of("busy")
crowded = data_folder(crowd)
crowded_site = pages_of("crowded")
every_game = data_folder(play_every_game)
games_site = pages_of("every_game")


@pytest.fixture(scope="session")
def matches_of_games(every_game: Path) -> Mapping[str, str]:
    """The match of each game."""
    with open_store(every_game, "read").reading() as session:
        return {match.game: match.match for match in find_matches(session, limit=100).matches}


@pytest.fixture
def visit(browser: Browser, site: str) -> Iterator[Visit]:
    """A tab of a desktop's browser, for the site."""
    with visiting(browser, site) as tab:
        yield tab
