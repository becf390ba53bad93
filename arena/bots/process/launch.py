"""How a bot's process is started: with which words, in which environment, apart from what."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path


class Isolation(StrEnum):
    """What keeps a bot's process from the rest of the machine; the values of `--sandbox`."""

    BUBBLEWRAP = "bubblewrap"
    NONE = "none"


@dataclass(frozen=True)
class Access:
    """What a bot needs to reach the arena. `folder`: that of the bot's own socket, on the host.
    `matches_at_once`: how many matches it is offered; None leaves that to the bot."""

    folder: Path
    token: str
    matches_at_once: int | None

    def environment(self, address: str) -> dict[str, str]:
        environment = {"ARENA_ADDRESS": address, "ARENA_TOKEN": self.token}
        if self.matches_at_once is not None:
            environment["ARENA_MATCHES_AT_ONCE"] = str(self.matches_at_once)
        return environment


@dataclass(frozen=True)
class Launch:
    """A process to be started.

    `words`: program and arguments, made for the numbers of a socket and of a file that the process
    inherits. To the socket it writes how the bot ended (`{"exit-code": 1}`; nothing if it never
    ran). In the file there is `file`.
    `environment`: the whole of it. `folder`: where to start it. `own_processes`: how many the
    arena's own means take below the process started. `inherits`: other file descriptors that it
    gets.
    """

    words: Callable[[int, int], list[str]]
    environment: Mapping[str, str]
    folder: Path
    own_processes: int
    file: bytes = b""
    inherits: tuple[int, ...] = ()
