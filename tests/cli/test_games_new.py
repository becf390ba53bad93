"""`arena games new`: the folder's contents. `tests/end_to_end` builds and plays it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.command_line import Arena

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "sample_games" / "highest_card"


def test_a_new_game_is_the_sample_under_its_own_name(arena: Arena, tmp_path: Path) -> None:
    told = arena("games", "new", "odd-trick", "--json").json
    folder = tmp_path / "odd-trick"
    assert told == {"game": "odd-trick", "folder": str(folder)}
    sample = (SAMPLE / "highest_card.py").read_text()
    module = (folder / "odd_trick.py").read_text()
    assert 'slug="odd-trick",\n    title="Odd Trick",' in module
    assert "class OddTrick(State):" in module
    assert len(module.splitlines()) == len(sample.splitlines())
    assert 'odd-trick = "odd_trick:GAME"' in (folder / "pyproject.toml").read_text()
    assert (folder / "bot" / "bot.toml").read_text().startswith('name = "odd-trick-bot"\n')
    for path in folder.rglob("*.*"):
        for name in ("highest-card", "highest_card", "HighestCard", "HIGHEST_CARD", "Highest Card"):
            assert name not in path.read_text()
    assert [path.name for path in tmp_path.iterdir()] == ["odd-trick"]  # no temporary files


def test_the_sample_itself_can_be_created(arena: Arena, tmp_path: Path) -> None:
    assert arena("games", "new", "highest-card").code == 0
    for path in SAMPLE.rglob("*.py"):
        assert (tmp_path / "highest-card" / path.relative_to(SAMPLE)).read_text() == (
            path.read_text()
        )


def test_it_says_what_to_do_next(arena: Arena) -> None:
    out = arena("games", "new", "odd-trick").out
    assert "pip install --editable odd-trick" in out
    assert "arena play odd-trick odd-trick/bot builtin:random" in out
    assert "Then change odd-trick/odd_trick.py" in out


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("Odd", "at most 40 lower-case letters"),
        ("odd--trick", "single hyphens"),
        ("../odd", "cannot be a game's slug"),
        ("o" * 41, "at most 40"),
        ("xeri", "There is a game xeri already"),
        ("json", "json means something else in Python"),
        ("class", "class means something else"),
        ("turn", "choose another name, such as my-turn"),
    ],
)
def test_a_name_that_cannot_be_one_is_refused(
    arena: Arena, tmp_path: Path, name: str, why: str
) -> None:
    told = arena("games", "new", name, "--json")
    assert told.code == 2
    assert why in told.error["sentence"]
    assert told.error["field"] == "name"
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_exists_is_left_alone(arena: Arena, tmp_path: Path) -> None:
    (tmp_path / "odd-trick").mkdir()
    told = arena("games", "new", "odd-trick")
    assert told.code == 2
    assert "odd-trick exists already" in told.err
    assert list((tmp_path / "odd-trick").iterdir()) == []


def test_the_guide_quotes_the_sample() -> None:
    guide = (ROOT / "docs" / "adding-a-game.md").read_text()
    for language, file in (("python", "highest_card.py"), ("toml", "pyproject.toml")):
        quotes = re.findall(rf"```{language}\n(.*?)```", guide, re.DOTALL)
        assert quotes
        for quote in quotes:
            assert quote in (SAMPLE / file).read_text()
