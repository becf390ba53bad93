"""`arena ladder enter|leave|pause|resume|delete`: changes a ladder."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from arena.cli import completion
from arena.cli.commands.entering import found_bots, versions_to_enter
from arena.cli.options import DEFAULT_DATA, DataOption, ServerOption
from arena.cli.output import stderr
from arena.client.arena import arena_at
from arena.operations.competitions.ladders import (
    LadderState,
    change_ladder,
    delete_ladder,
    enter_ladder,
    leave_ladder,
    read_ladder,
)
from arena.store.schema import CompetitionState
from arena.views.ladders.ladder import Ladder

Name = Annotated[
    str,
    typer.Argument(metavar="NAME", help="The ladder's name.", autocompletion=completion.ladders),
]


def enter(
    name: Name,
    bots: Annotated[
        list[str],
        typer.Argument(
            metavar="BOT...",
            help="Folders, .py files, image:REF, or names of bots in the arena.",
            autocompletion=completion.runnable_bots,
        ),
    ],
    server: ServerOption = "",
    data: DataOption = DEFAULT_DATA,
) -> None:
    """Enter bots into a ladder, or let them back in.

    The files of the bots are copied into the data folder.

    Examples:
        arena ladder enter xeri my-bot other.py
    """
    with arena_at(server, data) as arena:
        game = arena.ask(read_ladder, name).game
        entrants = versions_to_enter(arena, found_bots(arena, game, bots, server, data), data)
        arena.ask(enter_ladder, name, entrants)
    entered = ", ".join(one.bot for one in entrants)
    stderr.say(f"Entered into the ladder {name}: {entered}.")


def leave(
    name: Name,
    bots: Annotated[
        list[str],
        typer.Argument(
            metavar="BOT...",
            help="Names of bots, as `arena ratings` prints them.",
            autocompletion=completion.bots,
        ),
    ],
    server: ServerOption = "",
    data: DataOption = DEFAULT_DATA,
) -> None:
    """Take bots off a ladder, in all their versions.

    Their matches stay.

    Examples:
        arena ladder leave xeri my-bot
    """
    with arena_at(server, data) as arena:
        for bot in bots:
            left = arena.ask(leave_ladder, name, bot)
    _say_obstacle(left)


def pause(name: Name, server: ServerOption = "", data: DataOption = DEFAULT_DATA) -> None:
    """Pause a ladder: no new matches until it is resumed.

    Examples:
        arena ladder pause xeri
    """
    _set_state(name, CompetitionState.PAUSED, server, data)


def resume(name: Name, server: ServerOption = "", data: DataOption = DEFAULT_DATA) -> None:
    """Resume a paused ladder.

    Examples:
        arena ladder resume xeri
    """
    _set_state(name, CompetitionState.RUNNING, server, data)


def delete(name: Name, server: ServerOption = "", data: DataOption = DEFAULT_DATA) -> None:
    """Delete a ladder on which nothing has been played.

    Examples:
        arena ladder delete xeri
    """
    with arena_at(server, data) as arena:
        arena.ask(delete_ladder, name)


def _set_state(name: str, state: LadderState, server: str, data: Path) -> None:
    with arena_at(server, data) as arena:
        _say_obstacle(arena.ask(change_ladder, name, state))


def _say_obstacle(ladder: Ladder) -> None:
    if ladder.obstacle:
        stderr.say(ladder.obstacle)
