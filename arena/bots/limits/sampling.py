"""Samples the memory and the number of bots' processes twice a second."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass, field

import psutil

PERIOD_S = 0.5


@dataclass
class Usage:
    """The resources used by all descendants of one process together. `pids`: their ids."""

    memory_bytes: int = 0
    processes: int = 0
    pids: list[int] = field(default_factory=list)


class UsageWatch:
    """Samples the descendants of processes. It lists them once a period for all bots together, in a
    thread, because that takes milliseconds.

    Where the kernel enforces no limit, this one is coarse: a bot can exceed it by far for half a
    second.
    """

    def __init__(self) -> None:
        self._watched: dict[int, Callable[[Usage], None]] = {}

    def watch(self, pid: int, report: Callable[[Usage], None]) -> None:
        """Reports the usage of a process's descendants, once a period until `forget`."""
        self._watched[pid] = report

    def forget(self, pid: int) -> None:
        self._watched.pop(pid, None)

    async def run(self) -> None:
        """Samples until cancelled."""
        while True:
            await asyncio.sleep(PERIOD_S)
            if self._watched:
                usages = await asyncio.to_thread(usage_below, tuple(self._watched))
                for pid, usage in usages.items():
                    if report := self._watched.get(pid):
                        report(usage)


def usage_below(pids: Collection[int]) -> dict[int, Usage]:
    """Returns the usage of the descendants of each of some children of this process."""
    parents: dict[int, int] = {}
    memory: dict[int, int] = {}
    for process in psutil.Process().children(recursive=True):
        with suppress(psutil.Error), process.oneshot():  # it may have ended
            parents[process.pid] = process.ppid()
            memory[process.pid] = process.memory_info().rss
    usages = {pid: Usage() for pid in pids}
    for pid, memory_bytes in memory.items():
        ancestor = parents.get(pid)
        while ancestor is not None and ancestor not in usages:
            ancestor = parents.get(ancestor)
        if ancestor is not None:
            usages[ancestor].memory_bytes += memory_bytes
            usages[ancestor].processes += 1
            usages[ancestor].pids.append(pid)
    return usages
