"""Managing bots in a data folder that no arena is using; tests/server covers servers."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from arena.store.faults import suspend
from arena.store.open import open_store
from arena.store.schema import Entry
from tests.support.command_line import Arena


@pytest.fixture
def ladder(arena: Arena, samples: Path) -> str:
    """The ladder main, with the bots random and xeri-fisher."""
    bots = (samples / "random_bot", samples / "xeri_fisher")
    assert arena("ladder", "create", "main", "xeri", *bots, "--set", "deals=1").code == 0
    return "main"


def suspended(tmp_path: Path, version: str) -> None:
    store = open_store(tmp_path / "arena-data", "write")
    with store.writing() as session:
        suspend(session.get_one(Entry, ("main", version)), "m-7")
    store.close()


def test_versions_are_listed_and_retired(arena: Arena, ladder: str) -> None:
    listed = arena("bot", "list", "--json").json["versions"]
    assert [(row["bot"], row["number"], row["state"]) for row in listed] == [
        ("random", 1, "active"),
        ("xeri-fisher", 1, "active"),
    ]
    assert listed[0]["ladders"] == [{"ladder": ladder, "state": "active"}]
    retired = arena("bot", "retire", "random", 1, "--json").json["version"]
    assert (retired["bot"], retired["state"]) == ("random", "retired")
    assert "main (active)" in arena("bot", "list", "random").out
    assert "no owner 'Nobody'" in arena("bot", "list", "--owner", "Nobody").err
    wrong = arena("bot", "retire", "random", 2, "--json")
    assert (wrong.code, wrong.error["sentence"]) == (2, "There is no version 2 of random.")


def test_a_suspended_version_is_shown_and_readmitted(
    arena: Arena, ladder: str, tmp_path: Path
) -> None:
    [row] = arena("bot", "list", "random", "--json").json["versions"]
    suspended(tmp_path, row["version"])
    states = {r["bot"]: r["state"] for r in arena("ratings", ladder, "--json").json["ratings"]}
    assert states == {"random": "suspended", "xeri-fisher": "active"}
    assert arena("ladder", "show", ladder, "--json").json["obstacle"].startswith("The ladder main")
    readmitted = arena("bot", "readmit", "random", 1, "--ladder", ladder)
    assert (readmitted.code, "plays on main again" in readmitted.err) == (0, True)
    again = arena("bot", "readmit", "random", 1, "--ladder", ladder, "--json")
    assert (again.code, again.error["field"]) == (2, "bot")
    assert arena("bot", "faults").out == "There are no such faults.\n"
    assert arena("bot", "faults", "random", "--json").json == {"faults": [], "next": None}


def test_a_bot_is_deleted_for_good(
    arena: Arena, ladder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("no\n"))
    asked = arena("bot", "delete", "random")
    assert asked.code == 130
    deleted = arena("bot", "delete", "random", "--yes", "--json")
    assert deleted.json == {"bot": "random", "versions": 1}
    [row] = arena("bot", "list", "random", "--json").json["versions"]
    assert (row["owner"], row["state"]) == ("(deleted)", "retired")
    kept = [path.name for path in (tmp_path / "arena-data" / "versions").iterdir()]
    assert row["version"] not in kept
    again = arena("bot", "delete", "random", "--yes", "--json")
    assert (again.code, again.error["sentence"]) == (2, "The bot random was deleted.")


def test_a_quota_is_set_when_a_ladder_is_created(arena: Arena, samples: Path) -> None:
    create = ("ladder", "create", "strict", "xeri", "--set", "deals=1", "--fault-quota")
    wrong = arena(*create, 51)
    assert (wrong.code, "it is 0 to 50, not 51" in wrong.err.replace("\n", " ")) == (2, True)
    assert arena(*create, 0).code == 0
    assert arena("ladder", "show", "strict", "--json").json["fault_quota"] == 0
