"""Lists have each command's own summary, and a short command imports no long one."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest

from arena.cli.app import ARENA
from arena.cli.command_loader import LazyCommand, LazyGroup
from tests.support.command_line import Arena

# Each takes longer to import than a short command takes to run.
HEAVY = {
    "alembic",
    "asyncio",
    "docker",
    "grpc",
    "numpy",
    "pydantic",
    "redis",
    "sqlalchemy",
    "trueskill",
}
IMPORTED = """
import sys
from arena.cli.app import run
run(sys.argv[1:])
print(*{name.partition(".")[0] for name in sys.modules}, file=sys.stderr)
"""


def lazy(group: LazyGroup, path: str = "") -> Iterator[tuple[str, LazyCommand]]:
    """Yields every command below a group, by its path on the command line."""
    for name, command in group.commands.items():
        if isinstance(command, LazyGroup):
            yield from lazy(command, f"{path}{name} ")
        else:
            assert isinstance(command, LazyCommand)
            yield f"{path}{name}", command


COMMANDS = dict(lazy(ARENA))


@pytest.mark.parametrize("words", COMMANDS)
def test_a_command_begins_its_own_help_with_the_summary_of_the_list(words: str) -> None:
    own = COMMANDS[words].load()
    assert own.name == words.rpartition(" ")[2]
    assert own.help.partition("\n\n")[0] == COMMANDS[words].summary()


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("--help",),
        ("version",),
        ("version", "--json"),
        ("games",),
        ("games", "--help"),
        ("bot", "--help"),
        ("bot", "new", "--help"),
        ("ladder", "--help"),
        ("frobnicate",),
    ],
)
def test_a_short_command_imports_nothing_that_takes_long(arguments: tuple[str, ...]) -> None:
    imported = imported_by(*arguments)
    assert {"typer", "arena"} <= imported
    assert not imported & HEAVY


@pytest.mark.parametrize(
    "arguments", [("ladder", "show"), ("ratings",), ("ladder", "create"), ("token", "list")]
)
def test_a_command_on_a_store_loads_nothing_that_only_play_needs(
    arguments: tuple[str, ...],
) -> None:
    imported = imported_by(*arguments, "--help")
    assert "sqlalchemy" in imported
    assert not imported & {"alembic", "fastapi", "networkx", "numpy", "redis"}


@pytest.mark.parametrize("command", ["worker", "submit", "play"])
def test_a_command_that_opens_no_store_imports_no_tables(command: str) -> None:
    assert "sqlalchemy" not in imported_by(command, "--help")


def imported_by(*arguments: str) -> set[str]:
    """Returns the packages that a process has imported once the command has run."""
    ran = subprocess.run(
        [sys.executable, "-c", IMPORTED, *arguments], capture_output=True, text=True, check=True
    )
    return set(ran.stderr.splitlines()[-1].split())


def test_the_help_lists_every_command_in_one_line_by_what_one_wants(
    arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    lines = [line.strip("│ ") for line in arena("--help").out.splitlines()]
    panels = [line.split("─ ")[1].split(" ─")[0] for line in lines if line.startswith("╭─")]
    assert panels[1:] == ["Get started", "Write a bot", "Watch the matches", "Run an arena"]
    for name, command in ARENA.commands.items():
        assert f"{name:10}  {command.help}" in lines


def test_an_unknown_command_is_compared_with_those_that_there_are(arena: Arena) -> None:
    told = arena("bot", "lst")
    assert told.code == 2
    assert "There is no command 'lst'. Did you mean list? See `arena bot --help`." in told.err
