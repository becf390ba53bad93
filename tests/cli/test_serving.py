"""Errors for organisers' and contestants' mistakes, and tokens of an arena that is not running."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from arena.hosting import LeagueServer
from arena.store.data_folder import DataFolder
from tests.support.command_line import Arena


def test_tokens_of_an_arena_that_does_not_run(arena: Arena) -> None:
    assert "There is no arena in arena-data" in arena("token", "list").err
    created = arena("token", "create", "--role", "owner", "--owner", "Ann", "--json").json
    assert created["text"].startswith("sat_")
    told = arena("token", "create", "--role", "organiser", "--owner", "Org")
    assert told.out.startswith("sat_")  # and nothing else, so that it can be piped
    assert "for Org, organiser; this is the only time it is shown" in told.err
    assert arena("token", "revoke", created["token"]["id"]).code == 0
    listed = arena("token", "list", "--json").json["tokens"]
    assert [(row["owner"], row["role"]) for row in listed] == [
        ("Ann", "owner"),
        ("Org", "organiser"),
    ]
    assert [row["revoked_at"] is not None for row in listed] == [True, False]
    table = arena("token", "list").out
    assert created["text"] not in table
    assert "organiser" in table


def test_who_has_the_data_folder_is_told_that_it_will_do(
    arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARENA_SERVER", "127.0.0.1:1")
    create = ("token", "create", "--role", "owner", "--owner", "Ann")
    assert "you can use --data DIR without a token" in arena(*create).err
    assert arena(*create, "--data", "arena-data").out.startswith("sat_")


def test_an_arena_of_this_version_is_not_upgraded(arena: Arena) -> None:
    arena("token", "create", "--role", "reader", "--owner", "Ann")
    assert arena("upgrade", "--json").json == {"upgraded": False, "backup": ""}
    assert "is up to date" in arena("upgrade").out


@pytest.mark.parametrize(
    ("arguments", "code", "field", "words"),
    [
        (("token", "create", "--role", "king", "--owner", "A"), 2, "", "'king'"),
        (("token", "create", "--role", "owner", "--owner", ""), 2, "owner", "An owner's name"),
        (("token", "revoke", "x"), 2, "data", "There is no arena in arena-data"),
        (("token", "list", "--server", "nowhere"), 2, "server", "An address is HOST:PORT"),
        (("upgrade",), 2, "data", "There is no arena in arena-data"),
        (("serve", "--listen", "7777"), 2, "listen", "An address is HOST:PORT"),
        (("serve", "--listen", "localhost:x"), 2, "listen", "An address is HOST:PORT"),
        (
            ("serve", "--listen", "0.0.0.0:7777"),
            2,
            "listen",
            "0.0.0.0 is reachable from other machines",
        ),
        (("serve", "--listen", "[::]:7777"), 2, "listen", ":: is reachable from other machines"),
        (("serve", "--tls-cert", "chain.pem"), 2, "tls_cert", "needs both"),
        (
            ("serve", "--tls-cert", "chain.pem", "--tls-key", "key.pem"),
            2,
            "tls_cert",
            "No such file",
        ),
        (("submit", "nowhere", "--ladder", "main"), 2, "bot", "There is no bot nowhere"),
        (("submit", "builtin:random", "--ladder", "main"), 2, "bot", "a .py file of your own"),
        (("submit", "bot"), 2, "", "--ladder"),
        (("submit", "bot", "--ladder", "main", "--new-version"), 2, "bot", "are for remote bots"),
        (("play", "xeri", "remote:x", "builtin:random"), 2, "bot", "dials in to a server"),
        (("bot", "check", "remote:x"), 2, "bot", "arena submit remote:x --ladder NAME"),
        (
            ("submit", "remote:x", "--ladder", "main", "--server", "127.0.0.1:1"),
            3,
            "server",
            "No arena answers at 127.0.0.1:1",
        ),
        (
            ("submit", "bot", "--ladder", "main", "--server", "127.0.0.1:1"),
            3,
            "server",
            "No arena answers at 127.0.0.1:1",
        ),
    ],
)
def test_mistakes(
    arena: Arena,
    samples: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    code: int,
    field: str,
    words: str,
) -> None:
    shutil.copytree(samples / "random_bot", "bot")
    monkeypatch.setenv("ARENA_USER_TOKEN", "sat_x")
    monkeypatch.setattr("arena.client.reachability.PATIENCE_S", 0.5)
    told = arena(*arguments, *(() if "serve" in arguments else ("--json",)))
    assert told.code == code
    assert told.out == ""
    assert words in told.err.replace("\n", " ")
    if "serve" not in arguments:
        assert told.error["field"] == field


def test_unless_the_organiser_says_otherwise_a_build_has_the_five_minutes_of_the_documents(
    arena: Arena,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    served: list[LeagueServer] = []
    monkeypatch.setattr("arena.cli.commands.serve.host", lambda *hosted: served.append(hosted[-1]))
    for options in ((), ("--build-s", "1.5")):
        assert arena("serve", "--no-web", "--sandbox", "none", *options).code == 0
    assert [server.limits.build.seconds for server in served] == [900.0, 1.5]
    limits = (Path(__file__).parents[2] / "docs" / "submitting.md").read_text()
    assert "| a build | 15 minutes, " in limits


def test_without_a_token_nothing_is_sent(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ARENA_USER_TOKEN", raising=False)
    told = arena("token", "list", "--server", "127.0.0.1:1", "--json")
    assert (told.code, told.error["field"]) == (3, "token")
    assert "ARENA_USER_TOKEN" in told.error["sentence"]


def test_an_arena_that_serves_nobody_changes_nothing(arena: Arena, tmp_path: Path) -> None:
    arena("token", "create", "--role", "owner", "--owner", "Ann")
    with DataFolder(tmp_path / "arena-data").hold() as hold:
        hold.announce("unix:///nowhere")
        told = arena("token", "create", "--role", "owner", "--owner", "Bob")
        assert len(arena("token", "list", "--json").json["tokens"]) == 1
    assert told.code == 3
    assert "holds the data folder" in told.err.replace("\n", " ")
