"""`arena bot list|retire|readmit|delete`: manages the bots of an arena."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.cli import completion
from arena.cli.arguments import BotArgument
from arena.cli.asking import Answer, AskedArena, asks_arena
from arena.cli.output import stderr, stdout, table
from arena.foreign_text import visible
from arena.operations import versions as operations
from arena.operations.versions import delete_bot, readmit_version, retire_version
from arena.views.version import Version

OneBotArgument = Annotated[
    str,
    typer.Argument(
        metavar="[BOT]", help="Only this bot.", show_default=False, autocompletion=completion.bots
    ),
]
NumberArgument = Annotated[
    int, typer.Argument(metavar="NUMBER", min=1, help="The version's number.")
]
OwnerOption = Annotated[str, typer.Option(help="Only this owner's bots.")]


@asks_arena
def list_versions(
    arena: AskedArena,
    bot: OneBotArgument = "",
    owner: OwnerOption = "",
) -> Answer:
    """List the versions of bots and the ladders they are on.

    Examples:
        arena bot list
        arena bot list my-bot --json
    """
    found = arena.ask(operations.list_versions, bot=bot, owner=owner)
    yield found
    columns = ("bot", "version", "owner", "digest", "state", "ladders")
    rows = [
        (row.bot, row.number, row.owner, row.version[:12], row.state, _ladders(row))
        for row in found.versions
    ]
    stdout.print(table(columns, rows) if rows else "There are no such bots yet.")


@asks_arena
def retire(
    arena: AskedArena,
    bot: BotArgument,
    number: NumberArgument,
) -> Answer:
    """Take a version off all ladders.

    Nothing is deleted; submit it again to bring it back.

    Examples:
        arena bot retire my-bot 3
    """
    yield arena.ask(retire_version, bot, number)
    stderr.say(f"{bot} version {number} is retired.")


@asks_arena
def readmit(
    arena: AskedArena,
    bot: BotArgument,
    number: NumberArgument,
    ladder: Annotated[
        str,
        typer.Option(
            help="The ladder from which it is suspended.", autocompletion=completion.ladders
        ),
    ],
) -> Answer:
    """Let a version that was suspended for its faults play again.

    Only organisers may do this.

    Examples:
        arena bot readmit my-bot 3 --ladder xeri
    """
    yield arena.ask(readmit_version, bot, number, ladder)
    stderr.say(
        f"{bot} version {number} plays on {ladder} again; its earlier faults no longer count."
    )


@asks_arena
def delete(
    arena: AskedArena,
    bot: BotArgument,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")] = False,
) -> Answer:
    """Delete a bot for good.

    Deletes its files, its private logs and its owner's name. Its matches stay.

    Examples:
        arena bot delete my-bot
    """
    if not yes:
        question = f"Delete {visible(bot)} for good? Its name can never be used again."
        typer.confirm(question, abort=True, err=True)
    deleted = arena.ask(delete_bot, bot)
    yield deleted
    stderr.say(f"{bot} and its versions ({deleted.versions}) are deleted.")


def _ladders(version: Version) -> str:
    return ", ".join(f"{entry.ladder} ({entry.state})" for entry in version.ladders)
