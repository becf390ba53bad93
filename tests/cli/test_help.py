"""What a person who does not know a command is told: its help, examples, and completions."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from arena.cli.app import ARENA
from arena.cli.command_loader import Command, LazyCommand
from arena.store.open import open_store
from tests.support.command_line import Arena
from tests.support.stored_matches import add_bots, add_match

ENVIRONMENT = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
COMPLETING = """
{script}
COMP_WORDS=({words} '{last}') COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
_arena_completion arena
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


def leaves(group: Any, path: tuple[str, ...] = ()) -> dict[str, Command]:
    """Returns every command that does something, by its words."""
    found: dict[str, Command] = {}
    for name, listed in group.commands.items():
        command = listed.load() if isinstance(listed, LazyCommand) else listed
        if hasattr(command, "commands"):
            found |= leaves(command, (*path, name))
        else:
            found[" ".join((*path, name))] = command
    return found


COMMANDS = leaves(ARENA)
EXAMPLES = [(words, line) for words, command in COMMANDS.items() for line in command.examples]


@pytest.mark.parametrize("words", COMMANDS)
def test_every_help_has_examples_and_fits_into_80_columns(
    arena: Arena, monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    told = arena(*words.split(), "-h")
    assert told.code == 0
    assert told == arena(*words.split(), "--help")
    assert " Examples:\n" in told.out
    for example in COMMANDS[words].examples:
        assert f"   {example}\n" in told.out
    assert max(map(len, told.out.splitlines())) <= 80


USUAL = {"compare run"}
"""What its group does if no command is named."""


@pytest.mark.parametrize(("words", "example"), EXAMPLES)
def test_an_example_can_be_typed_as_it_stands(words: str, example: str) -> None:
    name = words.split()[: -1 if words in USUAL else None]
    typed = shlex.split(example, comments=True)
    assert typed[: len(name) + 1] == ["arena", *name]
    COMMANDS[words].make_context(words, typed[len(name) + 1 :])


def test_brackets_in_a_help_text_are_brackets(arena: Arena) -> None:
    assert "[default: bubblewrap" in arena("play", "--help").out


def test_the_version_is_told_in_both_ways(arena: Arena) -> None:
    told = arena("--version")
    assert told == arena("version")
    assert told.out.startswith("Sevens Arena ")


def test_a_game_is_explained_by_its_name_alone(arena: Arena) -> None:
    assert arena("games", "xeri") == arena("games", "show", "xeri")
    assert "Did you mean xeri?" in arena("games", "xerri").err


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("plya", "There is no command 'plya'. Did you mean play? See `arena --help`."),
        ("bot chekc x", "There is no command 'chekc'. Did you mean check? See `arena bot --help`."),
        ("token lsit", "Did you mean list? See `arena token --help`."),
        ("bot check x --gmae y", "There is no option --gmae. Did you mean --game? See"),
        ("play xerri builtin:random", "There is no game 'xerri'. Did you mean xeri?"),
        ("play xeri builtin:rondom", "Did you mean builtin:random?"),
        ("play xeri builtin:random builtin:random --set dels=2", "Did you mean deals?"),
        ("bot new x --language pyhton", "There is no SDK for 'pyhton'. Did you mean python?"),
    ],
)
def test_whoever_mistypes_a_word_is_told_what_they_probably_meant(
    arena: Arena, typed: str, told: str
) -> None:
    assert told in arena(*typed.split()).err


def in_bash(folder: Path, script: str) -> str:
    ran = subprocess.run(
        ["bash", "--norc", "-c", script],
        cwd=folder,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stderr == ""
    return ran.stdout


@cache
def completion_script() -> str:
    return in_bash(Path("/"), "arena --show-completion; true")


def completed(folder: Path, words: str, last: str) -> list[str]:
    """Returns what bash offers at the tab key behind the last word."""
    script = COMPLETING.format(script=completion_script(), words=words, last=last)
    return in_bash(folder, script).split()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "last", "offered"),
    [
        ("arena", "pl", "play"),
        ("arena bot", "ch", "check"),
        ("arena games", "sh", "show"),
        ("arena play", "xe", "xeri"),
        ("arena play xeri", "", "my-bot bots/other solo.py builtin:random"),
        ("arena play xeri", "bots/", "bots/other"),
        ("arena play xeri", "--du", "--duplicate"),
        ("arena play xeri --sandbox", "", "bubblewrap none"),
        ("arena bot new x --language", "p", "python"),
        ("arena matches --fault", "r", "resource-limit"),
        ("arena matches --order", "", "latest worst best"),
        ("arena ladder show", "", ""),
    ],
)
def test_the_tab_key_completes_what_there_is(
    tmp_path: Path, words: str, last: str, offered: str
) -> None:
    for folder in ("my-bot", "bots/other"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "bot.toml").write_text("")
    (tmp_path / "solo.py").write_text("")
    assert sorted(completed(tmp_path, words, last)) == sorted(offered.split())


@pytest.mark.slow
def test_the_tab_key_completes_names_of_the_arena(arena: Arena, tmp_path: Path) -> None:
    assert arena("ladder", "create", "main", "xeri", "--data", "place").code == 0
    store = open_store(tmp_path / "place", "write")
    with store.writing() as session:
        add_bots(session)
        add_match(session, f"{'ab12' * 8}-1", "main")
    store.close()
    for words, offered in {
        "arena ladder show --data place": ["main"],
        "arena bot faults --data place": ["ann-bot", "bob-bot"],
        "arena log --data place": ["ab12ab12ab-1"],
        "arena ratings": [],
    }.items():
        assert completed(tmp_path, words, "") == offered


@pytest.mark.slow
def test_the_tab_key_asks_no_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ENVIRONMENT, "ARENA_SERVER", "arena.invalid:7777")
    assert completed(tmp_path, "arena ladder show", "") == []


@pytest.mark.slow
def test_the_tab_key_is_silent_about_a_damaged_store(tmp_path: Path) -> None:
    (tmp_path / "arena-data").mkdir()
    (tmp_path / "arena-data" / "arena.sqlite3").write_bytes(b"no database" * 1000)
    assert completed(tmp_path, "arena ladder show", "") == []
