"""Finds the place where this process can create control groups, and the controllers of these.

Source: Linux's document on cgroup-v2 (delegation, and the rule of no internal processes). Limits
that the kernel cannot enforce here are enforced by sampling (`sampling.py`).
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from arena.bots.limits.room import room_for_tasks, room_in
from arena.bots.watchdog import GROUPS, has_ended, mark_of, remove_groups

CONTROLLERS = ("memory", "pids", "cpu")
OWN = "0::/"  # begins the line of /proc/PID/cgroup that names the process's group of version 2


@dataclass(frozen=True)
class CgroupParent:
    """A folder in which the arena can create groups.

    `controllers`: those of CONTROLLERS that limit groups there. Without any, groups can still be
    frozen and killed.
    """

    folder: Path
    controllers: frozenset[str]


@cache
def usable_place() -> CgroupParent | None:
    """Returns the place where this process can create groups, or None. Tries it out, once a
    process."""
    return find_place(Path("/proc/self/mounts"), Path("/proc/self/cgroup"))


def missing_room(tasks: int) -> str | None:
    """Returns a sentence if the limits above the bots leave them fewer than that many more
    processes and threads."""
    room = room_for_tasks()
    if (place := usable_place()) is not None:
        room = min(room, room_in(place.folder))
    if room >= tasks:
        return None
    return (
        f"There is room for only {room} more processes and threads, and a bot may have {tasks}."
        " Raise the worker's limit (`ulimit -u`, or pids.max of its control group)."
    )


def find_place(mounts: Path, own: Path) -> CgroupParent | None:
    """Returns the place with the most controllers where groups can be created, or None.

    `mounts`, `own`: files with what is mounted and which groups this process is in.
    """
    if not own.exists():  # not Linux
        return None
    places = [
        CgroupParent(folder, _delegated(folder))
        for folder in _candidates(mounts.read_text(), own.read_text())
        if _usable(folder)
    ]
    place = max(places, key=lambda place: len(place.controllers), default=None)
    if place is not None:
        _remove_leftovers(place.folder)
    return place


def _candidates(mounts: str, own: str) -> Iterator[Path]:
    """Yields this process's own group, and its parent: a group with processes in it, like this one,
    cannot delegate controllers."""
    group = next((line[len(OWN) :] for line in own.splitlines() if line.startswith(OWN)), "")
    for line in mounts.splitlines():
        _, point, kind, *_ = line.split()
        if kind == "cgroup2":
            folder = Path(point, group)
            if not folder.is_dir():  # in a container the mount point may itself be the group
                folder = Path(point)
            yield folder
            if folder != Path(point):
                yield folder.parent


def _delegated(folder: Path) -> frozenset[str]:
    """Returns the controllers that a group delegates to its children. Makes it delegate all it
    can."""
    delegated = folder / "cgroup.subtree_control"
    missing = _words(folder / "cgroup.controllers") - _words(delegated)
    if missing and _may_delegate(folder):
        with suppress(OSError):  # it is not ours
            delegated.write_text(" ".join(f"+{controller}" for controller in sorted(missing)))
    return _words(delegated)


def _words(file: Path) -> frozenset[str]:
    """Returns the controllers of ours that a file lists."""
    return frozenset(file.read_text().split()).intersection(CONTROLLERS)


def _may_delegate(folder: Path) -> bool:
    """True if a group can delegate controllers: it is the root, or has no processes. Any other
    would become a threaded one, and its children could take no processes."""
    is_root = not (folder / "cgroup.type").exists()
    return is_root or not (folder / "cgroup.procs").read_text()


def _usable(folder: Path) -> bool:
    """True if groups can be created in a folder."""
    trial = folder / f"{GROUPS}-{mark_of(os.getpid())}-trial"
    try:
        trial.mkdir()
        trial.rmdir()
    except OSError:
        return False
    return True


def _remove_leftovers(folder: Path) -> None:
    """Removes the groups of arenas that were killed, with what is frozen in them."""
    for group in folder.glob(f"{GROUPS}-*-*-*"):
        if has_ended(group.name.removeprefix(f"{GROUPS}-").rpartition("-")[0]):
            remove_groups.try_to_remove(group)
