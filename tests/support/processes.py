"""What other processes are. Each of them may end at any moment."""

from __future__ import annotations

import psutil


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
