"""`arena bot new`: begins a bot, in a folder of its own that builds and plays at once."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from arena.cli.commands.bot.languages import LANGUAGES
from arena.cli.commands.bot.starter_folder import make_folder
from arena.cli.errors import CommandError, Exit
from arena.cli.output import JsonOption, print_json, stdout

# A manifest's name, a little narrower: some languages have no names that begin with a digit.
NAME = re.compile(r"[a-z][a-z0-9-]{0,39}")


def new(
    name: Annotated[str, typer.Argument(help="The bot's name, and its folder's.")],
    language: Annotated[str, typer.Option(help=f"One of {', '.join(LANGUAGES)}.")],
    as_json: JsonOption = False,
) -> int:
    """Create a bot that builds and plays at once."""
    if language not in LANGUAGES:
        raise CommandError(
            f"There is no SDK for {language!r}; the languages are {', '.join(LANGUAGES)}. A bot in"
            " another one speaks the protocol itself: see docs/writing-an-sdk.md.",
            "language",
        )
    if not NAME.fullmatch(name):
        raise CommandError(
            f"{name!r} cannot be a bot's name: at most 40 lower-case letters, digits and hyphens,"
            " beginning with a letter, such as my-bot.",
            "name",
        )
    folder = Path(name)
    try:
        make_folder(folder, name, LANGUAGES[language])
    except FileExistsError:
        raise CommandError(f"{name} exists already; choose another name.", "name") from None
    except OSError as error:
        raise CommandError(f"The folder {name} cannot be made: {error}.", "name") from None
    if as_json:
        print_json({"bot": name, "language": language, "folder": str(folder.resolve())})
    else:
        _tell(name, language)
    return Exit.DONE


def _tell(name: str, language: str) -> None:
    source = LANGUAGES[language].files[0]
    stdout.print(f"{name}/ is a bot in {LANGUAGES[language].title}. Next:", markup=False)
    stdout.print(f"    make -C {name}")
    stdout.print(f"    arena play xeri {name} builtin:random -n 20")
    stdout.print(f"Then change {name}/{source}; {name}/README.md tells what and how.")
