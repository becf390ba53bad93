"""`arena bot new`: the folder's contents, wherever the arena is. `tests/end_to_end` builds it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from arena.bots.source import read_manifest
from arena.cli.commands.bot.languages import LANGUAGES
from arena.cli.options import DEFAULT_DATA
from tests.support.command_line import Arena

REPOSITORY = Path(__file__).parents[2]
each_language = pytest.mark.parametrize("language", LANGUAGES)


def test_every_sdk_has_its_starter() -> None:
    # A folder without a README is not in Git: a build may have left it behind.
    assert {path.parent.name for path in (REPOSITORY / "sdk").glob("*/README.md")} == {*LANGUAGES}


@each_language
def test_a_new_bot_is_the_example_under_its_own_name(
    arena: Arena, tmp_path: Path, language: str
) -> None:
    told = arena("bot", "new", "my-fish", "--language", language, "--json").json
    folder = tmp_path / "my-fish"
    assert told == {"bot": "my-fish", "language": language, "folder": str(folder)}
    row = LANGUAGES[language]
    example = REPOSITORY / "sdk" / row.example
    assert (folder / row.files[0]).read_text() == (example / row.files[0]).read_text()
    manifest, original = read_manifest(folder), read_manifest(example)
    assert (manifest.name, manifest.build) == ("my-fish", original.build)
    assert f"/{DEFAULT_DATA}/" in (folder / ".gitignore").read_text().splitlines()
    assert [path.name for path in tmp_path.iterdir()] == ["my-fish"]  # no temporary files are left
    for path in folder.rglob("*"):
        if path.is_file() and "sevens" not in path.relative_to(folder).parts:
            assert "../.." not in path.read_text(), path


@each_language
def test_the_readme_says_what_to_change_first(arena: Arena, tmp_path: Path, language: str) -> None:
    assert f"Then change my-fish/{LANGUAGES[language].files[0]}" in (
        arena("bot", "new", "my-fish", "--language", language).out
    )
    folder = tmp_path / "my-fish"
    readme = (folder / "README.md").read_text()
    row = LANGUAGES[language]
    assert f"1. **`{row.files[0]}`**, the method `{row.method}`" in readme
    assert row.method in (folder / row.files[0]).read_text()
    assert f"`sevens/sdk/{row.sdk[0]}`" in readme
    assert (folder / "sevens" / "sdk" / row.sdk[0]).is_file()
    targets = [word for word in readme.split() if word in ("play", "check", "submit")]
    makefile = (folder / "Makefile").read_text()
    assert set(targets) == {"play", "check", "submit"}
    assert all(f"\n{target}: build\n" in makefile for target in targets)
    told = subprocess.run(
        ["make", "--no-print-directory", "--dry-run", "play", "GAME=trash"],
        cwd=folder,
        env={name: value for name, value in os.environ.items() if not name.startswith("MAKE")},
        capture_output=True,
        text=True,
    )
    assert told.stdout.splitlines()[-1] == "arena play trash . builtin:random -n 20"


@pytest.mark.parametrize(
    ("name", "language", "field", "words"),
    [
        ("fish", "cobol", "language", "no SDK for 'cobol'; there are: python, go"),
        ("My Fish", "go", "name", "lower-case letters, digits and hyphens"),
        ("../fish", "go", "name", "cannot be a bot's name"),
        ("7fish", "go", "name", "beginning with a letter"),
        ("f" * 41, "go", "name", "at most 40"),
        ("there", "go", "name", "there exists already; choose another name."),
        ("file", "go", "name", "file exists already; choose another name."),
    ],
)
def test_a_name_that_will_not_do_is_refused_and_nothing_is_made(
    arena: Arena, tmp_path: Path, name: str, language: str, field: str, words: str
) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "file").write_text("mine")
    told = arena("bot", "new", name, "--language", language, "--json")
    assert (told.code, told.out, told.error["field"]) == (2, "", field)
    assert words in told.error["sentence"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "there"]
    assert list((tmp_path / "there").iterdir()) == []
    assert (tmp_path / "file").read_text() == "mine"
