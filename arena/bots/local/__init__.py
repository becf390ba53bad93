"""Bots on this machine: the parts that processes and containers share."""

from arena.bots.local.captured_output import (
    CHUNK_BYTES,
    GATHER_BYTES,
    OUTPUT_LIMIT_BYTES,
    PAUSE_S,
    REST_WITHIN_S,
    Output,
)
from arena.bots.local.crash_report import cause_of_fault
from arena.bots.local.known_causes import explained
from arena.bots.local.local_bot import LocalBot
from arena.bots.local.runner import CANNOT_RUN, Access, Ending, Runner, Watcher

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
    "cause_of_fault",
    "explained",
]
