"""The kernel's own limits for a bot's processes, where this machine lets the arena set them.

Sources: Linux's cgroup-v1 (memory, pids, sched-bwc) and cgroup-v2 documents. What cannot be had is
left to whoever looks at the processes from outside (`usage.py`).
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

import psutil

from arena.bots.interface import ArenaFailure

CONTROLLERS = ("memory", "pids", "cpu")
PREFIX = "sevens"
PERIOD_US = 100_000
REMOVED_WITHIN_S = 2.0

_numbers = count(1)


@dataclass(frozen=True)
class Bounds:
    """What the processes of a group may use together. `tasks`: processes and all their threads."""

    memory_bytes: int
    tasks: int
    cores: float


@dataclass(frozen=True)
class Place:
    """A folder in which the arena can make groups that one controller limits. `version`: of the
    kernel's interface."""

    folder: Path
    version: int


@dataclass(frozen=True)
class Group:
    """The groups of one process, by controller. What it starts is in them too."""

    places: Mapping[str, Place]

    def entrances(self) -> list[Path]:
        """The files to which a process writes its number to enter."""
        return sorted({place.folder / "cgroup.procs" for place in self.places.values()})

    def ran_out_of(self) -> str | None:
        """Returns the controller at whose limit something was killed or refused, or None."""
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
        """Kills what is left inside, and removes the groups."""
        for folder in {place.folder for place in self.places.values()}:
            with suppress(TimeoutError):  # the next arena removes it
                async with asyncio.timeout(REMOVED_WITHIN_S):
                    while not _removed(folder):
                        _kill_all(folder)
                        await asyncio.sleep(0.01)


def make_group(places: Mapping[str, Place], bounds: Bounds) -> Group:
    """Makes groups for one process. Raises ArenaFailure."""
    try:
        return _made(places, bounds)
    except OSError as error:
        raise ArenaFailure(f"A bot's control group cannot be made: {error}.") from error


def _made(places: Mapping[str, Place], bounds: Bounds) -> Group:
    name = f"{PREFIX}-{os.getpid()}-{next(_numbers)}"
    group = Group({c: Place(place.folder / name, place.version) for c, place in places.items()})
    for controller, place in group.places.items():
        place.folder.mkdir(exist_ok=True)
        for file, value in _settings(controller, place.version, bounds).items():
            (place.folder / file).write_text(value)
        for file, value in _settings_of_some_kernels(controller, place.version, bounds).items():
            if (place.folder / file).exists():
                (place.folder / file).write_text(value)
    return group


@cache
def usable_places() -> Mapping[str, Place]:
    """Where this process can make groups, by controller; tried out, once a process."""
    return find_places(Path("/proc/self/mounts"), Path("/proc/self/cgroup"))


def find_places(mounts: Path, own: Path) -> dict[str, Place]:
    """Where groups can be made, given what is mounted and which groups are this process's own."""
    if not own.exists():  # not Linux
        return {}
    found: dict[str, Place] = {}
    for controller, place in _candidates(mounts.read_text(), own.read_text()):
        if controller not in found and _usable(place):
            _remove_leftovers(place)
            found[controller] = place
    return found


def _candidates(mounts: str, own: str) -> Iterator[tuple[str, Place]]:
    """Controllers, and where their groups may be made: in the group of this process. If that cannot
    pass its controllers on (version 2, as long as there are processes in it), beside it."""
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
                    if folder.is_relative_to(point) and _passed_on(folder, controller):
                        yield controller, Place(folder, 2)


def _controllers_and_group(line: str) -> tuple[str, str]:
    _, controllers, group = line.split(":", 2)
    return controllers, group


def _within(point: str, group: str) -> Path:
    """The folder of a group; in a container it may be the mount itself."""
    folder = Path(point, group.lstrip("/"))
    return folder if folder.is_dir() else Path(point)


def _passed_on(folder: Path, controller: str) -> bool:
    """Whether groups in a group of version 2 have a controller, now or after asking for it."""
    passed_on = folder / "cgroup.subtree_control"
    if controller not in passed_on.read_text().split():
        with suppress(OSError):  # there are processes in the group, or it is not ours
            passed_on.write_text(f"+{controller}")
    return controller in passed_on.read_text().split()


def _usable(place: Place) -> bool:
    trial = place.folder / f"{PREFIX}-{os.getpid()}-trial"
    try:
        trial.mkdir()
        trial.rmdir()
    except OSError:
        return False
    return True


def _remove_leftovers(place: Place) -> None:
    """The groups of arenas that were killed; nothing runs in them any more."""
    for folder in place.folder.glob(f"{PREFIX}-*-*"):
        if not psutil.pid_exists(int(folder.name.split("-")[1])):
            _removed(folder)


def _settings(controller: str, version: int, bounds: Bounds) -> dict[str, str]:
    quota = str(int(bounds.cores * PERIOD_US))
    match controller, version:
        case "memory", 1:
            return {"memory.limit_in_bytes": str(bounds.memory_bytes)}
        case "memory", _:
            return {"memory.max": str(bounds.memory_bytes), "memory.oom.group": "1"}
        case "cpu", 1:
            return {"cpu.cfs_period_us": str(PERIOD_US), "cpu.cfs_quota_us": quota}
        case "cpu", _:
            return {"cpu.max": f"{quota} {PERIOD_US}"}
        case _:
            return {"pids.max": str(bounds.tasks)}


def _settings_of_some_kernels(controller: str, version: int, bounds: Bounds) -> dict[str, str]:
    """Those of kernels that count swapped memory."""
    if controller != "memory":
        return {}
    if version == 1:
        return {"memory.memsw.limit_in_bytes": str(bounds.memory_bytes)}
    return {"memory.swap.max": "0"}


def _counted(events: Path, name: str) -> bool:
    """Whether a file of counters says that something has happened. It may be gone."""
    try:
        counters = dict(line.split() for line in events.read_text().splitlines())
    except FileNotFoundError:
        return False
    return counters.get(name, "0") != "0"


def _removed(folder: Path) -> bool:
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
