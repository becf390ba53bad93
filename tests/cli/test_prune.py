"""`arena prune`: old records and private logs go, and all that follows from results stays."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from arena.league import retention
from tests.support.command_line import Arena


def matches(arena: Arena) -> list[str]:
    """Returns all matches, the latest first."""
    return [row["match"] for row in arena("matches", "--json").json["matches"]]


def test_the_latest_records_are_kept_and_ratings_can_be_rebuilt(
    arena: Arena, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retention, "AT_ONCE", 1)
    latest, *old = matches(arena)
    listed = arena("matches", "--json").json
    ratings = arena("ratings", "main", "--rebuild", "--json").json["ratings"]
    assert arena("prune", "--keep-records", "1", "--json").json == {"records": 2, "logs": 0}
    assert arena("prune", "--keep-records", "1", "--json").json == {"records": 0, "logs": 0}
    assert arena("verify", latest).code == 0
    for match in old:
        told = arena("log", match, "--json")
        assert told.code == 2
        assert "has been pruned; its digest is kept" in told.error["sentence"]
    assert arena("matches", "--json").json == listed
    assert arena("ratings", "main", "--rebuild", "--json").json["ratings"] == ratings
    assert arena("backup", "copy").code == 0
    assert arena("restore", "copy", "--data", "new", "--json").json["records"] == 1


def test_private_logs_go_by_age(arena: Arena, data: Path) -> None:
    _, old, older = matches(arena)
    connection = sqlite3.connect(data / "arena.sqlite3")
    for match, days in ((old, 29), (older, 31)):
        age = f"-{days} days"
        connection.execute(
            "UPDATE matches SET finished_at = datetime('now', ?) WHERE id = ?", (age, match)
        )
    connection.commit()
    connection.close()
    done = arena("prune", "--keep-logs", "30d,3")
    assert (done.code, done.out) == (0, "Dropped 0 records and 1 private logs.\n")
    assert arena("prune", "--keep-logs", "30d,1", "--json").json == {"records": 0, "logs": 1}
    assert arena("verify", older).code in (0, 1)  # its record is still there
    assert arena("prune").out == "Dropped 0 records and 0 private logs.\n"


@pytest.mark.parametrize("limit", ["0", "x", "1w", "90d;5", "-1"])
def test_a_limit_that_is_none_is_refused(arena: Arena, data: Path, limit: str) -> None:
    told = arena("prune", "--keep-records", limit, "--json")
    assert (told.code, told.error["field"]) == (2, "keep_records")
    assert "is no limit" in told.error["sentence"]


def test_where_there_is_no_arena_none_is_made(arena: Arena) -> None:
    told = arena("prune", "--keep-records", "1", "--json")
    assert (told.code, told.error["field"]) == (2, "data")
    assert not Path("arena-data").exists()
