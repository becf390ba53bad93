"""Marks that name the process which made something, so that the next arena recognises leftovers."""

from __future__ import annotations

import psutil


def mark_of(pid: int) -> str:
    """Returns the mark of a process. A later process with the same id has another one."""
    return f"{pid}-{int(psutil.Process(pid).create_time())}"


def has_ended(mark: str) -> bool:
    """Returns whether the process with that mark has ended."""
    try:
        return mark_of(int(mark.partition("-")[0])) != mark
    except psutil.NoSuchProcess:
        return True
