"""Bots on this machine, whether their program runs as a process or in a container."""

from arena.bots.local.access import Access
from arena.bots.local.bot import LocalBot
from arena.bots.local.output import (
    CHUNK_BYTES,
    GATHER_BYTES,
    OUTPUT_LIMIT_BYTES,
    PAUSE_S,
    REST_WITHIN_S,
    Output,
)
from arena.bots.local.runner import CANNOT_RUN, Ending, Runner, Watcher

__all__ = [
    "CANNOT_RUN",
    "CHUNK_BYTES",
    "GATHER_BYTES",
    "OUTPUT_LIMIT_BYTES",
    "PAUSE_S",
    "REST_WITHIN_S",
    "Access",
    "Ending",
    "LocalBot",
    "Output",
    "Runner",
    "Watcher",
]
