"""Ctrl-C and SIGTERM: at the first the bot asks the arena for a goodbye, at the second it ends.

The first signal interrupts nothing: the bot plays its matches to their end. The second ends the
process as it is, because gRPC, interrupted in the middle of a call, may hang when it is torn down.
Only the bot's own code gets a KeyboardInterrupt, and a moment to finish.
"""

import asyncio
import atexit
import os
import signal
import sys
import threading
from collections.abc import Callable, Coroutine
from contextlib import suppress
from types import FrameType
from typing import Any

from sevens_sdk.session import Session

# Arenas older than this message do not answer it.
GOODBYE_SECONDS = 5.0
LOOK_SECONDS = 0.5
# The time that the bot's own code has after a KeyboardInterrupt.
LAST_SECONDS = 1.0


class Leaving:
    """Handles SIGINT and SIGTERM while the bot plays, unless the program does so itself."""

    def __init__(self, session: Session) -> None:
        # True while the bot's own code runs, in which SIGINT may raise KeyboardInterrupt.
        self.in_bot = False
        # Called when the session has something to say.
        self.on_leave: Callable[[], object] = lambda: None
        self._session = session
        self._interrupted = False
        self._task: asyncio.Task[None] | None = None
        self._before: dict[int, Any] = {}

    def __enter__(self) -> "Leaving":
        if threading.current_thread() is threading.main_thread():
            usual = {signal.SIGINT: signal.default_int_handler, signal.SIGTERM: signal.SIG_DFL}
            for number, handler in usual.items():
                if signal.getsignal(number) == handler:
                    self._before[number] = signal.signal(number, self._handle)
        return self

    def __exit__(self, *_: object) -> None:
        if self._session.leaving:
            return  # another signal still ends the process at once
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def run(self, coroutine: Coroutine[Any, Any, None], loop: asyncio.AbstractEventLoop) -> None:
        """Runs a coroutine to its end, or until the bot has left."""
        self._task = loop.create_task(coroutine)
        if self._session.leaving:
            loop.call_soon(self._begin)
        with suppress(asyncio.CancelledError):
            loop.run_until_complete(self._task)

    def check(self) -> None:
        """Raises KeyboardInterrupt if the bot has caught it."""
        if self._interrupted:
            raise KeyboardInterrupt

    def _handle(self, number: int, _: FrameType | None) -> None:
        if self._session.leaving or self._session.goodbye:
            self._end(number)
            return
        self._session.leave()
        if count := self._session.matches:
            matches = "1 match" if count == 1 else f"{count} matches"
            sentence = f"Leaving after {matches}; press Ctrl-C again to stop at once.\n"
            # Not by `print`, in the middle of which the signal may have come.
            os.write(2, sentence.encode())
        if self._task is not None:
            self._task.get_loop().call_soon_threadsafe(self._begin)

    def _begin(self) -> None:
        """Announces that the bot leaves, if it is connected."""
        if self._session.dialling and not self._session.matches:
            self._stop()
            return
        self.on_leave()
        self._later(GOODBYE_SECONDS)

    def _look(self) -> None:
        """Stops waiting for a goodbye that does not come."""
        if self._session.matches:
            self._later(LOOK_SECONDS)
        elif (rest := self._session.idle_since + GOODBYE_SECONDS - self._session.clock()) > 0:
            self._later(rest)
        else:
            self._stop()

    def _later(self, seconds: float) -> None:
        if self._task is not None:
            self._task.get_loop().call_later(seconds, self._look)

    def _stop(self) -> None:
        if self._task is not None:
            self._task.cancel()

    def _end(self, number: int) -> None:
        if number == signal.SIGINT and self.in_bot and not self._interrupted:
            self._interrupted = True
            end_soon(number)
            raise KeyboardInterrupt
        flush()
        os._exit(128 + number)


def end_interrupted() -> None:
    """Ends the process after a KeyboardInterrupt: does what the program wants done at its end, for
    a limited time, and leaves the rest alone."""
    end_soon(signal.SIGINT)
    atexit._run_exitfuncs()
    flush()
    os._exit(128 + signal.SIGINT)


def end_soon(number: int) -> None:
    def end() -> None:
        flush()
        os._exit(128 + number)

    timer = threading.Timer(LAST_SECONDS, end)
    timer.daemon = True
    timer.start()


def flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        # It may be closed, full, or in the middle of a write.
        with suppress(RuntimeError, OSError, ValueError, AttributeError):
            stream.flush()
