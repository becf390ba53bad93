"""The interface to run a bot's program on this machine, as a process or in a container, and the
access to the arena that the program gets."""

from __future__ import annotations

import signal
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from arena.bots.interface import ArenaFailure, BotLost
from arena.bots.local.captured_output import Output

# bubblewrap and supervise.py print this if there is no such program as the bot's.
CANNOT_RUN = "execvp "


@dataclass(frozen=True)
class Access:
    """Everything a bot needs to reach the arena.

    `folder`: the folder of the bot's own socket, on the host.
    `token`: the secret by which the arena recognises the bot.
    `matches_at_once`: how many matches it is offered; None leaves that to the bot.
    """

    folder: Path
    token: str
    matches_at_once: int | None

    def environment(self, address: str) -> dict[str, str]:
        """Returns the variables for a bot that sees the socket at that address."""
        environment = {"ARENA_ADDRESS": address, "ARENA_TOKEN": self.token}
        if self.matches_at_once is not None:
            environment["ARENA_MATCHES_AT_ONCE"] = str(self.matches_at_once)
        return environment


@dataclass(frozen=True)
class Ending:
    """The end of a program.

    `code`: its exit code, or 128 plus the number of the signal that ended it; None if it never ran.
    `excess`: a sentence on the limit it broke, if it ended because of that.
    """

    code: int | None
    excess: str = ""

    def __str__(self) -> str:
        if self.code is None:
            return "could not be started"
        if self.code - 128 in signal.valid_signals():
            return f"was ended by {signal.Signals(self.code - 128).name}"
        return f"ended with exit code {self.code}"


class Watcher(Protocol):
    """Receives reports on an instance. Called from the event loop."""

    def report(self, event: Ending | BotLost | ArenaFailure) -> None:
        """The instance has ended, or has to be ended because it broke a limit or can no longer be
        managed."""

    def uses(self, memory_share: float, waited_s: float) -> None:
        """The instance was seen to use that share of its memory limit, and to have waited for a
        processor of this machine for so many seconds."""


class Instance(Protocol):
    """A bot's program that was started, with everything that it starts in turn."""

    def signal(self, number: signal.Signals) -> None:
        """Sends a signal to the program, and to what it has started."""

    @property
    def exit_code(self) -> int | None:
        """The code of its `Ending`; None until that is known."""

    async def ended(self) -> Ending:
        """Waits until the program has ended and its remaining output has been read."""

    async def freeze(self) -> bool:
        """Stops the program, and everything it has started, until `thaw`: nothing of it runs.
        Returns False if that is not possible here."""

    async def thaw(self) -> None:
        """Lets the program go on. Harmless if it is not frozen."""

    @property
    def memory_bytes(self) -> int:
        """The memory in use; its limit, if that is not known."""

    async def kill(self) -> None:
        """Ends the program, and waits until nothing of it is left. Harmless if it has ended."""


class Runner(Protocol):
    """A way to run a bot's program."""

    async def start(self, output: Output, watcher: Watcher) -> Instance:
        """Starts the program; its output is added to `output`. Raises ArenaFailure."""
