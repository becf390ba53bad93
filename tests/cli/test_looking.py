"""Output about ladders and matches; tests/server covers servers."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path

import pytest

from arena.cli.output import stdout
from arena.store.data_folder import DataFolder
from tests.support.command_line import Arena


@pytest.fixture
def narrow(monkeypatch: pytest.MonkeyPatch) -> int:
    """Narrows the terminal; returns its width in columns."""
    monkeypatch.setattr(stdout, "width", 80)
    return 80


def states(arena: Arena) -> tuple[str, str, str, bool]:
    """Returns the state of the ladder main: in the list, alone, as JSON, and whether it is
    running."""
    listed = re.split("  +", arena("ladder", "list").out.splitlines()[1])[-1].strip()
    [row] = arena("ladder", "list", "--json").json["ladders"]
    shown = arena("ladder", "show", "main")
    alone = arena("ladder", "show", "main", "--json").json
    assert (row["state"], row["running_now"]) == (alone["state"], alone["running_now"])
    [line] = [line for line in shown.out.splitlines() if line.startswith("state: ")]
    return listed, line.removeprefix("state: "), row["state"], row["running_now"]


def test_a_ladder_runs_only_while_an_arena_runs_it(arena: Arena, data: Path) -> None:
    assert states(arena) == ("not being run", "not being run", "running", False)
    with DataFolder(data).hold() as hold:
        hold.announce("unix:///nowhere", only=["other"])
        assert states(arena) == ("not being run", "not being run", "running", False)
        for ladders in (["other", "main"], None):
            hold.announce("unix:///nowhere", only=ladders)
            assert states(arena) == ("running", "running", "running", True)
    arena("ladder", "pause", "main")
    with DataFolder(data).hold() as hold:
        hold.announce("unix:///nowhere", only=None)
        assert states(arena) == ("paused", "paused", "paused", False)


def test_matches_are_readable_in_eighty_columns(arena: Arena, data: Path, narrow: int) -> None:
    rename(data, "demo-insidious-sevens", "a-bot-of-23-characters")
    whole = arena("matches", "--json").json["matches"]
    lines = arena("matches").out.splitlines()
    assert max(map(len, lines)) <= narrow
    names = [f"{match['match'][:10]}-1" for match in whole]
    assert [line.split()[0] for line in lines if re.match(r"\S", line)][1:-1] == names
    for match in whole:
        for seat in match["seats"]:
            entry = f"{seat['rank']} {seat['bot']} {seat['score']}"
            assert any(entry in line for line in lines), entry
    assert lines[-1] == f"read one: arena log {names[0]}"
    for name, match in zip(names, whole, strict=True):
        assert arena("log", name, "--json").json["match"] == match["match"]


def test_short_results_take_one_line_each(arena: Arena, data: Path, narrow: int) -> None:
    assert len(arena("matches").out.splitlines()) == 1 + 3 + 2
    more = arena("matches", "--limit", 1).out.splitlines()[-1]
    assert more.startswith("more: --after ")
    assert len(arena("matches", *more.removeprefix("more: ").split()).out.splitlines()) == 1 + 2 + 2


@pytest.mark.parametrize(
    "command",
    [
        ("ratings", "main"),
        ("ratings", "main", "--rebuild"),
        ("matches",),
        ("matches", "--bot", "random", "--limit", "1"),
        ("ladder", "list"),
        ("ladder", "show", "main"),
    ],
)
def test_programs_get_one_document_and_nothing_else(
    arena: Arena, data: Path, command: tuple[str, ...]
) -> None:
    told = arena(*command, "--json")
    assert (told.code, told.err) == (0, "")
    assert isinstance(told.json, dict)


def rename(data: Path, ladder: str, bot: str) -> None:
    """Renames the ladder of all matches, and the first bot in them."""
    connection = sqlite3.connect(data / "arena.sqlite3")
    connection.execute("UPDATE competitions SET name = ?", (ladder,))
    connection.execute("UPDATE matches SET competition = ?", (ladder,))
    connection.execute("UPDATE match_seats SET bot = ? WHERE bot = 'first'", (bot,))
    connection.commit()
    connection.close()


@pytest.mark.usefixtures("data")
@pytest.mark.parametrize("name", ["x" * 60_000, "\udcff"], ids=["longer than any name", "no UTF-8"])
@pytest.mark.parametrize("command", ["log", "replay", "verify", "bot list", "matches --after"])
def test_a_name_that_nothing_can_have_is_a_mistake_of_the_user(
    arena: Arena, command: str, name: str
) -> None:
    told = arena(*command.split(), name)
    assert told.code == 2
    assert len(told.err) < 1000


def test_replay_names_the_page_of_the_moment_while_pages_are_served(
    arena: Arena, data: Path
) -> None:
    match = arena("matches", "--json").json["matches"][0]["match"]
    assert "Page:" not in arena("replay", match).out
    with DataFolder(data).hold() as hold:
        hold.announce("unix:///nowhere", pages="http://127.0.0.1:8007")
        shown = arena("replay", match[:12], "--seat", 1, "--at", 3).out
        assert f"http://127.0.0.1:8007/matches/{match}?seat=1&at=3" in shown.replace("\n ", "")
