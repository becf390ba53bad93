"""Kernel limits (control groups) for a bot's processes, where this machine lets the arena set them.

Sources: Linux's documents on cgroup-v1 (memory, pids, sched-bwc) and cgroup-v2. Limits that the
kernel cannot enforce here are enforced by sampling (`sampling.py`).
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import count
from pathlib import Path

from arena.bots.interface import ArenaFailure
from arena.bots.limits.group import FREEZE, FREEZER, Group, Place
from arena.bots.limits.room import room_for_tasks, room_in
from arena.bots.watchdog import GROUPS, has_ended, mark_of, remove_groups

CONTROLLERS = ("memory", "pids", "cpu")
PERIOD_US = 100_000

_numbers = count(1)


@dataclass(frozen=True)
class GroupLimits:
    """Limits on all processes of a group together. `tasks`: processes and all their threads."""

    memory_bytes: int
    tasks: int
    cores: float


def make_group(places: Mapping[str, Place], limits: GroupLimits) -> Group:
    """Creates groups for one process. Raises ArenaFailure."""
    try:
        return _make_group(places, limits)
    except OSError as error:
        raise ArenaFailure(f"A bot's control group cannot be created: {error}.") from error


def _make_group(places: Mapping[str, Place], limits: GroupLimits) -> Group:
    name = f"{GROUPS}-{mark_of(os.getpid())}-{next(_numbers)}"
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


def missing_room(tasks: int) -> str | None:
    """Returns a sentence if the limits above the bots leave them fewer than that many more
    processes and threads."""
    room = room_for_tasks()
    if (pids := usable_places().get("pids")) is not None:
        room = min(room, room_in(pids.folder))
    if room >= tasks:
        return None
    return (
        f"There is room for only {room} more processes and threads, and a bot may have {tasks}."
        " Raise the worker's limit (`ulimit -u`, or pids.max of its control group)."
    )


def find_places(mounts: Path, own: Path) -> dict[str, Place]:
    """Returns the places where groups can be created, by controller.

    `mounts`, `own`: files with what is mounted and which groups this process is in.
    """
    if not own.exists():  # not Linux
        return {}
    found: dict[str, Place] = {}
    for controller, place in _candidates(mounts.read_text(), own.read_text()):
        if controller not in found and _usable(controller, place):
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
            for controller in {*CONTROLLERS, FREEZER} & set(options.split(",")):
                names = next((names for names in own_groups if controller in names.split(",")), "")
                yield controller, Place(_within(point, own_groups.get(names, "/")), 1)
        elif kind == "cgroup2":
            group = _within(point, own_groups.get("", "/"))
            folders = [one for one in (group, group.parent) if one.is_relative_to(point)]
            places = [
                (controller, Place(folder, 2))
                for folder in folders
                for controller in CONTROLLERS
                if _delegates(folder, controller)
            ]
            yield from places
            # Freezing is no controller. A process is in one group of version 2 only.
            yield FREEZER, places[0][1] if places else Place(group, 2)


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


def _usable(controller: str, place: Place) -> bool:
    trial = place.folder / f"{GROUPS}-{mark_of(os.getpid())}-trial"
    try:
        trial.mkdir()
        usable = controller != FREEZER or any((trial / file).exists() for file in FREEZE)
        trial.rmdir()
    except OSError:
        return False
    return usable


def _remove_leftovers(place: Place) -> None:
    """Removes the groups of arenas that were killed, with what is frozen in them."""
    for folder in place.folder.glob(f"{GROUPS}-*-*-*"):
        if has_ended(folder.name.removeprefix(f"{GROUPS}-").rpartition("-")[0]):
            remove_groups.try_to_remove(folder)


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
        case "freezer", _:
            return {}
        case _:
            return {"pids.max": str(limits.tasks)}


def _swap_settings(controller: str, version: int, limits: GroupLimits) -> dict[str, str]:
    """Returns the settings that only kernels with swap accounting have."""
    if controller != "memory":
        return {}
    if version == 1:
        return {"memory.memsw.limit_in_bytes": str(limits.memory_bytes)}
    return {"memory.swap.max": "0"}
