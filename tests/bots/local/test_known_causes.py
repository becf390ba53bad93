"""Failures that their output does not explain to a bot's author get a sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.bots import Host, Isolation, find_bot
from arena.bots.local.known_causes import explained
from arena.bots.source import Program
from tests.support.seats import Seat


@pytest.mark.parametrize(
    ("printed", "sentence"),
    [
        ("bwrap: execvp ./bot: Permission denied", "not executable: run `chmod +x`"),
        (
            "setpriv: failed to execute ./b: No such file or directory",
            "is not there, or its #!",
        ),
        ("sh: execvp nosuch: No such file or directory", "The machine has no program"),
        (
            "/usr/bin/env: \u2018pythonx\u2019: No such file or directory",
            "an interpreter that the machine does",
        ),
        ("(Pdb) \nTraceback (most recent call last):", "It stopped at a breakpoint"),
        ("  x\nbdb.BdbQuit", "It stopped at a breakpoint"),
        ("The futex facility returned an unexpected error code.", "multiprocessing.Pool"),
        ("  The following required packages were not found:", "CMake did not find a package"),
        ("seven", ""),
    ],
)
def test_a_known_cause_is_explained(printed: str, sentence: str) -> None:
    assert sentence in explained(printed)


def test_nothing_that_a_bot_prints_gets_into_the_sentence() -> None:
    for printed in (
        "execvp insult: Permission denied",
        "execvp a/insult: No such file",
        "env: insult: No such file",
    ):
        assert explained(printed)
        assert "insult" not in explained(printed)


@pytest.mark.parametrize(
    ("run", "mode", "program", "sentence"),
    [
        ("./bot.py", 0o644, "", "The program is not executable"),
        ("./bot.py", 0o755, "#!/usr/bin/pythonx\n", "its #! line names an interpreter"),
        ("./bot.py", 0o755, "#!/usr/bin/env pythonx\n", "names an interpreter that the machine"),
        ("nosuch", 0o644, "", "The machine has no program"),
        ("./bot.py", 0o755, "#!/usr/bin/env python\nbreakpoint()\n", "stopped at a breakpoint"),
    ],
)
async def test_a_bot_that_does_not_start_is_explained(
    tmp_path: Path, isolation: Isolation, run: str, mode: int, program: str, sentence: str
) -> None:
    (tmp_path / "bot.toml").write_text(f'name = "mine"\nrun = ["{run}"]\n')
    (tmp_path / "bot.py").write_text(program)
    (tmp_path / "bot.py").chmod(mode)
    source = find_bot(str(tmp_path))
    assert isinstance(source, Program)
    async with Host(isolation) as host:
        loss = await Seat(await host.start(source), "m").loss()
    assert sentence in loss.sentence, loss.whole
