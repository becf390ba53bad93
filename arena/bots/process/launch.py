"""The description of a bot process to start: argv, environment, folder."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol


class Files(Protocol):
    """Files that exist for one process after another. Both methods block."""

    def lay_out(self) -> None:
        """Creates them for a process that is about to start. Raises ArenaFailure."""

    def remove(self) -> None:
        """Removes them, once the process has ended. Harmless if there are none."""


@dataclass(frozen=True)
class Launch:
    """A process to start.

    `argv`: returns program and arguments, given two file descriptors that the process inherits. To
    the first, a socket, the process writes how the bot ended (`{"exit-code": 1}`; nothing if the
    bot never ran). From the second it can read `file`.
    `environment`: the complete environment.
    `folder`: the working directory.
    `own_processes`: how many processes of the arena's own run below the process.
    `file`: the contents of that file.
    `inherits`: other file descriptors that the process inherits.
    `own_files`: files that are created again for each process.
    `own_places`: file systems that are the process's own, by the paths that it sees.
    """

    argv: Callable[[int, int], list[str]]
    environment: Mapping[str, str]
    folder: Path
    own_processes: int
    file: bytes = b""
    inherits: tuple[int, ...] = ()
    own_files: Files | None = None
    own_places: tuple[str, ...] = ()
