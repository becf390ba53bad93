"""The control group of one process: its limits, its counters, freezing it, and its end.

Source: Linux's document on cgroup-v2.
"""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress
from dataclasses import dataclass
from errno import ENODEV, ENOENT
from itertools import count
from pathlib import Path

import psutil

from arena.bots.interface import ArenaFailure
from arena.bots.limits.delegation import CgroupParent
from arena.bots.limits.room import room_in
from arena.bots.watchdog import GROUPS, mark_of, remove_groups

PERIOD_US = 100_000
PROCESSES = "cgroup.procs"
# A process is frozen when it next returns from the kernel, usually within microseconds.
FREEZE_LOOKS = (0.0, 0.001, 0.005, 0.02, 0.1, 0.4)
REMOVE_TRIES = 200
REMOVE_PAUSE_S = 0.01

_numbers = count(1)


@dataclass(frozen=True)
class GroupLimits:
    """Limits on all processes of a group together. `tasks`: processes and all their threads."""

    memory_bytes: int
    tasks: int
    cores: float


@dataclass(frozen=True)
class Cgroup:
    """The group of one process and of its descendants.

    `place`: the group's own folder, and the controllers that limit the group; None on a machine
    without usable groups, where nothing is limited, counted or frozen.
    """

    place: CgroupParent | None

    def entrances(self) -> list[Path]:
        """Returns the files to which a process writes its id to enter the group."""
        return [] if self.place is None else [self.place.folder / PROCESSES]

    def ran_out_of(self) -> str | None:
        """Returns the controller whose limit made the kernel kill or refuse something, or None. A
        limit set further up, for more than this process, does not count."""
        if self._killed_for_memory() and self._reached_its_memory():
            return "memory"
        if self._refused_a_task() and self._has_room_for_its_tasks():
            return "pids"
        return None

    def ran_into(self) -> str | None:
        """Returns the controller of which the kernel gave the group less than its own limit
        promises, because of a limit further up or because the machine has no more; or None."""
        if self._killed_for_memory() and not self._reached_its_memory():
            return "memory"
        if self._refused_a_task() and not self._has_room_for_its_tasks():
            return "pids"
        return None

    @property
    def limits_memory(self) -> bool:
        """True if the kernel limits its memory."""
        return self.place is not None and "memory" in self.place.controllers

    def memory_bytes(self) -> int | None:
        """Returns the memory in use: with cached files if the kernel counts it, else that of the
        processes in the group. None without a group."""
        if self.place is None:
            return None
        if self.limits_memory:
            return _number(self.place.folder / "memory.current")
        return sum(map(_resident_bytes, self._processes()))

    async def freeze(self) -> bool:
        """Stops everything in the group until `thaw`. Returns False, and stops nothing, if that is
        not possible."""
        if self.place is None:
            return False
        try:
            self._set_frozen(True)
            for pause_s in FREEZE_LOOKS:
                await asyncio.sleep(pause_s)
                if self._count("cgroup.events", "frozen"):
                    return True
        except OSError:  # the group has just been removed, or the kernel is older than Linux 5.2
            return False
        except asyncio.CancelledError:  # the caller will not learn that it is frozen
            self.thaw()
            raise
        self.thaw()
        return False

    def thaw(self) -> None:
        """Lets everything in the group go on. Harmless if it is not frozen, or has been removed.
        Raises ArenaFailure."""
        try:
            self._set_frozen(False)
        except OSError as error:
            if error.errno not in (ENOENT, ENODEV):
                raise ArenaFailure(f"A frozen bot cannot be let go on: {error}.") from error

    def kill(self) -> None:
        """Kills everything in the group, without letting it go on if it is frozen."""
        if self.place is not None:
            remove_groups.kill_all(self.place.folder)

    async def remove(self) -> None:
        """Kills all processes left inside, and removes the group."""
        if self.place is None:
            return
        for _ in range(REMOVE_TRIES):  # then the next arena removes it
            if remove_groups.try_to_remove(self.place.folder):
                return
            await asyncio.sleep(REMOVE_PAUSE_S)

    def _processes(self) -> list[int]:
        assert self.place is not None
        with suppress(OSError):  # the group has just been removed
            return [int(pid) for pid in (self.place.folder / PROCESSES).read_text().split()]
        return []

    def _set_frozen(self, frozen: bool) -> None:
        if self.place is not None:
            (self.place.folder / "cgroup.freeze").write_text(str(int(frozen)))

    def _killed_for_memory(self) -> bool:
        return self._count("memory.events", "oom_kill") > 0

    def _reached_its_memory(self) -> bool:
        """True if the group's own limit was reached. `oom_kill` also counts the processes
        that were killed because a group further up, or the machine, had no memory left."""
        return self._count("memory.events", "oom") > 0

    def _refused_a_task(self) -> bool:
        return self._count("pids.events", "max") > 0

    def _has_room_for_its_tasks(self) -> bool:
        """True if the groups above leave the group as many tasks as its own limit. Before Linux
        6.11 the kernel counts a refusal where the process is, also if another group's limit caused
        it."""
        assert self.place is not None
        folder = self.place.folder
        free = _number(folder / "pids.max") - _number(folder / "pids.current")
        return room_in(folder.parent) >= free

    def _count(self, events: str, name: str) -> int:
        """Returns a counter in one of the group's files of them, which may not exist."""
        if self.place is None:
            return 0
        try:
            lines = (self.place.folder / events).read_text().splitlines()
        except OSError:
            return 0
        return int(dict(line.split() for line in lines).get(name, "0"))


def make_group(place: CgroupParent | None, limits: GroupLimits) -> Cgroup:
    """Creates a group for one process. Raises ArenaFailure."""
    if place is None:
        return Cgroup(None)
    folder = place.folder / f"{GROUPS}-{mark_of(os.getpid())}-{next(_numbers)}"
    try:
        folder.mkdir()
        for controller in place.controllers:
            for file, value in _settings(controller, limits).items():
                (folder / file).write_text(value)
        if (swap := folder / "memory.swap.max").exists():  # only kernels that account for swap
            swap.write_text("0")
    except OSError as error:
        raise ArenaFailure(f"A bot's control group cannot be created: {error}.") from error
    return Cgroup(CgroupParent(folder, place.controllers))


def _settings(controller: str, limits: GroupLimits) -> dict[str, str]:
    match controller:
        case "memory":
            return {"memory.max": str(limits.memory_bytes), "memory.oom.group": "1"}
        case "cpu":
            return {"cpu.max": f"{int(limits.cores * PERIOD_US)} {PERIOD_US}"}
        case _:
            return {"pids.max": str(limits.tasks)}


def _number(file: Path) -> int:
    """Returns the number in a file, which may not exist."""
    try:
        return int(file.read_text())
    except OSError:
        return 0


def _resident_bytes(pid: int) -> int:
    try:
        resident: int = psutil.Process(pid).memory_info().rss
    except psutil.NoSuchProcess:
        return 0
    return resident
