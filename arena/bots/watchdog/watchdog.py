"""A process that outlives the arena, to clear away what that leaves behind."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence

from arena.bots.interface import ArenaFailure

# What ends the arena comes to its other processes too.
DEAF = 'trap "" HUP INT TERM; exec "$@"'


class Survivor:
    """Runs a script of this package that reads its standard input: that ends with the arena,
    however it ended. The script may use the standard library only; it starts fast."""

    def __init__(self, script: str, words: Sequence[str], inherits: Sequence[int] = ()) -> None:
        """`inherits`: file descriptors. Raises ArenaFailure."""
        python = (sys.executable, "-I", "-S", script, *words)
        try:
            self._process = subprocess.Popen(
                ["/bin/sh", "-c", DEAF, "sh", *python],
                stdin=subprocess.PIPE,
                pass_fds=inherits,
                cwd="/",
                start_new_session=True,
            )
        except OSError as error:
            raise ArenaFailure(
                f"The process that looks after bots cannot be started: {error}."
            ) from error

    def let_go(self) -> None:
        """Tells it that this is an orderly end, and waits until it has done its work."""
        self._process.communicate(b".")
