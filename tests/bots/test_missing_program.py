"""A bot that has not been built is recognised before anything is started."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from arena.bots.missing_program import check_built
from arena.bots.references import UnknownBot, find_bot
from tests.support.command_line import ran

STARTERS = Path(__file__).parents[2] / "sdk"
PROGRAMS = {
    "cpp": "./bot",
    "go": "./bot",
    "java": "target/bot.jar",
    "rust": "bin/starter",
    "typescript": "dist/bot.cjs",
}


def bot(folder: Path, run: Sequence[str], build: str = "") -> str:
    folder.mkdir(exist_ok=True)
    text = f'name = "mine"\nrun = {json.dumps(run)}\n{build}\n'
    (folder / "bot.toml").write_text(text)
    return str(folder)


@pytest.mark.parametrize("language", PROGRAMS)
def test_each_compiled_starter_is_known_not_to_be_built(language: str, tmp_path: Path) -> None:
    manifest = (STARTERS / language / "examples" / "starter" / "bot.toml").read_text()
    (tmp_path / "bot.toml").write_text(manifest)
    with pytest.raises(UnknownBot) as unbuilt:
        check_built(find_bot(str(tmp_path)), str(tmp_path))
    begins = f"{tmp_path} is not built: bot.toml runs {PROGRAMS[language]}, which is not there. Run"
    assert str(unbuilt.value).startswith(f"{begins}: cd {tmp_path} && ")
    (tmp_path / "Makefile").write_text("all:\n")
    with pytest.raises(UnknownBot, match=f"Run: make -C {tmp_path}$"):
        check_built(find_bot(str(tmp_path)), str(tmp_path))
    program = tmp_path / PROGRAMS[language]
    program.parent.mkdir(exist_ok=True)
    program.write_text("")
    program.chmod(0o755)
    check_built(find_bot(str(tmp_path)), str(tmp_path))


@pytest.mark.parametrize(
    "run",
    [
        ["python", "-m", "bot.py"],
        ["python", "-c", "import bot.py"],
        ["java", "-cp", "target/classes", "org.example.Main"],
        ["bot"],
        ["/usr/bin/bot.sh"],
        ["sh", "/opt/x/bot.sh"],
        ["node", "-e", "main.js"],
        ["stockfish", "--log=out.txt", "weights-1.2"],
    ],
    ids=" ".join,
)
def test_what_cannot_be_told_is_left_to_the_start(run: list[str], tmp_path: Path) -> None:
    reference = bot(tmp_path / "mine", run)
    check_built(find_bot(reference), reference)


def test_a_wrong_name_in_the_manifest_is_said(tmp_path: Path) -> None:
    reference = bot(tmp_path / "mine", ["python", "bto.py"])
    (tmp_path / "mine" / "Makefile").write_text("all:\n")  # as the Python starter has one
    with pytest.raises(UnknownBot, match=r"bot.toml runs bto.py, but there is no such file\.$"):
        check_built(find_bot(reference), reference)
    (tmp_path / "mine" / "bot.py").write_text("")
    with pytest.raises(UnknownBot, match=r"no such file\. Did you mean bot.py\?"):
        check_built(find_bot(reference), reference)


def test_a_program_that_may_not_be_executed_is_said(tmp_path: Path) -> None:
    reference = bot(tmp_path / "mine", ["./bot"])
    (tmp_path / "mine" / "bot").write_text("#!/bin/sh\n")
    with pytest.raises(UnknownBot, match=r"cannot be executed.*: chmod \+x "):
        check_built(find_bot(reference), reference)


@pytest.mark.parametrize(
    "command", ["play xeri BOT builtin:random", "bot check BOT", "ladder create main xeri BOT"]
)
def test_no_command_starts_it(command: str, tmp_path: Path) -> None:
    bot(tmp_path / "mine", ["./bot"], 'build = ["make", "all"]')
    told = ran(*command.replace("BOT", "mine").split(), folder=tmp_path)
    assert (told.code, told.out) == (2, "")
    assert told.err == (
        "error: mine is not built: bot.toml runs ./bot, which is not there. Run: cd mine && make"
        " all\n"
    )


def test_a_server_builds_it(tmp_path: Path) -> None:
    bot(tmp_path / "mine", ["./bot"], 'build = ["make", "all"]')
    told = ran("submit", "mine", "--ladder", "main", "--server", "127.0.0.1:1", folder=tmp_path)
    assert "not built" not in told.err
