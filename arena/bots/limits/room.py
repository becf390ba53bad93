"""Room for processes and threads under the limits that are set above the bots."""

from __future__ import annotations

import math
import os
import resource
from contextlib import suppress
from pathlib import Path

import psutil

UNLIMITED = "max"


def room_for_tasks() -> float:
    """Returns how many more processes and threads this process's user may start."""
    limit, _ = resource.getrlimit(resource.RLIMIT_NPROC)
    if limit == resource.RLIM_INFINITY or os.geteuid() == 0:  # root is exempt
        return math.inf
    return max(0, limit - _tasks_of(os.getuid()))


def room_in(folder: Path) -> float:
    """Returns how many more processes and threads a control group, and all those above it, have
    room for."""
    return min((_room(one) for one in (folder, *folder.parents)), default=math.inf)


def _room(folder: Path) -> float:
    with suppress(OSError):
        limit = (folder / "pids.max").read_text().strip()
        if limit != UNLIMITED:
            return max(0, int(limit) - int((folder / "pids.current").read_text()))
    return math.inf


def _tasks_of(user: int) -> int:
    tasks = 0
    for process in psutil.process_iter():
        with suppress(psutil.Error):  # it has just ended
            if process.uids().real == user:
                tasks += process.num_threads()
    return tasks
