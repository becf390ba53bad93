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
        ("bwrap: execvp ./bot: Permission denied", "./bot is not executable: run `chmod +x ./bot`"),
        (
            "setpriv: failed to execute ./b: No such file or directory",
            "./b is not there, or its #!",
        ),
        ("sh: execvp nosuch: No such file or directory", "The machine has no program nosuch."),
        (
            "/usr/bin/env: \u2018pythonx\u2019: No such file or directory",
            "the interpreter pythonx,",
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


@pytest.mark.parametrize(
    ("run", "mode", "program", "sentence"),
    [
        ("./bot.py", 0o644, "", "./bot.py is not executable"),
        ("./bot.py", 0o755, "#!/usr/bin/pythonx\n", "its #! line names an interpreter"),
        ("./bot.py", 0o755, "#!/usr/bin/env pythonx\n", "names the interpreter pythonx"),
        ("nosuch", 0o644, "", "The machine has no program nosuch."),
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
