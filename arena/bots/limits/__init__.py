"""Limits on the resources of a bot, enforced by the kernel or by sampling."""

from arena.bots.limits.cgroups import (
    CONTROLLERS,
    GroupLimits,
    make_group,
    missing_room,
    usable_places,
)
from arena.bots.limits.group import Group
from arena.bots.limits.limits import (
    CPU_CORES,
    OPEN_FILES,
    TASKS_PER_PROCESS,
    WRITABLE_BYTES,
    out_of_memory,
    too_many_tasks,
)
from arena.bots.limits.room import room_for_tasks, room_in
from arena.bots.limits.sampling import Usage, UsageWatch, excess

__all__ = [
    "CONTROLLERS",
    "CPU_CORES",
    "OPEN_FILES",
    "TASKS_PER_PROCESS",
    "WRITABLE_BYTES",
    "Group",
    "GroupLimits",
    "Usage",
    "UsageWatch",
    "excess",
    "make_group",
    "missing_room",
    "out_of_memory",
    "room_for_tasks",
    "room_in",
    "too_many_tasks",
    "usable_places",
]
