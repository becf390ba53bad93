"""`arena ladder enter|leave|pause|resume|delete`: changes a ladder that no arena is running."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from sqlalchemy.orm import Session

from arena.cli import completion
from arena.cli.commands.entering import bot_to_enter, check_different, enter_bots
from arena.cli.options import DEFAULT_DATA, DataOption, hint
from arena.cli.output import stderr
from arena.client.folder_access import changing
from arena.errors import ArenaError, Kind
from arena.games import load
from arena.league import delete_ladder, obstacle, withdraw
from arena.league import enter as enter_ladder
from arena.nearest import no_such
from arena.store.data_folder import DataFolder
from arena.store.queries import ladder_named
from arena.store.schema import CompetitionState, EntryState
from arena.store.session import Store
from arena.views.ladders.standing import Standing, standings

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
            help="Folders, .py files or image:REF.",
            autocompletion=completion.runnable_bots,
        ),
    ],
    data: DataOption = DEFAULT_DATA,
) -> None:
    """Enter bots into a ladder, or let them back in.

    The files of the bots are copied into the data folder.

    Examples:
        arena ladder enter xeri my-bot other.py
    """
    with _changing(data) as store:
        with store.reading() as session:
            ladder = ladder_named(session, name)
        entrants = [bot_to_enter(reference, load(ladder.game)) for reference in bots]
        check_different(entrants)
        enter_bots(
            store,
            DataFolder(data),
            entrants,
            lambda session, version: enter_ladder(session, ladder, version.digest),
        )
    entered = ", ".join(bot.name for bot in entrants)
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
    data: DataOption = DEFAULT_DATA,
) -> None:
    """Take bots off a ladder, in all their versions.

    Their matches stay.

    Examples:
        arena ladder leave xeri my-bot
    """
    with _changing(data) as store, store.writing() as session:
        ladder = ladder_named(session, name)
        entries = [one for one in standings(session, name) if one.state == EntryState.ACTIVE]
        for bot in bots:
            for entry in _entries_of(bot, entries, name):
                withdraw(session, ladder, entry.version)
        session.flush()
        _print_obstacle(session, name)


def pause(name: Name, data: DataOption = DEFAULT_DATA) -> None:
    """Pause a ladder: no new matches until it is resumed.

    Examples:
        arena ladder pause xeri
    """
    _set_state(name, CompetitionState.PAUSED, data)


def resume(name: Name, data: DataOption = DEFAULT_DATA) -> None:
    """Resume a paused ladder.

    Examples:
        arena ladder resume xeri
    """
    _set_state(name, CompetitionState.RUNNING, data)


def delete(name: Name, data: DataOption = DEFAULT_DATA) -> None:
    """Delete a ladder on which nothing has been played.

    Examples:
        arena ladder delete xeri
    """
    with _changing(data) as store, store.writing() as session:
        ladder = ladder_named(session, name)
        try:
            delete_ladder(session, ladder)
        except ArenaError as error:
            instead = hint(f"arena ladder pause {name}", data)
            sentence = f"{error.sentence} Pause it instead: {instead}"
            raise ArenaError(error.kind, sentence, error.field) from None


@contextmanager
def _changing(data: Path) -> Iterator[Store]:
    """Opens the store of an existing arena to change it. Raises ArenaError."""
    folder = DataFolder(data)
    if not folder.has_store():
        raise ArenaError(
            Kind.WRONG_INPUT,
            f"There is no arena in {data}: give its data folder with --data.",
            "data",
        )
    with changing(folder, "name") as store:
        yield store


def _set_state(name: str, state: CompetitionState, data: Path) -> None:
    with _changing(data) as store, store.writing() as session:
        ladder_named(session, name).state = state
        session.flush()
        _print_obstacle(session, name)


def _print_obstacle(session: Session, name: str) -> None:
    session.expire_all()
    if why_not := obstacle(session, ladder_named(session, name)):
        stderr.say(why_not)


def _entries_of(bot: str, entries: list[Standing], ladder: str) -> list[Standing]:
    found = [entry for entry in entries if entry.bot == bot]
    if not found:
        names = sorted({entry.bot for entry in entries})
        raise ArenaError(
            Kind.WRONG_INPUT, no_such("bot", bot, names, f"on the ladder {ladder}"), "bot"
        )
    return found
