"""Cleans up after an arena that was killed: at once, or when the next one starts."""

from arena.bots.watchdog import remove_containers, remove_groups
from arena.bots.watchdog.process_marks import has_ended, mark_of
from arena.bots.watchdog.remove_containers import EngineConnection
from arena.bots.watchdog.remove_groups import GROUPS
from arena.bots.watchdog.watchdog import SandboxWatchdog, Watchdog

__all__ = [
    "GROUPS",
    "EngineConnection",
    "SandboxWatchdog",
    "Watchdog",
    "has_ended",
    "mark_of",
    "remove_containers",
    "remove_groups",
]
