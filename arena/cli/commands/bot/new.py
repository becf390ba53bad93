"""`arena bot new`: creates the folder of a new bot."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from arena.cli.commands.bot.languages import LANGUAGES
from arena.cli.commands.bot.starter_folder import fill_folder
from arena.cli.new_folder import new_folder
from arena.cli.output import JsonOption, print_json, stdout
from arena.errors import ArenaError, Exit, Kind
from arena.nearest import no_such

# Narrower than a manifest's name: in some languages names cannot begin with a digit.
NAME = re.compile(r"[a-z][a-z0-9-]{0,39}")


def _languages(incomplete: str) -> list[str]:
    return [language for language in LANGUAGES if language.startswith(incomplete)]


def new(
    name: Annotated[str, typer.Argument(help="Name of the bot and of its folder.")],
    language: Annotated[
        str, typer.Option(help=f"One of {', '.join(LANGUAGES)}.", autocompletion=_languages)
    ],
    as_json: JsonOption = False,
) -> int:
    """Create a bot that builds and plays at once.

    Examples:
        arena bot new my-bot --language python
        arena bot new my-bot --language rust
    """
    if language not in LANGUAGES:
        raise ArenaError(
            Kind.WRONG_INPUT,
            f"{no_such('SDK for', language, LANGUAGES)} A bot in another language must implement"
            " the protocol: see docs/writing-an-sdk.md.",
            "language",
        )
    if not NAME.fullmatch(name):
        raise ArenaError(
            Kind.WRONG_INPUT,
            f"{name!r} cannot be a bot's name: use at most 40 lower-case letters, digits and"
            " hyphens, beginning with a letter, such as my-bot.",
            "name",
        )
    with new_folder(name) as folder:
        fill_folder(folder, name, LANGUAGES[language])
    if as_json:
        print_json({"bot": name, "language": language, "folder": str(Path(name).resolve())})
    else:
        _print_next_steps(name, language)
    return Exit.DONE


def _print_next_steps(name: str, language: str) -> None:
    source = LANGUAGES[language].files[0]
    stdout.print(f"{name}/ is a bot in {LANGUAGES[language].title}. Next:")
    stdout.print(f"    make -C {name}")
    stdout.print(f"    arena play xeri {name} builtin:random -n 20")
    stdout.print(f"Then change {name}/{source}; {name}/README.md explains how.")
