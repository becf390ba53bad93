from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from arena.cli.app import run
from arena.store.open import open_store
from arena.store.session import Store
from arena.views.matches.match_filter import MatchFilter
from arena.views.matches.match_list import find_matches
from tests.support.played_ladder import play_ladder
from tests.support.run_folder import data_folder
from tests.support.table_pages import Guest
from tests.support.whole_arena.arena import SAMPLE_BOTS, WholeArena

three_matches = data_folder(lambda data: play_ladder(SAMPLE_BOTS, data, 3))


@contextmanager
def resting_arena(three_matches: Path, folder: Path) -> Iterator[WholeArena]:
    """An arena whose ladder has had three matches, and rests."""
    with WholeArena(folder) as arena:
        shutil.copytree(three_matches, arena.data)
        assert run(["ladder", "pause", "main", "--data", str(arena.data)]) == 0
        yield arena


@contextmanager
def open_to_guests(arena: WholeArena, grace_s: int) -> Iterator[str]:
    """Serves an arena with pages that let guests play; yields their origin."""
    server = arena.server("--web", "127.0.0.1:0", "--guests", "--grace", str(grace_s))
    yield server.pages()
    server.stop()


@pytest.fixture(scope="module")
def arena(three_matches: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[WholeArena]:
    with resting_arena(three_matches, tmp_path_factory.mktemp("tables")) as arena:
        yield arena


@pytest.fixture(scope="module")
def origin(arena: WholeArena) -> Iterator[str]:
    with open_to_guests(arena, 15) as origin:
        yield origin


@pytest.fixture
def guest(origin: str) -> Guest:
    return Guest(origin)


@pytest.fixture
def store(arena: WholeArena) -> Iterator[Store]:
    """The arena's store, to look at."""
    store = open_store(arena.data, "read")
    yield store
    store.close()


@pytest.fixture
def played_match(store: Store) -> str:
    """A match of the ladder."""
    with store.reading() as session:
        return find_matches(session, MatchFilter(competition="main")).matches[0].match
