"""The commands that read print the same from a server as from its data folder."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable, Callable

import pytest

from arena.cli.app import run
from arena.store.faults import suspend
from arena.store.schema import Entry, Role
from arena.store.tokens import create_token
from tests.support.served import Served
from tests.support.stored_matches import MATCH, digest_of

Told = tuple[int, str, str]
Tell = Callable[..., Awaitable[Told]]


@pytest.fixture
def server(server_with_match: Served, monkeypatch: pytest.MonkeyPatch) -> Served:
    """A server with a suspended version, and an organiser's token in the environment: they see what
    whoever has the data folder sees."""
    with server_with_match.store.writing() as session:
        suspend(session.get_one(Entry, ("main", digest_of("ann-bot"))), MATCH)
        _, text = create_token(session, "Org", Role.ORGANISER)
    monkeypatch.setenv("ARENA_USER_TOKEN", text)
    monkeypatch.delenv("ARENA_SERVER", raising=False)
    return server_with_match


@pytest.fixture
def tell(capsys: pytest.CaptureFixture[str]) -> Tell:
    """Runs `arena` while the server is running."""

    async def command(*arguments: object) -> Told:
        code = await asyncio.to_thread(run, [str(argument) for argument in arguments])
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return command


COMMANDS = [
    ("ladder", "list"),
    ("ladder", "show", "main"),
    ("ladder", "show", "other"),
    ("ratings", "main"),
    ("ratings", "main", "--explain", "ann-bot"),
    ("matches",),
    ("matches", "--bot", "ann-bot", "--ladder", "main", "--limit", "1"),
]


@pytest.mark.parametrize("command", COMMANDS)
async def test_a_server_and_its_data_folder_tell_the_same(
    server: Served, tell: Tell, command: tuple[str, ...]
) -> None:
    for how in ((), ("--json",)):
        near = await tell(*command, *how, "--data", server.data.path)
        far = await tell(*command, *how, "--server", server.address)
        place = (f"--data {server.data.path}", f"--server {server.address}")
        assert far == (near[0], near[1].replace(*place), near[2])
        assert (far[0], far[2]) == (0, "")
        assert bool(how) is far[1].startswith("{")


@pytest.mark.parametrize(
    ("command", "field"),
    [
        (("ladder", "show", "mine"), "ladder"),
        (("ratings", "mine"), "ladder"),
        (("matches", "--ladder", "mine"), "ladder"),
        (("matches", "--bot", "mine"), "bot"),
        (("matches", "--after", "mine"), "after"),
    ],
)
async def test_missing_things_are_reported_the_same(
    server: Served, tell: Tell, command: tuple[str, ...], field: str
) -> None:
    near = await tell(*command, "--json", "--data", server.data.path)
    far = await tell(*command, "--json", "--server", server.address)
    assert far == near
    assert far[0] == 2
    assert json.loads(far[2])["error"]["field"] == field


async def test_what_is_typed_counts_more_than_the_environment(
    server: Served, tell: Tell, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = ("--data", server.data.path)
    monkeypatch.setenv("ARENA_SERVER", server.address)
    assert (await tell("ladder", "list"))[0] == 0  # where there is no folder arena-data
    monkeypatch.setenv("ARENA_SERVER", "127.0.0.1:1")
    monkeypatch.setattr("arena.client.reachability.PATIENCE_S", 0.5)
    for command in [*COMMANDS, ("bot", "list"), ("token", "list"), ("bot", "faults")]:
        assert (await tell(*command, *folder))[0] == 0, command
        assert (await tell(*command))[0] == 3, command
    monkeypatch.setenv("ARENA_DATA", str(server.data.path))
    assert (await tell("matches"))[0] == 3
    assert (await tell("matches", "--server", server.address))[0] == 0
    hint = (await tell("matches", *folder))[1].splitlines()[-1]
    assert hint == f"read one: arena log {MATCH} --data {server.data.path}"


@pytest.mark.parametrize("how", ["--data", "--server"])
async def test_what_is_told_to_type_next_names_the_same_place(
    server: Served, tell: Tell, how: str
) -> None:
    place = f"{how} {server.data.path if how == '--data' else server.address}"
    matches = (await tell("matches", *place.split()))[1]
    assert matches.splitlines()[-1] == f"read one: arena log {MATCH} {place}"
    faults = (await tell("bot", "faults", *place.split()))[1]
    again = re.escape(f"arena rewind {MATCH} FOLDER --seat ") + r"\d " + re.escape(place)
    assert re.fullmatch(f"ask the bot again: {again}", faults.splitlines()[-2])
    assert faults.splitlines()[-1] == f"read one: arena log {MATCH} --mine {place}"
    assert (await tell("ladder", "show", "main", *place.split()))[1].splitlines()[-2:] == [
        f"  why: arena log {MATCH} --mine {place}",
        "  play again: submit a fixed version, or as an organiser:"
        f" arena bot readmit ann-bot 1 --ladder main {place}",
    ]


async def test_ratings_are_not_rebuilt_remotely(server: Served, tell: Tell) -> None:
    told = await tell("ratings", "main", "--rebuild", "--server", server.address, "--json")
    assert (told[0], told[1]) == (2, "")
    error = json.loads(told[2])["error"]
    assert (error["field"], "leave out --server" in error["sentence"]) == ("rebuild", True)
