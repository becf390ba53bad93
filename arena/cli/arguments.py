"""Arguments that several commands take."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.cli import completion

GameArgument = Annotated[
    str, typer.Argument(metavar="GAME", help="The game's slug.", autocompletion=completion.games)
]
BotArgument = Annotated[
    str, typer.Argument(metavar="BOT", help="The bot's name.", autocompletion=completion.bots)
]
LadderArgument = Annotated[
    str,
    typer.Argument(metavar="NAME", help="The ladder's name.", autocompletion=completion.ladders),
]
TournamentArgument = Annotated[
    str,
    typer.Argument(
        metavar="NAME", help="The tournament's name.", autocompletion=completion.tournaments
    ),
]
ComparisonArgument = Annotated[
    str,
    typer.Argument(
        metavar="NAME", help="The comparison's name.", autocompletion=completion.comparisons
    ),
]
BotsToEnter = Annotated[
    list[str],
    typer.Argument(
        metavar="BOT...",
        help="Folders, .py files, image:REF, or names of bots in the arena.",
        autocompletion=completion.runnable_bots,
    ),
]
