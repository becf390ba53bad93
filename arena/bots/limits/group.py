"""The control groups of one process: what they counted, freezing them, and their end.

Sources: Linux's documents on cgroup-v1 (memory, pids, freezer-subsystem) and cgroup-v2.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from arena.bots.limits.room import room_in
from arena.bots.watchdog import remove_groups

FREEZER = "freezer"
FREEZE = {"cgroup.freeze": ("1", "0"), "freezer.state": ("FROZEN", "THAWED")}
# A process is frozen when it next returns from the kernel, usually within microseconds.
FREEZE_LOOKS = (0.0, 0.001, 0.005, 0.02, 0.1, 0.4)
NEARLY_BYTES = 1 << 20  # what the kernel counts ahead, or refuses at once
REMOVE_TRIES = 200
REMOVE_PAUSE_S = 0.01


@dataclass(frozen=True)
class Place:
    """A folder in which the arena can create groups that one controller limits. `version`: the
    version of the kernel's interface."""

    folder: Path
    version: int


@dataclass(frozen=True)
class Group:
    """The groups of one process, by controller. Its descendants are in them too."""

    places: Mapping[str, Place]

    def entrances(self) -> list[Path]:
        """Returns the files to which a process writes its id to enter the groups."""
        return sorted({place.folder / "cgroup.procs" for place in self.places.values()})

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

    def memory_bytes(self) -> int | None:
        """Returns the memory in use, with cached files; None if it is not counted."""
        if (memory := self.places.get("memory")) is None:
            return None
        name = "memory.current" if memory.version == 2 else "memory.usage_in_bytes"
        with suppress(OSError):  # the group has just been removed
            return int((memory.folder / name).read_text())
        return 0

    async def freeze(self) -> bool:
        """Stops everything in the group until `thaw`. Returns False, and stops nothing, if that is
        not possible."""
        if (place := self.places.get(FREEZER)) is None:
            return False
        try:
            _set_frozen(place, True)
            for pause_s in FREEZE_LOOKS:
                await asyncio.sleep(pause_s)
                if _is_frozen(place):
                    return True
        except OSError:  # the group has just been removed
            return False
        except asyncio.CancelledError:  # whoever is cancelled does not know that it is frozen
            self.thaw()
            raise
        self.thaw()
        return False

    def thaw(self) -> None:
        """Lets everything in the group go on. Harmless if it is not frozen."""
        if (place := self.places.get(FREEZER)) is not None:
            with suppress(OSError):  # the group has just been removed
                _set_frozen(place, False)

    def kill(self) -> None:
        """Kills everything in the group, without letting it go on if it is frozen."""
        for folder in self._folders():
            remove_groups.kill_all(folder)

    async def remove(self) -> None:
        """Kills all processes left inside, and removes the groups."""
        left = self._folders()
        for _ in range(REMOVE_TRIES):  # then the next arena removes them
            left = {folder for folder in left if not remove_groups.try_to_remove(folder)}
            if not left:
                return
            await asyncio.sleep(REMOVE_PAUSE_S)

    def _folders(self) -> set[Path]:
        return {place.folder for place in self.places.values()}

    def _killed_for_memory(self) -> bool:
        if (memory := self.places.get("memory")) is None:
            return False
        name = "memory.events" if memory.version == 2 else "memory.oom_control"
        return _count(memory.folder / name, "oom_kill") > 0

    def _reached_its_memory(self) -> bool:
        """Returns whether the group's own limit was reached. `oom_kill` also counts the processes
        that were killed because a group further up, or the machine, had no memory left."""
        memory = self.places["memory"]
        if memory.version == 2:
            return _count(memory.folder / "memory.events", "oom") > 0
        limit = _number(memory.folder / "memory.limit_in_bytes")
        peak = _number(memory.folder / "memory.max_usage_in_bytes")
        return peak >= limit - NEARLY_BYTES

    def _refused_a_task(self) -> bool:
        pids = self.places.get("pids")
        return pids is not None and _count(pids.folder / "pids.events", "max") > 0

    def _has_room_for_its_tasks(self) -> bool:
        """Returns whether the groups above leave the group as many tasks as its own limit. Before
        Linux 6.11, and with version 1, the kernel counts refusals where the process is, whichever
        group's limit it was."""
        folder = self.places["pids"].folder
        free = _number(folder / "pids.max") - _number(folder / "pids.current")
        return room_in(folder.parent) >= free


def _set_frozen(place: Place, frozen: bool) -> None:
    file = "cgroup.freeze" if place.version == 2 else "freezer.state"
    freeze, thaw = FREEZE[file]
    (place.folder / file).write_text(freeze if frozen else thaw)


def _is_frozen(place: Place) -> bool:
    if place.version == 2:
        return _count(place.folder / "cgroup.events", "frozen") > 0
    return (place.folder / "freezer.state").read_text().strip() == "FROZEN"


def _count(events: Path, name: str) -> int:
    """Returns a counter in a file of them, which may not exist."""
    try:
        counters = dict(line.split() for line in events.read_text().splitlines())
    except OSError:
        return 0
    return int(counters.get(name, "0"))


def _number(file: Path) -> int:
    """Returns the number in a file, which may not exist."""
    try:
        return int(file.read_text())
    except OSError:
        return 0
