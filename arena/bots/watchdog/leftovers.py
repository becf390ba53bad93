"""Marks that name the process which made something, so that the next arena recognises leftovers."""

from __future__ import annotations

import re

import psutil

MARK = re.compile(r"(\d+)-\d+")  # the process's id, and the second of its start


def mark_of(pid: int) -> str:
    """Returns the mark of a process. A later process with the same id has another one."""
    return f"{pid}-{int(psutil.Process(pid).create_time())}"


def has_ended(mark: str) -> bool:
    """Returns whether this is the mark of a process that has ended."""
    match = MARK.fullmatch(mark)
    if match is None:
        return False
    try:
        return mark_of(int(match[1])) != mark
    except psutil.NoSuchProcess:
        return True
