"""`arena owner` on a data folder that no arena is using; tests/operations covers arenas that
run."""

from __future__ import annotations

import getpass
from pathlib import Path

from tests.support.command_line import Arena


def test_an_owner_is_banned_and_readmitted(arena: Arena, data: Path) -> None:
    me = getpass.getuser()
    assert arena("owner", "bans").out == "Nobody is banned.\n"
    banned = arena("owner", "ban", me, "--reason", "A test.")
    assert (banned.code, banned.err) == (
        0,
        f"{me} is banned: 2 versions are retired, 0 tokens revoked.\n",
    )
    [ban] = arena("owner", "bans", "--json").json["bans"]
    assert (ban["owner"], ban["reason"]) == (me, "A test.")
    twice = arena("owner", "ban", me, "--reason", "Again.", "--json")
    assert (twice.code, twice.error["field"]) == (2, "owner")
    assert "arena token create --role owner --owner" in arena("owner", "readmit", me).err
    assert arena("owner", "readmit", me, "--json").error["sentence"] == f"{me} is not banned."


def test_the_audit_log_tells_it(arena: Arena, data: Path) -> None:
    assert arena("owner", "ban", getpass.getuser(), "--reason", "A test.").code == 0
    [line, *_] = arena("audit", "--json").json["lines"]
    assert (line["operation"], line["caller"], line["outcome"]) == ("ban_owner", "", "done")
    listed = arena("audit", "--limit", 1)
    assert "(data folder)" in listed.out
    assert "--after" in listed.err + listed.out
    assert arena("audit", "--caller", "Nobody").out == "There are no such changes.\n"


def test_an_owner_is_renamed_and_a_bot_handed_over(arena: Arena, data: Path) -> None:
    assert arena("token", "create", "--role", "owner", "--owner", "Bob").code == 0
    me = getpass.getuser()
    renamed = arena("owner", "rename", me, "Ann Lee")
    assert renamed.err == f"{me} is Ann Lee now, with 2 bots.\n"
    given = arena("owner", "hand-over", "random", "bob")
    assert given.err == "random belongs to Bob now, who has 1 bot.\n"
