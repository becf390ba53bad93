"""What it takes to run a bot on this machine, be it as a process or in a container."""

from __future__ import annotations

import signal
from typing import Protocol

from arena.bots.interface import ArenaFailure, BotLost
from arena.bots.local.output import Output
from arena.bots.process.process import Ending


class Watcher(Protocol):
    """Who is told what happens to a bot that was started. Called from the event loop."""

    def tell(self, event: Ending | BotLost | ArenaFailure) -> None:
        """It has ended, or it must be ended: it broke a limit, or cannot be looked after."""

    def uses(self, memory_share: float) -> None:
        """So much memory it was seen to use, as a share of its limit."""


class Running(Protocol):
    """A bot that was started, with all that it starts."""

    def signal(self, number: signal.Signals) -> None:
        """Sends a signal to the bot, and to what it has started."""

    @property
    def exit_code(self) -> int | None:
        """How it ended, see `Ending`; None while its end is not known."""

    async def ended(self) -> Ending:
        """Waits until it has ended and its last words have been read."""

    async def kill(self) -> None:
        """Ends it, and waits until nothing of it is left. Harmless later."""


class Runner(Protocol):
    """A way to run a bot. `ending_known_s`: how many seconds after its end that is known, at the
    latest, on a busy machine."""

    @property
    def ending_known_s(self) -> float: ...

    async def start(self, output: Output, watcher: Watcher) -> Running:
        """Starts the bot. What it writes goes to `output`. Raises ArenaFailure."""
