"""`arena rewind`: a bot is asked again what a seat was asked."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from arena.records.record import load_file, seal
from tests.support.command_line import Arena
from tests.support.patience import PATIENCE_S, until

MANIFEST = 'name = "my-bot"\nrun = ["python", "bot.py"]\nlanguage = "python"\n'
ATTACH = "To attach a debugger: gdb -p PID, dlv attach PID, … Press Enter to begin.\n"
SHORT = ("builtin:random", "--set", "deals=1", "--seed", "7", "--sandbox", "none")
FIRST = """
import os, sys
from sevens_sdk import Bot, run

class First(Bot):
    asked = 0

    def choose(self, decision):
        self.asked += 1
        decision.note(f"asked {{self.asked}}")
        if self.asked == {moment}:
            {act}
        return decision.legal[0]

run(First)
"""


def bot(folder: Path, act: str = "pass", moment: int = 3) -> Path:
    """A bot that chooses the first legal action, but acts otherwise at one moment."""
    folder.mkdir()
    (folder / "bot.py").write_text(FIRST.format(act=act, moment=moment))
    (folder / "bot.toml").write_text(MANIFEST)
    return folder


@pytest.fixture
def mine(arena: Arena, tmp_path: Path) -> Path:
    """A bot, which has played the match `record.json`."""
    mine = bot(tmp_path / "mine")
    told = arena("play", "xeri", mine, *SHORT)
    assert told.code == 0, told.err
    [record] = tmp_path.rglob("xeri-1-1.json")
    record.rename(tmp_path / "record.json")
    record.with_suffix(".private.json").rename(tmp_path / "record.private.json")
    return mine


@pytest.fixture
def places(mine: Path) -> list[int]:
    """The decisions of the match that the bot was asked for."""
    record = load_file(Path("record.json"))
    return [place for place, choice in enumerate(record.choices, 1) if choice.seat == 0]


def rewound(arena: Arena, *arguments: object) -> Any:
    return arena("rewind", "record.json", *arguments, "--sandbox", "none", "--json")


def test_the_same_bot_answers_the_same(arena: Arena, mine: Path) -> None:
    told = rewound(arena, mine)
    assert told.code == 0, told.err
    document = told.json
    assert document["same"]
    assert document["version"] == document["played_version"]
    for number, row in enumerate(document["decisions"], 1):
        assert row["then"]["note"] == row["now"]["note"] == f"asked {number}"
        assert row["then"]["action"] == row["now"]["action"]
    text = arena("rewind", "record.json", mine, "--sandbox", "none")
    assert f"\n0 of {len(document['decisions'])} answers differ." in text.out
    assert "the version that played it" in text.out
    assert "Decision" not in text.out


def test_one_decision_is_compared_after_those_before_it(
    arena: Arena, mine: Path, tmp_path: Path, places: list[int]
) -> None:
    other = bot(tmp_path / "other", "print('here'); return decision.legal[-1]")
    [row] = rewound(arena, other, "--at", places[2]).json["decisions"]
    assert row["now"]["note"] == "asked 3"
    assert (row["decision"], row["same"]) == (places[2], False)
    told = arena("rewind", "record.json", other, "--at", places[2], "--sandbox", "none")
    assert told.code == 1
    assert f"Decision {places[2]}, its own #3: different" in told.out
    assert told.out.count("note: asked 3") == 2
    assert "not the version that played it" in told.out
    assert "Its output:\n    here\n" in told.out
    assert rewound(arena, other, "--from", places[3], "--to", places[4]).code == 0


def test_a_bot_that_fails_on_the_way_is_told(
    arena: Arena, mine: Path, tmp_path: Path, places: list[int]
) -> None:
    other = bot(tmp_path / "other", "raise ValueError('seven')")
    told = rewound(arena, other, "--at", places[4])
    assert told.code == 1
    [row] = told.json["decisions"]
    assert row["decision"] == places[2]
    assert row["now"]["fault"]["kind"] == "crashed"
    assert "ValueError: seven" in row["now"]["fault"]["sentence"]
    assert told.json["not_asked"] == 1
    illegal = bot(tmp_path / "illegal", "return 'fly'")
    told = arena("rewind", "record.json", illegal, "--sandbox", "none")
    assert told.code == 1
    assert "(illegal-action)" in told.out


def test_a_fault_is_relived(arena: Arena, tmp_path: Path) -> None:
    crashes = bot(tmp_path / "crashes", "raise ValueError('seven')")
    assert arena("play", "xeri", crashes, *SHORT).code == 1
    [record] = tmp_path.rglob("xeri-1-1.json")
    again = arena("rewind", record, crashes, "--sandbox", "none")
    assert again.code == 0, again.out
    assert "its own #3: same" in again.out
    assert again.out.count("(crashed)") == 2
    (tmp_path / "fixed").mkdir()
    for file, text in (("bot.py", FIRST.format(act="pass", moment=3)), ("bot.toml", MANIFEST)):
        (tmp_path / "fixed" / file).write_text(text)
    fixed = arena("rewind", record, tmp_path / "fixed", "--sandbox", "none")
    assert fixed.code == 1
    assert "(crashed)" in fixed.out
    assert "1 of 3 answers differ." in fixed.out


def test_bad_input_is_explained(arena: Arena, mine: Path, places: list[int]) -> None:
    last = places[-1]
    for arguments, field, sentence in (
        (("--seat", 7), "seat", "The match has seats 0 to 1; there is no seat 7."),
        (("--at", places[0] + 1), "at", "Seat 0 was not asked decision"),
        (
            ("--from", last + 5),
            "from",
            "any of these decisions of the match; the nearest: ",
        ),
        (("--from", 9, "--to", 3), "from", "--from is 9, which is after --to, 3."),
        (("--at", 3, "--to", 3), "at", "Give --at, or --from and --to, not both."),
    ):
        told = rewound(arena, mine, *arguments)
        assert told.code == 2, told.out
        error = json.loads(told.err.splitlines()[-1])["error"]
        assert error["field"] == field
        assert sentence in error["sentence"]
    (mine / "bot.toml").write_text(MANIFEST.replace("my-bot", "other"))
    told = rewound(arena, mine)
    assert "other had no seat in the match; name one with --seat: 0 my-bot, 1 builtin" in told.err
    (mine / "bot.toml").write_text(MANIFEST + 'games = ["crash"]\n')
    assert "my-bot does not play xeri, only crash;" in rewound(arena, mine).err


def test_unusable_records_are_explained(arena: Arena, mine: Path) -> None:
    record = load_file(Path("record.json"))
    for change, sentence in (
        ({"game": "nothing"}, "Install the game"),
        ({"rules_version": 77}, "The match was played by version 77 of the rules"),
        ({"result": None}, "result: Missing: a record has every field."),
    ):
        other = type(record)()
        other.CopyFrom(record)
        for name, value in change.items():
            other.ClearField(name)
            if value is not None:
                setattr(other, name, value)
        seal(other).save(Path("other.json"))
        told = arena("rewind", "other.json", mine, "--sandbox", "none")
        assert told.code != 0
        assert sentence in told.err


def test_a_person_starts_the_bot_and_starts_it_again(
    mine: Path, tmp_path: Path, places: list[int]
) -> None:
    command = ("from arena.cli.app import main; main()", "rewind", "record.json", mine, "--wait")
    terminal, its_terminal = os.openpty()
    with subprocess.Popen(
        [sys.executable, "-c", *map(str, command), "--at", str(places[2]), "--json"],
        cwd=tmp_path,
        stdin=its_terminal,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as rewinding:
        try:
            file = tmp_path / "arena-data" / "wait.env"
            until(lambda: file.exists() and file.read_text().count("\n") == 2, file.name)
            environment = dict(line.split("=", 1) for line in file.read_text().splitlines())
            start = [sys.executable, str(mine / "bot.py")]
            halting = (
                (mine / "bot.py")
                .read_text()
                .replace("pass", "print('here', flush=True); import time; time.sleep(600)")
            )
            with subprocess.Popen(
                [sys.executable, "-c", halting],
                env=os.environ | environment,
                stdout=subprocess.PIPE,
            ) as first:
                assert rewinding.stderr is not None
                told = "".join(iter(rewinding.stderr.readline, ATTACH))
                assert f"\nProcess {first.pid}: " in told
                os.write(terminal, b"\n")
                assert first.stdout is not None
                assert first.stdout.readline() == b"here\n"
                first.send_signal(signal.SIGKILL)
            with subprocess.Popen(start, env=os.environ | environment) as second:
                out, err = rewinding.communicate(timeout=PATIENCE_S)
                assert second.wait(PATIENCE_S) == 0
        finally:
            rewinding.kill()
            os.close(terminal)
            os.close(its_terminal)
    assert rewinding.returncode == 0, err
    [row] = json.loads(out)["decisions"]
    assert row["now"]["note"] == "asked 3"  # it was asked from the beginning
    assert "The program has dialled in again" in err
