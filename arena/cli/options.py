"""Arguments that several commands share, and how they are read."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from arena.bots.source.program import Source, UnknownBot, find_bot
from arena.client.errors import CommandError
from arena.games.engine.game import GameOf
from arena.games.engine.options import OptionValue

DEFAULT_DATA = Path("arena-data")
SERVER = "ARENA_SERVER"


def _unless_data_is_typed(context: typer.Context, server: str) -> str:
    """The command line wins over the environment: a `--data` that was typed turns ARENA_SERVER
    off. (Typer reads typed options first.)"""
    sources = {one: context.get_parameter_source(one) for one in ("server", "data")}
    names = {one: source.name for one, source in sources.items() if source is not None}
    return "" if names == {"server": "ENVIRONMENT", "data": "COMMANDLINE"} else server


ServerOption = Annotated[
    str,
    typer.Option(
        "--server",
        envvar=SERVER,
        callback=_unless_data_is_typed,
        help="The server, HOST:PORT; https:// requires TLS.",
    ),
]

DataOption = Annotated[
    Path, typer.Option("--data", envvar="ARENA_DATA", help="The data folder.", show_default=True)
]
SetOption = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="An option of the game; may be repeated."),
]
BankOption = Annotated[
    int, typer.Option("--bank-ms", min=0, max=86_400_000, help="A seat's time a match, in ms.")
]
IncrementOption = Annotated[
    int, typer.Option("--increment-ms", min=0, max=3_600_000, help="What a decision adds, in ms.")
]


def hint(command: str, data: Path, server: str = "") -> str:
    """The command, as it is to be typed for this server or, without one, for this data folder."""
    usual = os.environ.get(SERVER, "")
    if server:
        return command if server == usual else f"{command} --server {server}"
    if data == DEFAULT_DATA and not usual:
        return command
    return f"{command} --data {shlex.quote(str(data))}"


def parsed_options(game: GameOf, settings: Sequence[str] | None) -> dict[str, OptionValue]:
    """The options that `--set` gives, by the types that the game declares."""
    options: dict[str, OptionValue] = {}
    for setting in settings or ():
        name, equals, text = setting.partition("=")
        if not equals:
            raise CommandError(f"--set takes NAME=VALUE, not {setting!r}.", "set")
        if name not in game.options:
            existing = ", ".join(game.options) or "none"
            raise CommandError(
                f"{game.title} has no option {name!r}; its options: {existing}.", "set"
            )
        try:
            options[name] = game.options[name].parse(text)
        except ValueError as error:
            raise CommandError(str(error), "set") from None
    return options


def found_bot(reference: str) -> Source:
    """The bot that a reference names."""
    try:
        return find_bot(reference)
    except UnknownBot as error:
        raise CommandError(str(error), "bot") from None


def check_plays(source: Source, game: GameOf) -> None:
    """Makes sure that the bot's manifest has the game."""
    if source.games and game.slug not in source.games:
        raise CommandError(
            f"{source.name} does not play {game.slug}, but {', '.join(source.games)}.",
            "bot",
        )
