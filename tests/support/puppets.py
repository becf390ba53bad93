"""The scripted bots, and the types of the fixtures that create and start them."""

from collections.abc import Awaitable, Callable
from pathlib import Path

import psutil

from arena.bots.host import Bot
from arena.bots.source.program import Program

SCRIPTED = Path(__file__).parent / "bots"

MakePuppet = Callable[..., Program]
StartPuppet = Callable[..., Awaitable[Bot]]


def vanished(mark: str) -> None:
    """Waits until no process has the mark; the kernel kills the rest of a sandbox."""
    _, alive = psutil.wait_procs(marked(mark), timeout=20)
    assert not alive


def marked(mark: str) -> list[psutil.Process]:
    """Returns the processes that have the mark."""
    return [
        process
        for process in psutil.process_iter(["cmdline"])
        if mark in (process.info["cmdline"] or [])
    ]
