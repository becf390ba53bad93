"""Commands that ask an arena: one that runs at an address, or that of a data folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from inspect import Parameter, signature
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from arena.cli.options import DEFAULT_DATA, DataOption, ServerOption, hint
from arena.cli.output import JsonOption, print_view
from arena.client.arena import Arena, arena_at
from arena.store.data_folder import DataFolder

if TYPE_CHECKING:
    from arena.views.view import View  # pydantic takes long to load

Answer: TypeAlias = "Iterator[View]"

OPTIONS = (
    ("server", ServerOption, ""),
    ("data", DataOption, DEFAULT_DATA),
    ("as_json", JsonOption, False),
)


class AskedArena:
    """The arena that a command's options name.

    `server`: its address; empty for that of the data folder.
    """

    def __init__(self, arena: Arena, server: str, data: Path) -> None:
        self.ask = arena.ask
        self.server = server
        self.folder = DataFolder(data)

    @property
    def is_running(self) -> bool:
        return bool(self.server) or self.folder.holder() is not None

    def hint(self, command: str) -> str:
        """Returns a command as the user should type it for this arena."""
        return hint(command, self.folder.path, self.server)


@contextmanager
def asked_arena(server: str, data: Path) -> Iterator[AskedArena]:
    """Opens the arena that these options name. Raises ArenaError."""
    with arena_at(server, data) as arena:
        yield AskedArena(arena, server, data)


def asks_arena(command: Callable[..., Answer]) -> Callable[..., None]:
    """Gives a command the options of an arena and `--json`.

    `command`: asks the arena, its first argument, yields the view that answers, and then prints it
    for people. With `--json` that view is the whole output.
    """

    @wraps(command)
    def run(server: str, data: Path, as_json: bool, **given: Any) -> None:
        with asked_arena(server, data) as arena:
            telling = command(arena, **given)
            answer = next(telling)
            if as_json:
                print_view(answer)
            else:
                next(telling, None)

    of_command = signature(command, eval_str=True)
    _, *own = of_command.parameters.values()
    shared = [
        Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=kind)
        for name, kind, default in OPTIONS
    ]
    vars(run)["__signature__"] = of_command.replace(parameters=[*own, *shared])
    run.__annotations__ = {one.name: one.annotation for one in (*own, *shared)}
    return run
