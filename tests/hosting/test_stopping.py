"""SIGTERM and Ctrl-C end an arena, whatever hangs in it."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.patience import PATIENCE_S
from tests.support.processes import end_by_two

# A service whose thread waits for the other end of a pipe that nobody opens.
HUNG = """
import asyncio, os, sys
from pathlib import Path
from arena.bots import Isolation
import arena.hosting.arena as hosting
from arena.hosting import Plan, host
from arena.store.data_folder import DataFolder

class Hung:
    address, announced = "", {}
    def room(self, bot, game):
        return 0
    async def run(self, store, announce, telemetry):
        await asyncio.gather(asyncio.to_thread(open, "pipe"), self.ready())
    async def ready(self):
        print("ready", flush=True)

os.chdir(sys.argv[1])
os.mkfifo("pipe")
hosting.STOP_WITHIN_S = float(sys.argv[2])
plan = Plan(only=None, until_over=False, workers=0, sandbox=Isolation.NONE)
host(DataFolder(Path("data")), plan, lambda store: None, Hung())
"""


def hung(folder: Path, within_s: float) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", HUNG, str(folder), str(within_s)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_within_its_time(tmp_path: Path, number: signal.Signals) -> None:
    with hung(tmp_path, 0.5) as process:
        process.send_signal(number)
        _, err = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 130
    assert "Not ended in time: " in err
    assert "Ended at once. No match that is over is lost" in err


@pytest.mark.slow
def test_it_ends_at_once_if_asked_twice(tmp_path: Path) -> None:
    with hung(tmp_path, 60.0) as process:
        end_by_two(process, signal.SIGTERM)
        _, err = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 130
    assert "Ended at once." in err
    assert "Not ended in time: " not in err
