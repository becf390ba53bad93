"""Helper processes that outlive the arena, each with one chore: to remove something that a killed
arena leaves behind."""

from __future__ import annotations

import secrets
import socket
import subprocess
import sys
from collections.abc import Sequence
from types import ModuleType

from arena.bots.interface import ArenaFailure
from arena.bots.watchdog import kill_sandboxes

# Signals that end the arena are often sent to its other processes too.
IGNORE_SIGNALS = 'trap "" HUP INT TERM; exec "$@"'


class Watchdog:
    """A process that runs a chore, which is a script of this package.

    The script reads its standard input, which ends when the arena ends, however that happens. It
    uses the standard library only, so that it starts fast.
    """

    def __init__(self, chore: ModuleType, *argv: str, inherits: Sequence[int] = ()) -> None:
        """`inherits`: file descriptors. Raises ArenaFailure."""
        script = (sys.executable, "-I", "-S", str(chore.__file__), *argv)
        try:
            self._process = subprocess.Popen(
                ["/bin/sh", "-c", IGNORE_SIGNALS, "sh", *script],
                stdin=subprocess.PIPE,
                pass_fds=inherits,
                cwd="/",
                start_new_session=True,
            )
        except OSError as error:
            raise ArenaFailure(
                f"The process that cleans up after bots cannot be started: {error}."
            ) from error

    def dismiss(self) -> None:
        """Announces an orderly end, and waits until the chore is done."""
        self._process.communicate(b".")


class SandboxWatchdog:
    """Kills the sandboxes of one host when that ends. Create it before the first of them.

    `fd`: a socket that every sandbox has to inherit.
    `options`: bubblewrap's options by which the watchdog finds a sandbox.
    """

    def __init__(self) -> None:
        """Raises ArenaFailure."""
        mark = f"ARENA_MARK_{secrets.token_hex(8)}"
        self._end, other = socket.socketpair()
        self.fd = self._end.fileno()
        # The sandbox's first process keeps the socket open, and the bot does not inherit it.
        # Unsetting an unset variable is a no-op; it only puts the mark into argv.
        self.options = ("--sync-fd", str(self.fd), "--unsetenv", mark)
        with other:
            fd = other.fileno()
            self._watchdog = Watchdog(kill_sandboxes, str(fd), mark, inherits=(fd,))

    def close(self) -> None:
        """Kills any sandbox that is left."""
        self._end.close()
        self._watchdog.dismiss()
