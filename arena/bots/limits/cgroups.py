"""Kernel limits (control groups) for a bot's processes, where this machine lets the arena set them.

Sources: Linux's documents on cgroup-v1 (memory, pids, sched-bwc) and cgroup-v2. Limits that the
kernel cannot enforce here are enforced by sampling (`sampling.py`).
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import count
from pathlib import Path

from arena.bots.interface import ArenaFailure
from arena.bots.watchdog import has_ended, mark_of

CONTROLLERS = ("memory", "pids", "cpu")
PREFIX = "sevens"
PERIOD_US = 100_000
REMOVED_WITHIN_S = 2.0

_numbers = count(1)


@dataclass(frozen=True)
class GroupLimits:
    """Limits on all processes of a group together. `tasks`: processes and all their threads."""

    memory_bytes: int
    tasks: int
    cores: float


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
        """Returns the controller whose limit made the kernel kill or refuse something, or None."""
        if (memory := self.places.get("memory")) is not None:
            name = "memory.events" if memory.version == 2 else "memory.oom_control"
            if _counted(memory.folder / name, "oom_kill"):
                return "memory"
        if (pids := self.places.get("pids")) is not None and _counted(
            pids.folder / "pids.events", "max"
        ):
            return "pids"
        return None

    async def remove(self) -> None:
        """Kills all processes left inside, and removes the groups."""
        for folder in {place.folder for place in self.places.values()}:
            with suppress(TimeoutError):  # the next arena removes it
                async with asyncio.timeout(REMOVED_WITHIN_S):
                    while not _try_to_remove(folder):
                        _kill_all(folder)
                        await asyncio.sleep(0.01)


def make_group(places: Mapping[str, Place], limits: GroupLimits) -> Group:
    """Creates groups for one process. Raises ArenaFailure."""
    try:
        return _make_group(places, limits)
    except OSError as error:
        raise ArenaFailure(f"A bot's control group cannot be created: {error}.") from error


def _make_group(places: Mapping[str, Place], limits: GroupLimits) -> Group:
    name = f"{PREFIX}-{mark_of(os.getpid())}-{next(_numbers)}"
    group = Group({c: Place(place.folder / name, place.version) for c, place in places.items()})
    for controller, place in group.places.items():
        place.folder.mkdir(exist_ok=True)
        for file, value in _settings(controller, place.version, limits).items():
            (place.folder / file).write_text(value)
        for file, value in _swap_settings(controller, place.version, limits).items():
            if (place.folder / file).exists():
                (place.folder / file).write_text(value)
    return group


@cache
def usable_places() -> Mapping[str, Place]:
    """Returns the places where this process can create groups, by controller. Tries them out, once
    a process."""
    return find_places(Path("/proc/self/mounts"), Path("/proc/self/cgroup"))


def find_places(mounts: Path, own: Path) -> dict[str, Place]:
    """Returns the places where groups can be created, by controller.

    `mounts`, `own`: files with what is mounted and which groups this process is in.
    """
    if not own.exists():  # not Linux
        return {}
    found: dict[str, Place] = {}
    for controller, place in _candidates(mounts.read_text(), own.read_text()):
        if controller not in found and _usable(place):
            _remove_leftovers(place)
            found[controller] = place
    return found


def _candidates(mounts: str, own: str) -> Iterator[tuple[str, Place]]:
    """Yields controllers, and places where their groups may perhaps be created: in this process's
    own group, or, if that cannot delegate its controllers (version 2, while there are processes in
    it), in its parent."""
    own_groups = dict(_controllers_and_group(line) for line in own.splitlines())
    for line in mounts.splitlines():
        _, point, kind, options, *_ = line.split()
        if kind == "cgroup":
            for controller in set(CONTROLLERS) & set(options.split(",")):
                names = next((names for names in own_groups if controller in names.split(",")), "")
                yield controller, Place(_within(point, own_groups.get(names, "/")), 1)
        elif kind == "cgroup2":
            group = _within(point, own_groups.get("", "/"))
            for folder in (group, group.parent):
                for controller in CONTROLLERS:
                    if folder.is_relative_to(point) and _delegates(folder, controller):
                        yield controller, Place(folder, 2)


def _controllers_and_group(line: str) -> tuple[str, str]:
    _, controllers, group = line.split(":", 2)
    return controllers, group


def _within(point: str, group: str) -> Path:
    """Returns the folder of a group; in a container that may be the mount point itself."""
    folder = Path(point, group.lstrip("/"))
    return folder if folder.is_dir() else Path(point)


def _delegates(folder: Path, controller: str) -> bool:
    """Returns whether a group of version 2 delegates a controller to its children; tries to make it
    do so."""
    delegated = folder / "cgroup.subtree_control"
    if controller not in delegated.read_text().split():
        with suppress(OSError):  # there are processes in the group, or it is not ours
            delegated.write_text(f"+{controller}")
    return controller in delegated.read_text().split()


def _usable(place: Place) -> bool:
    trial = place.folder / f"{PREFIX}-{mark_of(os.getpid())}-trial"
    try:
        trial.mkdir()
        trial.rmdir()
    except OSError:
        return False
    return True


def _remove_leftovers(place: Place) -> None:
    """Removes the groups of arenas that were killed; nothing runs in them any more."""
    for folder in place.folder.glob(f"{PREFIX}-*-*-*"):
        if has_ended(folder.name.removeprefix(f"{PREFIX}-").rpartition("-")[0]):
            _try_to_remove(folder)


def _settings(controller: str, version: int, limits: GroupLimits) -> dict[str, str]:
    quota = str(int(limits.cores * PERIOD_US))
    match controller, version:
        case "memory", 1:
            return {"memory.limit_in_bytes": str(limits.memory_bytes)}
        case "memory", _:
            return {"memory.max": str(limits.memory_bytes), "memory.oom.group": "1"}
        case "cpu", 1:
            return {"cpu.cfs_period_us": str(PERIOD_US), "cpu.cfs_quota_us": quota}
        case "cpu", _:
            return {"cpu.max": f"{quota} {PERIOD_US}"}
        case _:
            return {"pids.max": str(limits.tasks)}


def _swap_settings(controller: str, version: int, limits: GroupLimits) -> dict[str, str]:
    """Returns the settings that only kernels with swap accounting have."""
    if controller != "memory":
        return {}
    if version == 1:
        return {"memory.memsw.limit_in_bytes": str(limits.memory_bytes)}
    return {"memory.swap.max": "0"}


def _counted(events: Path, name: str) -> bool:
    """Returns whether a file of counters, which may not exist, says that an event has happened."""
    try:
        counters = dict(line.split() for line in events.read_text().splitlines())
    except FileNotFoundError:
        return False
    return counters.get(name, "0") != "0"


def _try_to_remove(folder: Path) -> bool:
    """Returns whether the group no longer exists."""
    try:
        folder.rmdir()
    except FileNotFoundError:
        return True
    except OSError:  # something is still in it
        return False
    return True


def _kill_all(folder: Path) -> None:
    with suppress(FileNotFoundError):
        for number in (folder / "cgroup.procs").read_text().split():
            with suppress(ProcessLookupError):
                os.kill(int(number), signal.SIGKILL)
