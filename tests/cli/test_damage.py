"""Errors for a damaged data folder or damaged contents of one."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from arena.store.texts import packed
from tests.support.command_line import Arena


@pytest.fixture
def match(arena: Arena, data: Path) -> str:
    """Returns the latest match of a data folder."""
    return str(arena("matches", "--json").json["matches"][0]["match"])


def change(data: Path, statement: str, *values: object) -> None:
    connection = sqlite3.connect(data / "arena.sqlite3")
    connection.execute(statement, values)
    connection.commit()
    connection.close()


# The data folder ----------------------------------------------------------------------------------

WRITING = [
    ("play", "xeri", "builtin:random", "builtin:random"),
    ("ladder", "create", "main", "xeri"),
    ("token", "create", "--role", "reader", "--owner", "Ann"),
]


@pytest.mark.parametrize("arguments", WRITING)
def test_a_place_where_no_data_folder_can_be_is_refused_before_anything_is_done(
    arena: Arena, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    (tmp_path / "notes.md").write_text("mine")
    for place, reason in (("notes.md", "it is a file"), ("/proc/nope", "No such file")):
        told = arena(*arguments, "--data", place)
        assert (told.code, told.out) == (2, "")
        assert f"{place} cannot be a data folder ({reason}" in told.err.replace("\n", " ")
    assert (tmp_path / "notes.md").read_text() == "mine"


@pytest.mark.parametrize("place", ["notes.md", "/proc/nope"])
def test_the_doctor_tells_of_a_place_where_no_data_folder_can_be(
    arena: Arena, tmp_path: Path, place: str
) -> None:
    (tmp_path / "notes.md").write_text("mine")
    told = arena("doctor", "--data", place, "--json")
    assert told.code == 1
    assert "cannot be a data folder" in told.json["checks"][-1]["remedy"]


@pytest.mark.parametrize(
    "arguments",
    [
        ("matches",),
        ("ratings", "main"),
        ("ratings", "main", "--rebuild"),
        ("ladder", "list"),
        ("ladder", "run", "main", "--sandbox", "none"),
        ("token", "list"),
        ("upgrade",),
    ],
)
@pytest.mark.parametrize("text", ["this is no database" * 500, "SQLite format 3\0" + "x" * 9000])
def test_a_damaged_store_is_reported_in_a_sentence(
    arena: Arena, tmp_path: Path, arguments: tuple[str, ...], text: str
) -> None:
    arena("token", "create", "--role", "reader", "--owner", "Ann")
    (tmp_path / "arena-data" / "arena.sqlite3").write_text(text)
    told = arena(*arguments)
    assert (told.code, told.out) == (2, "")
    assert told.err.startswith("error: The store arena-data/arena.sqlite3 is damaged (")


def test_the_doctor_finds_damage_that_nobody_has_met_yet(arena: Arena, data: Path) -> None:
    assert arena("doctor", "--json").json["checks"][-1]["ok"]
    change(data, "PRAGMA wal_checkpoint(TRUNCATE)")
    file = data / "arena.sqlite3"
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2] + b"\xff" * (len(whole) - len(whole) // 2))
    told = arena("doctor", "--json")
    assert told.code == 1
    assert "is damaged" in told.json["checks"][-1]["remedy"]


def test_a_wrong_address_of_a_redis_is_refused_before_anything_is_started(
    arena: Arena, data: Path
) -> None:
    told = arena("ladder", "run", "main", "--sandbox", "none", "--redis", "garbage")
    assert (told.code, told.out) == (2, "")
    assert "The address of a Redis server is redis://HOST:PORT" in told.err.replace("\n", " ")
    assert not (data / "logs").exists()


@pytest.mark.slow
def test_a_missing_redis_is_reported_before_workers_are_started(arena: Arena, data: Path) -> None:
    told = arena("ladder", "run", "main", "--sandbox", "none", "--redis", "redis://127.0.0.1:1")
    assert told.code == 3
    assert "Redis at redis://127.0.0.1:1 does not answer" in told.err.replace("\n", " ")
    assert not (data / "logs").exists()


# A record in the store ----------------------------------------------------------------------------


@pytest.mark.parametrize("body", [b"\0\1\2\3", b"", packed("{}")[:-2]])
def test_a_damaged_record_is_reported_in_a_sentence(
    arena: Arena, data: Path, match: str, body: bytes
) -> None:
    change(data, "UPDATE records SET body = ?", body)
    for command in ("log", "replay"):
        told = arena(command, match, "--json")
        assert told.code == 2
        assert f"The stored record of match {match} is damaged" in told.error["sentence"]
    told = arena("verify", match)
    assert told.code == 1
    assert "is damaged" in told.out


def test_a_damaged_private_log_hides_nothing_of_the_record(
    arena: Arena, data: Path, match: str
) -> None:
    whole = arena("log", match, "--json").json
    for body in (b"\0\1\2\3", packed("[]")):
        change(data, "UPDATE private_logs SET body = ?", body)
        told = arena("log", match, "--json")
        assert told.code == 0
        assert told.json["decisions"] == whole["decisions"]
        assert "is damaged" in told.err


@pytest.mark.parametrize(
    ("statement", "field"),
    [
        ("UPDATE match_seats SET score = score + 1 WHERE seat = 1", "match_seats[1].score"),
        ("UPDATE match_seats SET rank = 3 - rank", "match_seats[0].rank"),
        (
            "UPDATE match_seats SET fault_kind = 'timeout' WHERE seat = 0",
            "match_seats[0].fault",
        ),
        ("DELETE FROM match_seats WHERE seat = 1", "match_seats"),
        ("UPDATE matches SET finished_at = started_at", "matches.finished_at"),
        ("UPDATE matches SET digest = 'd'", "matches.digest"),
        ("UPDATE matches SET rated = 0", "matches.rated"),
        ("UPDATE records SET digest = 'd'", "records.digest"),
    ],
)
def test_rows_that_the_record_contradicts_are_found_out(
    arena: Arena, data: Path, match: str, statement: str, field: str
) -> None:
    assert arena("verify", match).code == 0
    change(data, statement)
    told = arena("verify", match, "--json")
    assert told.code == 1
    [verdict] = told.json["records"]
    assert verdict["field"].startswith(field)
    assert not verdict["ok"]


# A record in a file -------------------------------------------------------------------------------


def test_log_and_replay_have_real_fields_for_programs(arena: Arena, data: Path, match: str) -> None:
    log = arena("log", match, "--json").json
    assert (log["match"], log["game"], log["reason"]) == (match, "xeri", "played-out")
    assert [seat["rank"] for seat in log["seats"]]
    seen = arena("replay", match, "--json").json["decisions"]
    assert [d["action"] for d in seen] == [d["action"] for d in log["decisions"]]
    of_seat = arena("replay", match, "--seat", 1, "--json").json["decisions"]
    asked = [d for d in log["decisions"] if d["seat"] == 1 and d["chosen_by"] == "bot"]
    assert [d["number"] for d in of_seat] == [d["number"] for d in asked]
    for decision in of_seat:
        assert decision["action"] in decision["legal"]
        hands = {z["owner"]: z for z in decision["zones"] if z["name"] == "hand"}
        assert hands[0]["cards"] == []
        assert hands[1]["cards"]
        assert decision["facts"]["phase"] == "play"
    assert {event["verb"] for event in of_seat[0]["events"]} >= {"deal"}


def test_a_name_that_promises_zstd_without_any_is_reported(arena: Arena, tmp_path: Path) -> None:
    (tmp_path / "x.json.zst").write_text("nothing compressed")
    told = arena("log", "x.json.zst", "--json")
    assert told.code == 2
    assert "zstd" in told.error["sentence"]
    assert json.loads(arena("verify", "x.json.zst", "--json").out)["records"][0]["ok"] is False
