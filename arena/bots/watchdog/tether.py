"""What ties the sandboxes of one host to it, so that none outlives it."""

from __future__ import annotations

import secrets
import socket

from arena.bots.watchdog import kill_sandboxes
from arena.bots.watchdog.watchdog import Survivor


class Tether:
    """One for all sandboxes of a host, made before the first of them. Each holds the socket `fd`
    for as long as it lives, and has the mark among its words: the sweeper finds it by that."""

    def __init__(self) -> None:
        """Raises ArenaFailure."""
        mark = f"ARENA_MARK_{secrets.token_hex(8)}"
        self._end, other = socket.socketpair()
        self.fd = self._end.fileno()
        # The sandbox's first process keeps the socket, and the bot does not get it. A variable that
        # nobody has set is a word that does nothing.
        self.options = ("--sync-fd", str(self.fd), "--unsetenv", mark)
        with other:
            words = (str(other.fileno()), mark)
            self._sweeper = Survivor(kill_sandboxes.__file__, words, inherits=(other.fileno(),))

    def close(self) -> None:
        """No sandbox is left; if there is one, it is killed."""
        self._end.close()
        self._sweeper.let_go()
