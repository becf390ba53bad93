"""The `arena` command."""

from __future__ import annotations

import atexit
import os
import signal

from arena.errors import Exit

__all__ = ["end_at_once", "main"]


def main() -> None:
    """Runs the command. Ctrl-C ends it with exit code 130: the first as the command wishes, the
    second at once."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, end_at_once)  # while the command is loaded
        # Last of all, Python gives its signals back to the system, which would end the process
        # without our exit code.
        atexit.register(signal.signal, signal.SIGINT, signal.SIG_IGN)
    from arena.cli.app import main as run

    run()


def end_at_once(number: int = 0, frame: object = None) -> None:
    """Ends the process, without a traceback of what it was doing."""
    os._exit(Exit.INTERRUPTED)
