"""Ctrl-C and SIGTERM, for everything that runs in an event loop.

The first signal is an event like any other, so that it never interrupts gRPC in the middle of a
call. The second one ends the process at once. What it has started then ends by itself, as it would
if the process were killed.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
from collections.abc import Callable, Coroutine
from types import FrameType
from typing import Any, TypeVar

from arena.errors import Exit

T = TypeVar("T")
SIGNALS = (signal.SIGINT, signal.SIGTERM)


def run(main: Coroutine[Any, Any, T]) -> T:
    """Runs a coroutine in an event loop of its own. A signal cancels it, and becomes a
    KeyboardInterrupt once it has ended."""

    async def stoppable() -> T:
        task = asyncio.current_task()
        assert task is not None  # we are in one
        stop_on_signals(task.cancel)
        return await main

    try:
        return asyncio.run(stoppable())
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None


def stop_on_signals(stop: Callable[[], object], within_s: float | None = None) -> None:
    """Calls `stop` at the first signal, from the running event loop.

    `within_s`: the seconds after which a process that has not ended does so at once.
    """
    loop = asyncio.get_running_loop()

    def give_up() -> None:
        try:
            for task in asyncio.all_tasks(loop):
                sys.stderr.write(f"Not ended in time: {_place_of(task)}.\n")
        finally:
            _end_at_once()

    def first() -> None:
        for number in SIGNALS:
            loop.remove_signal_handler(number)
            # Not through the loop, which may be busy.
            signal.signal(number, _end_at_once)
        if within_s is not None:
            last_resort = threading.Timer(within_s, give_up)
            last_resort.daemon = True
            last_resort.start()
        stop()

    for number in SIGNALS:
        loop.add_signal_handler(number, first)


def _place_of(task: asyncio.Task[Any]) -> str:
    """Returns the functions in which a task waits, the innermost one last."""
    places = []
    one: Any = task.get_coro()
    while (frame := getattr(one, "cr_frame", None)) is not None:
        places.append(f"{frame.f_code.co_qualname}:{frame.f_lineno}")
        one = one.cr_await
    return " > ".join(places)


def _end_at_once(number: int = 0, frame: FrameType | None = None) -> None:
    """Ends this process as SIGKILL would."""
    sys.stderr.write("Ended at once. No match that is over is lost by that.\n")
    sys.stderr.flush()
    os._exit(Exit.INTERRUPTED)
