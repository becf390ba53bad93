"""Ctrl-C.

KeyboardInterrupt must not be raised inside gRPC: what it was doing would be left half done, and a
process with such remains may hang when it ends. So it is raised only inside the bot's own code; at
any other time the event loop's task is cancelled, which closes the connection in an orderly way.
"""

import asyncio
import os
import signal
import threading
from collections.abc import Coroutine
from time import monotonic
from typing import Any

EXIT_INTERRUPTED = 130
# Whoever presses Ctrl-C again after this time no longer waits for an orderly end.
PATIENCE_SECONDS = 1.0


class Interrupt:
    """Handles SIGINT while the bot plays and leaves, unless the program does so itself."""

    def __init__(self) -> None:
        # When the first SIGINT arrived.
        self.at: float | None = None
        # True while the bot's own code runs, in which SIGINT raises KeyboardInterrupt.
        self.in_bot = False
        self._task: asyncio.Task[None] | None = None

    def __enter__(self) -> "Interrupt":
        self._installed = (
            threading.current_thread() is threading.main_thread()
            and signal.getsignal(signal.SIGINT) is signal.default_int_handler
        )
        if self._installed:
            signal.signal(signal.SIGINT, self._handle)
        return self

    def __exit__(self, *_: object) -> None:
        # While the bot is leaving, another Ctrl-C must not interrupt that either.
        if self._installed and self.at is None:
            signal.signal(signal.SIGINT, signal.default_int_handler)

    def run(self, coroutine: Coroutine[Any, Any, None], loop: asyncio.AbstractEventLoop) -> None:
        """Runs a coroutine to its end. Raises KeyboardInterrupt if a SIGINT cancelled it."""
        self._task = loop.create_task(coroutine)
        try:
            if self.at is not None:
                self._task.cancel()
            loop.run_until_complete(self._task)
        except asyncio.CancelledError:
            # Raised below instead: in here, KeyboardInterrupt would keep gRPC's call alive through
            # the traceback of its context.
            pass
        finally:
            self._task = None
        self.check()

    def check(self) -> None:
        """Raises KeyboardInterrupt if a SIGINT has arrived."""
        if self.at is not None:
            raise KeyboardInterrupt

    def _handle(self, *_: object) -> None:
        now = monotonic()
        if self.at is not None:
            if now - self.at > PATIENCE_SECONDS:
                os._exit(EXIT_INTERRUPTED)
            return
        self.at = now
        if self.in_bot:
            raise KeyboardInterrupt
        if self._task is not None:
            self._task.get_loop().call_soon_threadsafe(self._task.cancel)
