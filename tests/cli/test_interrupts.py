"""Ctrl-C ends any command with exit code 130 and without a traceback, however often it is typed."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys

import psutil
import pytest

from tests.support.patience import until

# Types Ctrl-C at the import of a module.
AT_IMPORT = """
import os, signal, sys
class Typing:
    def find_spec(self, name, path=None, target=None):
        if name == module:
            os.kill(os.getpid(), signal.SIGINT)
module = sys.argv.pop(1)
sys.meta_path.insert(0, Typing())
from arena.cli import main
main()
"""

# Types Ctrl-C when Python has given its signals back to the system.
AT_THE_END = """
import os, signal
class Typing:
    def __del__(self, kill=os.kill, own=os.getpid(), number=signal.SIGINT):
        kill(own, number)
typing = Typing()
from arena.cli import main
main()
"""


@pytest.mark.slow
@pytest.mark.parametrize("times", [1, 2, 3])
def test_while_a_command_waits(times: int) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"
        command = [sys.executable, "-m", "arena.cli", "ladder", "list", "--server", address]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
            connection, _ = server.accept()
            with connection:
                connection.recv(1)
                # Only a system call that waits is interrupted: one that begins just after a signal
                # is not, and Python would call the handler at its end, after two minutes.
                waiting = psutil.Process(process.pid)
                until(lambda: waiting.status() == psutil.STATUS_SLEEPING, "it waits for an answer")
                for _ in range(times):
                    process.send_signal(signal.SIGINT)
                _, err = process.communicate()
    assert (process.returncode, "Traceback" in err) == (130, False), err


@pytest.mark.parametrize("module", ["arena.cli.app", "typer", "arena.cli.commands.ladder.show"])
def test_while_a_command_is_loaded(module: str) -> None:
    told = subprocess.run(
        [sys.executable, "-c", AT_IMPORT, module, "ladder", "list"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (told.returncode, "Traceback" in told.stderr) == (130, False), told.stderr


def test_while_a_command_ends() -> None:
    told = subprocess.run(
        [sys.executable, "-c", AT_THE_END, "--version"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (told.returncode, told.stderr) == (0, "")
