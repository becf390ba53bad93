"""An arena, running or not, which commands ask."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import ParamSpec, Protocol, TypeVar

from arena.client.folder_access import opened_to_change, opened_to_read
from arena.operations.caller import LOCAL_CALLER
from arena.operations.operation import Operation
from arena.store.data_folder import DataFolder
from arena.store.open import check_there

CREATING = ("create_", "add_")
"""The beginnings of the names of operations that make an arena where there is none."""

Given = ParamSpec("Given")
Answer = TypeVar("Answer")


class Arena(Protocol):
    """Whatever can be asked: an `HttpArena` or a `FolderArena`."""

    def ask(
        self,
        operation: Operation[Given, Answer],
        *positional: Given.args,
        **named: Given.kwargs,
    ) -> Answer:
        """Asks for an operation, and returns its answer. Raises ArenaError."""


class FolderArena:
    """The arena of a data folder, asked in the role of its organiser.

    Reads go to the store. Changes go to the door of the arena that runs on the folder; if none
    does, they are made here, and hold the folder meanwhile.
    """

    def __init__(self, folder: DataFolder) -> None:
        self._folder = folder

    def ask(
        self,
        operation: Operation[Given, Answer],
        *positional: Given.args,
        **named: Given.kwargs,
    ) -> Answer:
        """Asks for an operation, and returns its answer. Raises ArenaError."""
        arguments = operation.arguments(*positional, **named)
        if not operation.changes:
            with opened_to_read(self._folder.path) as store:
                return operation.run(LOCAL_CALLER, self._folder, store, arguments)
        if door := self._folder.door():
            from arena.client.http_arena import connected  # which takes long to load

            with connected(door) as arena:
                return arena.ask(operation, *positional, **named)
        if not operation.name.startswith(CREATING):
            check_there(self._folder)
        with opened_to_change(self._folder) as store:
            return operation.run(LOCAL_CALLER, self._folder, store, arguments)


@contextmanager
def arena_at(server: str, data: Path) -> Iterator[Arena]:
    """Opens the arena at an address if one is named, else of a data folder. Raises ArenaError."""
    if server:
        from arena.client.http_arena import connected  # which takes long to load

        with connected(server) as arena:
            yield arena
    else:
        yield FolderArena(DataFolder(data))
