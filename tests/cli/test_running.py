"""Progress of running ladders: bars on a terminal, an occasional line elsewhere."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.bots import Isolation
from arena.cli import output, progress
from arena.cli.commands.ladder import run
from arena.hosting import Plan
from arena.store.data_folder import DataFolder
from arena.store.open import open_store
from arena.store.session import Store
from tests.support.command_line import Arena

# Runs ladders with a host that only watches them, and reports a lost worker in between.
LOSING_A_WORKER = """
import logging, sys
from pathlib import Path
from arena.bots import Isolation
from arena.cli import progress
from arena.cli.commands.ladder import run
from arena.hosting import Plan
from arena.store.data_folder import DataFolder
from arena.store.open import open_store

def host(folder, plan, look):
    store = open_store(folder.path, "read")
    look(store)
    logging.getLogger("x").warning("worker 1 ended and is replaced")
    look(store)
    store.close()

progress.host = host
plan = Plan(only=["main"], until_over=True, matches=5, workers=1, sandbox=Isolation.NONE)
run.run_ladders(DataFolder(Path(sys.argv[1])), plan)
"""


def on_a_terminal(*command: str) -> list[str]:
    """Returns the lines that the command leaves on a terminal, each as it was when the next
    began."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        written = b""
        try:
            while data := os.read(ours, 65_536):
                written += data
        except OSError:  # Linux's way to say that nobody writes any more
            pass
        assert process.wait() == 0, written
    os.close(ours)
    return written.decode().split("\n")


@pytest.mark.slow
def test_a_notice_does_not_tear_the_progress(data: Path) -> None:
    lines = on_a_terminal(sys.executable, "-c", LOSING_A_WORKER, str(data))
    [notice] = [line for line in lines if "worker 1 ended" in line]
    told = notice.rpartition("\x1b[2K")[2]
    assert "worker 1 ended and is replaced" in told
    assert "matches" not in told
    assert any("3/5" in line for line in lines)


def test_without_a_terminal_a_line_tells_how_far_it_is(
    arena: Arena,
    data: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def host(folder: DataFolder, plan: Plan, look: Callable[[Store], None]) -> None:
        store = open_store(folder.path, "read")
        look(store)
        store.close()

    told: list[Any] = []
    monkeypatch.setattr(progress, "host", host)
    monkeypatch.setattr(progress, "LINE_EVERY_S", 0)
    monkeypatch.setattr(output.stderr, "print", lambda *words, **_: told.extend(words))
    plan = Plan(only=["main"], until_over=True, matches=5, workers=1, sandbox=Isolation.NONE)
    run.run_ladders(DataFolder(data), plan)
    assert told == ["main: 3 of 5"]
