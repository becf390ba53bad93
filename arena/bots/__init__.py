"""Ways to run and reach a bot: sandboxed process, container, remote program, in-process function.

`interface` is all that a referee knows of bots; `Host` runs them on this machine.
"""

from typing import TYPE_CHECKING

from arena.lazy_face import on_demand

if TYPE_CHECKING:
    from arena.bots.host import Bot, Host
    from arena.bots.in_process import BUILTINS, InProcessBot, InProcessChannel, choose_at_random
    from arena.bots.interface import (
        ArenaFailure,
        BotLost,
        Listener,
        MachineFailure,
        PendingDecision,
        RunningBot,
        SeatChannel,
    )
    from arena.bots.isolation import Isolation
    from arena.bots.local import cause_of_fault, explained
    from arena.bots.missing_program import check_built
    from arena.bots.references import (
        BUILT_SUFFIX,
        IMAGE_SUFFIX,
        UnknownBot,
        find_bot,
        find_kept,
        find_kept_image,
        find_runnable,
        find_version,
    )
    from arena.bots.sockets import private_folder, sweep

__all__ = [
    "BUILTINS",
    "BUILT_SUFFIX",
    "IMAGE_SUFFIX",
    "ArenaFailure",
    "Bot",
    "BotLost",
    "Host",
    "InProcessBot",
    "InProcessChannel",
    "Isolation",
    "Listener",
    "MachineFailure",
    "PendingDecision",
    "RunningBot",
    "SeatChannel",
    "UnknownBot",
    "cause_of_fault",
    "check_built",
    "choose_at_random",
    "explained",
    "find_bot",
    "find_kept",
    "find_kept_image",
    "find_runnable",
    "find_version",
    "private_folder",
    "sweep",
]

__getattr__ = on_demand(__name__)
