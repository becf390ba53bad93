"""What other processes are. Each of them may end at any moment."""

from __future__ import annotations

import signal
import subprocess

import psutil

from tests.support.patience import until


def name_of(process: psutil.Process) -> str:
    """Returns a process's name; empty if it has ended."""
    try:
        return process.name()
    except psutil.NoSuchProcess:
        return ""


def words_of(process: psutil.Process) -> list[str]:
    """Returns a process's command line; empty if it has ended, or is becoming another program."""
    try:
        return process.cmdline()
    except psutil.NoSuchProcess:
        return []


def end_by_two(process: subprocess.Popen[str], number: signal.Signals) -> None:
    """Ends a process by its second signal: sends them until it has taken the first."""

    def has_ended() -> bool:
        process.send_signal(number)  # harmless if it has
        return process.poll() is not None

    until(has_ended, "its end by a second signal")
