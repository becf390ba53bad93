"""Samples the memory and the number of bots' processes, and how long they waited for a processor,
twice a second."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil

PERIOD_S = 0.5


@dataclass
class Usage:
    """The resources used by all descendants of one process together.

    `resident_bytes`: the sum of their memory; what they share counts for each.
    `pids`: their ids.
    `waited_s`: see `waited_s`; of the process that waited longest.
    """

    resident_bytes: int = 0
    processes: int = 0
    pids: list[int] = field(default_factory=list)
    waited_s: float = 0.0

    def memory_bytes(self, limit_bytes: int) -> int:
        """Returns their memory, what they share counted once, as after a fork; or, as that takes
        long to find, the sum where it is within the limit anyway."""
        if self.resident_bytes <= limit_bytes:
            return self.resident_bytes
        return sum(map(_proportional_bytes, self.pids))


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
                    self._report(pid, usage)

    def _report(self, pid: int, usage: Usage) -> None:
        # Not in the loop of `run`, whose variable would keep the last bot until the next sample.
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
            usages[ancestor].resident_bytes += memory_bytes
            usages[ancestor].processes += 1
            usages[ancestor].pids.append(pid)
            usages[ancestor].waited_s = max(usages[ancestor].waited_s, waited_s(pid))
    return usages


def waited_s(pid: int) -> float:
    """Returns the seconds in which a process was ready to run, but other processes had the
    processors; 0 if it has ended or the kernel does not tell. Source: Linux's document on
    schedstats."""
    try:
        _, waited_ns, _ = Path(f"/proc/{pid}/schedstat").read_text().split()
    except (OSError, ValueError):
        return 0.0
    return int(waited_ns) / 1e9


def _proportional_bytes(pid: int) -> int:
    """Returns a process's memory, in which a page counts for its share if others have it too (PSS);
    0 if it has ended."""
    with suppress(OSError, psutil.Error):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) << 10
    with suppress(psutil.Error):  # the kernel does not tell, or this is no Linux
        resident: int = psutil.Process(pid).memory_info().rss
        return resident
    return 0
