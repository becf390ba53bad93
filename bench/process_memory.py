"""The memory of the processes of `arena serve`."""

from __future__ import annotations

import psutil

MIB = 1 << 20


def memory_of(serve: psutil.Process) -> dict[str, float]:
    """Returns the resident MiB of the league, its pages and its workers; not that of the bots.
    Raises psutil.Error if one of them has ended."""
    found = {"league": serve}
    workers = 0
    for child in serve.children():
        words = child.cmdline()
        if "web" in words:
            found["pages"] = child
        elif "worker" in words:
            workers += 1
            found[f"worker {workers}"] = child
    return {name: mebibytes(process) for name, process in found.items()}


def mebibytes(process: psutil.Process) -> float:
    """Returns a process's resident memory."""
    return float(process.memory_info().rss) / MIB
