"""A game's whole path: from `arena games new` to a package that is installed, and played
everywhere: by its own tests and those of every game, by the command, on a ladder, and by a person
on the pages."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.command_line import ran, ran_apart
from tests.support.table_pages import Guest, at_random
from tests.support.whole_arena.arena import WholeArena

pytestmark = pytest.mark.slow

GAME = "odd-trick"
EVERY_GAME = sorted((Path(__file__).parents[1] / "games").glob("test_every_game*.py"))
PIP = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the command creates."""
    folder = tmp_path_factory.mktemp("new")
    told = ran("games", "new", GAME, "--json", folder=folder)
    assert told.json == {"game": GAME, "folder": str(folder / GAME)}
    return folder / GAME


@pytest.fixture(scope="module")
def site(package: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package built, and installed in a folder of its own. Without the network: the backend
    and the arena are here already."""
    folder = tmp_path_factory.mktemp("site")
    wheels = ("--no-index", "--no-deps", "--no-build-isolation", "--wheel-dir", folder / "wheels")
    subprocess.run([*PIP, "wheel", *wheels, package], check=True)
    [wheel] = (folder / "wheels").glob("odd_trick-*.whl")
    subprocess.run(
        [*PIP, "install", "--no-index", "--no-deps", "--target", folder, wheel], check=True
    )
    return folder


@pytest.fixture
def installed(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes that a test starts find the package."""
    monkeypatch.setenv("PYTHONPATH", str(site))


@pytest.fixture
def arena(tmp_path: Path) -> Iterator[WholeArena]:
    with WholeArena(tmp_path) as arena:
        yield arena
        arena.assert_nothing_runs()


def run_tests(folder: Path, *arguments: object) -> str:
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *map(str, arguments)],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == pytest.ExitCode.OK, run.stdout + run.stderr
    return run.stdout


@pytest.mark.usefixtures("installed")
def test_it_passes_its_own_tests_and_its_view_those_of_every_game(package: Path, seed: int) -> None:
    run_tests(package, package)
    assert passed_of_every_game(seed, *EVERY_GAME[-1:]) > 10


@pytest.mark.nightly
@pytest.mark.usefixtures("installed")
def test_it_passes_all_tests_of_every_game(seed: int) -> None:
    assert passed_of_every_game(seed, *EVERY_GAME) > 40


def passed_of_every_game(seed: int, *files: Path) -> int:
    """Returns the number of tests that the game passes; none fails."""
    told = run_tests(EVERY_GAME[0].parents[2], f"--seed={seed}", "-k", GAME, *files)
    passed = re.search(r"(\d+) passed", told)
    assert passed
    return int(passed[1])


@pytest.mark.usefixtures("installed")
def test_the_command_explains_and_plays_it(package: Path, tmp_path: Path) -> None:
    shown = ran_apart("games", "show", GAME)
    assert "Odd Trick (odd-trick, rules version 1)" in shown.out
    chance = ("-n", 100, "--seed", 1)
    bots = (package / "bot", "builtin:random")
    played = ran_apart("play", GAME, *bots, *chance, "--json", "--data", tmp_path)
    assert played.code == 0, played.err
    bot, _ = played.json["totals"]
    assert bot["bot"] == "odd-trick-bot"
    assert bot["wins"] > 60
    [record, *_] = [match["record"] for match in played.json["matches"]]
    assert ran_apart("verify", record).code == 0


@pytest.mark.usefixtures("installed")
def test_a_ladder_and_the_pages_and_a_person_play_it(arena: WholeArena) -> None:
    demo = ran_apart("demo", "--game", GAME, "--matches", 6, "--data", arena.data)
    assert demo.code == 0, demo.err
    assert f"demo-{GAME}" in demo.out
    server = arena.server("--guests", "--web", "127.0.0.1:0")
    guest = Guest(server.pages())
    assert "Odd Trick" in guest.get(f"/games/{GAME}").words
    [match, *_] = ran_apart("matches", "--game", GAME, "--json", "--data", arena.data).json[
        "matches"
    ]
    page = guest.get(f"/matches/{match['match']}?at=3")
    assert page.status == 200
    assert "takes the trick" in page.text
    table = guest.sits_down(game=GAME, seat=0, **{"option-deals": 1})
    assert guest.plays(table, at_random(1)).is_final
    server.stop()
