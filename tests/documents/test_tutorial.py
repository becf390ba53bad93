"""The tutorial, followed step by step as a newcomer would: its commands, programs and debugger."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.support.command_line import Ran, ran
from tests.support.patience import PATIENCE_S, until
from tests.support.whole_arena.arena import SAMPLE_BOTS, WholeArena
from tests.support.whole_arena.strangers import address, token_of

PAGE = (Path(__file__).parents[2] / "docs" / "tutorial.md").read_text()
FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
COMMANDS = re.findall(r"^    (\S.*)$", FENCED.sub("", PAGE), re.MULTILINE)
PROGRAM, MENDED_LINE = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
AS_PRINTED, FOR_SHORT = "PLAYOUTS = 100\n", "PLAYOUTS = 30\n"  # 60 matches are enough with both
BEFORE_IT_IS_SERVED = 4  # commands; the last one serves

pytestmark = [pytest.mark.slow, pytest.mark.needs("bubblewrap"), pytest.mark.timeout(1200)]


class Newcomer:
    """Types commands of the page. `match`, `seat`, `decision`, `own_number`: those that stand in
    place of the page's examples."""

    match = seat = decision = own_number = ""

    def __init__(self, arena: WholeArena) -> None:
        self.arena = arena
        self.home = arena.folder
        self.server = self.token = ""
        (self.home / "sample_bots").symlink_to(SAMPLE_BOTS)

    def does(self, command: str, codes: Sequence[int] = (0,)) -> Ran:
        _, *arguments = shlex.split(self._filled_in(command))
        done = ran(*arguments, folder=self.home, server=self.server, token=self.token)
        assert done.code in codes, f"{command}: {done.code}: {done.out}{done.err}"
        return done

    def writes(self, program: str) -> None:
        assert AS_PRINTED in program
        (self.home / "angler" / "bot.py").write_text(program.replace(AS_PRINTED, FOR_SHORT))

    def finds_a_lost_match(self, command: str) -> None:
        listed: list[dict[str, str]] = []

        def lost() -> bool:
            listed[:] = self.does(f"{command} --json").json["matches"]
            return bool(listed)

        until(lost, "a lost match")
        self.match = listed[0]["match"]

    def debugs(self, waits: str, debugger: str) -> str:
        """Returns the debugger's output."""
        told = self.home / "arena-data" / "wait.env"
        _, *arguments = shlex.split(self._filled_in(waits))
        command = [sys.executable, "-m", "arena.cli", *arguments]
        reach = {"ARENA_SERVER": self.server, "ARENA_USER_TOKEN": self.token}
        with subprocess.Popen(
            command, cwd=self.home, env=os.environ | reach, stdin=subprocess.DEVNULL
        ) as waiting:
            try:
                until(lambda: told.exists() and told.read_text().count("\n") == 2, "wait.env")
                variables = dict(line.split("=", 1) for line in told.read_text().splitlines())
                _, *words = shlex.split(self._filled_in(debugger))
                debugged = subprocess.run(
                    [sys.executable, *words],
                    cwd=self.home,
                    env=os.environ | variables,
                    input="p decision.time_left\nnext\ncontinue\nquit\n",
                    capture_output=True,
                    text=True,
                    timeout=PATIENCE_S,
                    check=False,
                )
                assert waiting.wait(PATIENCE_S) == 0
            finally:
                waiting.kill()
        return debugged.stdout

    def _filled_in(self, command: str) -> str:
        return (
            command.replace(" MATCH", f" {self.match}")
            .replace("--seat 1", f"--seat {self.seat}")
            .replace("--at 40", f"--at {self.decision}")
            .replace("== 20", f"== {self.own_number}")
        )


@pytest.fixture
def newcomer(tmp_path: Path) -> Iterator[Newcomer]:
    with WholeArena(tmp_path, "bubblewrap") as arena:
        arena.data = tmp_path / "arena-data"
        yield Newcomer(arena)


def test_it_leads_from_nothing_to_a_better_bot(newcomer: Newcomer) -> None:
    commands = iter(COMMANDS)
    for _ in range(BEFORE_IT_IS_SERVED - 1):
        newcomer.does(next(commands))
    assert next(commands) == "arena serve"
    server = newcomer.arena.server()
    assert next(commands).startswith(". ")
    assert "arena token create --role owner --owner Ann" in next(commands)
    newcomer.server = address(server)
    newcomer.token = token_of(newcomer.arena, "Ann")
    for _ in range(2):
        newcomer.does(next(commands))
    # The version with the mistake.
    newcomer.writes(PROGRAM)
    for _ in range(2):
        newcomer.does(next(commands))
    newcomer.finds_a_lost_match(next(commands))
    analysed = newcomer.does(next(commands)).out
    [newcomer.seat] = re.findall(r"^ *(\d) +angler ", analysed, re.MULTILINE)
    reviewed = newcomer.does(next(commands)).out
    [newcomer.decision] = re.findall(r"^Decision (\d+), angler", reviewed, re.MULTILINE)
    asked_again = newcomer.does(next(commands)).out
    [newcomer.own_number] = re.findall(r"its own #(\d+): same", asked_again)
    waits, _, _, debugger = (next(commands) for _ in range(4))
    debugged = newcomer.debugs(waits, debugger)
    time_left = re.search(r"^\(Pdb\) ([\d.]+)\n", debugged, re.MULTILINE)
    assert time_left, debugged
    assert float(time_left[1]) < 1000
    assert "-> return decision.legal[0]" in debugged
    # The mistake is mended.
    [wrong_line] = re.findall(r"^HURRY = .*\n", PROGRAM, re.MULTILINE)
    newcomer.writes(PROGRAM.replace(wrong_line, MENDED_LINE))
    # Its search may come to the same answer, but its note tells of a search.
    asked_again = newcomer.does(next(commands), codes=(0, 1)).out
    assert "note: play " in asked_again
    newcomer.does(next(commands))
    assert "angler@3 is better than angler@2" in newcomer.does(next(commands)).out
    newcomer.does(next(commands))
    assert [*commands] == []
    server.stop()
    newcomer.arena.assert_nothing_runs()
