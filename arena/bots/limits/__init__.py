"""Limits on the resources of a bot, enforced by the kernel or by sampling."""

from typing import TYPE_CHECKING

from arena.lazy_face import on_demand

if TYPE_CHECKING:
    from arena.bots.limits.bot_limits import (
        CPU_CORES,
        OPEN_FILES,
        TASKS_PER_PROCESS,
        WRITABLE_BYTES,
        excess,
        out_of_memory,
        too_many_tasks,
    )
    from arena.bots.limits.cgroup import Cgroup, GroupLimits, make_group
    from arena.bots.limits.delegation import CONTROLLERS, missing_room, usable_place
    from arena.bots.limits.room import room_for_tasks
    from arena.bots.limits.sampling import Usage, UsageWatch, waited_s

__all__ = [
    "CONTROLLERS",
    "CPU_CORES",
    "OPEN_FILES",
    "TASKS_PER_PROCESS",
    "WRITABLE_BYTES",
    "Cgroup",
    "GroupLimits",
    "Usage",
    "UsageWatch",
    "excess",
    "make_group",
    "missing_room",
    "out_of_memory",
    "room_for_tasks",
    "too_many_tasks",
    "usable_place",
    "waited_s",
]

__getattr__ = on_demand(__name__)
