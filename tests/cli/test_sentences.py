"""Errors as a person reads them: in a terminal of 80 columns, one line of the table a case."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support.command_line import ran_apart
from tests.support.patience import PATIENCE_S

COLUMNS, MOST_LINES = 80, 6
BOT = b'name = "mine"\nrun = ["./start.sh"]\n'
PLAY = "play xeri bot builtin:random --sandbox none"
C_LOCALE = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
NARROW = {"PYTHONIOENCODING": "ascii"}


@dataclass(frozen=True)
class Case:
    """`says`: texts that the error must have, in this order. `files`: what is in the folder.
    `environment`: what is set besides."""

    name: str
    command: str
    says: tuple[str, ...]
    files: tuple[tuple[str, bytes], ...] = ()
    environment: tuple[tuple[str, str], ...] = ()


def manifest(content: bytes) -> tuple[tuple[str, bytes], ...]:
    return (("bot/bot.toml", content),)


CASES = (
    Case("an unknown command", "dno", ("There is no command 'dno'", "arena --help")),
    Case("an emoji as a command", ":x:", ("There is no command ':x:'",)),
    Case(
        "markup as an option", "play --[red]", ("There is no option --[red]", "arena play --help")
    ),
    Case(
        "an unknown game",
        "games show :x:",
        ("no game ':x:'", "there are: california-speed", "xeri"),
    ),
    Case("an unknown bot", "play xeri nobody builtin:random", ("no bot nobody", "bot.toml")),
    Case("no data folder", "matches", ("no arena in arena-data", "--data", "arena demo")),
    Case("bytes that are no text", "games show \udcff", ("\\udcff",)),
    Case(
        "UTF-16",
        PLAY,
        ("bot.toml is saved as UTF-16; save it as UTF-8.",),
        manifest(BOT.decode().encode("utf-16")),
    ),
    Case(
        "Latin-1",
        PLAY,
        ("is not UTF-8 (byte 0xfc in line 1)", "save it as UTF-8"),
        manifest(b'name = "m\xfc"\n'),
    ),
    Case("no TOML", PLAY, ("bot.toml is not valid TOML", "line 1"), manifest(b"name: mine\n")),
    Case(
        "a script of Windows",
        PLAY,
        ("carriage return", "sed -i 's/\\r$//'"),
        (*manifest(BOT), ("bot/start.sh", b"#!/bin/sh\r\n")),
    ),
    Case(
        "a script with a mark",
        PLAY,
        ("byte order mark", "save the file as UTF-8 without one"),
        (*manifest(BOT), ("bot/start.sh", b"\xef\xbb\xbf#!/bin/sh\n")),
    ),
    Case(
        "a record in UTF-16",
        "log match.json",
        ("saved as UTF-16; save it as UTF-8",),
        (("match.json", "{}".encode("utf-16")),),
    ),
    Case(
        "no record",
        "replay match.json",
        ("not a valid record", "not JSON", "Export"),
        (("match.json", b"\xef\xbb\xbfhello"),),
    ),
    Case(
        "a closed port",
        "matches --server 127.0.0.1:1",
        ("127.0.0.1:1",),
        environment=(("ARENA_USER_TOKEN", "sat_x"),),
    ),
    Case("no token", "token list --server 127.0.0.1:1", ("ARENA_USER_TOKEN",)),
    Case(
        "a data folder that is a file",
        "ladder create main xeri --data here",
        ("here cannot be a data folder", "choose another one with --data"),
        (("here", b""),),
    ),
    Case(
        "a data folder on a read-only disk",
        "ladder create main xeri --data /proc/here",
        ("/proc/here cannot be a data folder", "--data"),
    ),
    Case(
        "foreign letters in the C locale",
        "bot list --owner j\udcc3\udcb6rg --data old",
        ("locale (ascii)", "LC_ALL=C.UTF-8"),
        environment=tuple(C_LOCALE.items()),
    ),
)


def in_terminal(command: str, folder: Path, environment: dict[str, str]) -> str:
    """Returns what a command prints on a terminal, without its colours."""
    ours, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 24, COLUMNS, 0, 0))
    process = subprocess.Popen(
        [sys.executable, "-m", "arena.cli", *command.split()],
        cwd=folder,
        env={**os.environ, "TERM": "xterm", **environment},
        stdin=its,
        stdout=its,
        stderr=its,
    )
    os.close(its)
    written = b"".join(until_closed(ours))
    os.close(ours)
    assert process.wait(PATIENCE_S) not in (0, 1)
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", written.decode()).replace("\r\n", "\n")


def until_closed(terminal: int) -> Iterator[bytes]:
    with suppress(OSError):  # Linux's sign that nobody has the other end open
        while part := os.read(terminal, 4096):
            yield part


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_a_person_can_read_it(case: Case, tmp_path: Path) -> None:
    for name, content in case.files:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content)
        (tmp_path / name).chmod(0o755)
    unset = {"ARENA_SERVER": "", "ARENA_USER_TOKEN": ""}
    shown = in_terminal(case.command, tmp_path, unset | dict(case.environment))
    assert "Traceback" not in shown, shown
    lines = shown.rstrip().split("\n")
    assert len(lines) <= MOST_LINES, shown
    for line in lines:
        # A word that is longer than a line cannot fit.
        assert len(line) <= COLUMNS or len(line.split()) == 1, shown
    whole = " ".join(shown.split())
    at = 0
    for text in case.says:
        assert text in whole[at:], shown
        at = whole.index(text, at)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("environment", "option"),
    [(C_LOCALE, ""), (NARROW, ""), (NARROW, "--json")],
    ids=["C", "ascii", "ascii-json"],
)
@pytest.mark.parametrize(
    "command",
    ["doctor", "games", "play --help", "play xeri builtin:random builtin:random --sandbox none"],
)
def test_any_encoding_will_do(
    command: str, option: str, environment: dict[str, str], tmp_path: Path
) -> None:
    words = [*command.split(), *option.split()]
    if "play" in words and "--help" not in words:
        words += ["--data", str(tmp_path)]
    told = ran_apart(*words, **environment)
    assert told.code == 0, told.err
    assert told.out.isascii()
    assert "Traceback" not in told.err
    if option and "--help" not in words:
        assert json.loads(told.out)


def test_a_new_bot_in_the_c_locale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    told = ran_apart("bot", "new", "mine", "--language", "python", **C_LOCALE)
    assert told.code == 0, told.err


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_a_quota_is_a_full_disk(number: int) -> None:
    from arena.failures import explained

    failure = explained(OSError(number, os.strerror(number), "/data/x"))
    assert failure is not None
    assert failure.sentence == "The disk of /data/x is full; make room there."
