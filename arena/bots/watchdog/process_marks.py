"""Marks that name the process which made something, so that the next arena recognises leftovers."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import psutil

MARK = re.compile(r"(\d+)-\d+")  # the process's id, and its start
ENDED = "ZX"  # a zombie, or dead; the first of the fields
START = 19  # among the fields of /proc/PID/stat after the program's name: proc(5), field 22


def mark_of(pid: int) -> str:
    """Returns the mark of a process. A later process with the same id has another one. Raises
    psutil.NoSuchProcess."""
    return f"{pid}-{_start_of(pid)}"


def has_ended(mark: str) -> bool:
    """True if this is the mark of a process that has ended."""
    match = MARK.fullmatch(mark)
    if match is None:
        return False
    try:
        return mark_of(int(match[1])) != mark
    except psutil.NoSuchProcess:
        return True


def _start_of(pid: int) -> int:
    """Returns the start of a process: on Linux in clock ticks since boot, because a time of day
    changes when the clock is set; elsewhere in seconds."""
    if sys.platform != "linux":
        return int(psutil.Process(pid).create_time())
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        raise psutil.NoSuchProcess(pid) from None
    fields = stat.rpartition(")")[2].split()
    if fields[0] in ENDED:
        raise psutil.NoSuchProcess(pid)
    return int(fields[START])
