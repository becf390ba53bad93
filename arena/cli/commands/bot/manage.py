"""`arena bot list|retire|readmit|delete`: manages the bots of an arena."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.cli import completion
from arena.cli.options import DEFAULT_DATA, DataOption, ServerOption
from arena.cli.output import JsonOption, print_view, stderr, stdout, table
from arena.client.arena import arena_at
from arena.foreign_text import visible
from arena.operations import versions as operations
from arena.operations.versions import delete_bot, readmit_version, retire_version
from arena.views.version import OneVersion, Version

BotArgument = Annotated[
    str, typer.Argument(metavar="BOT", help="The bot's name.", autocompletion=completion.bots)
]
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


def list_versions(
    bot: OneBotArgument = "",
    owner: OwnerOption = "",
    server: ServerOption = "",
    data: DataOption = DEFAULT_DATA,
    as_json: JsonOption = False,
) -> None:
    """List the versions of bots and the ladders they are on.

    Examples:
        arena bot list
        arena bot list my-bot --json
    """
    with arena_at(server, data) as arena:
        found = arena.ask(operations.list_versions, bot=bot, owner=owner)
    if as_json:
        print_view(found)
        return
    columns = ("bot", "version", "owner", "digest", "state", "ladders")
    rows = [
        (row.bot, row.number, row.owner, row.version[:12], row.state, _ladders(row))
        for row in found.versions
    ]
    stdout.print(table(columns, rows) if rows else "There are no such bots yet.")


def retire(
    bot: BotArgument,
    number: NumberArgument,
    server: ServerOption = "",
    data: DataOption = DEFAULT_DATA,
    as_json: JsonOption = False,
) -> None:
    """Take a version off all ladders.

    Nothing is deleted; submit it again to bring it back.

    Examples:
        arena bot retire my-bot 3
    """
    with arena_at(server, data) as arena:
        changed = arena.ask(retire_version, bot, number)
    _report(changed, f"{bot} version {number} is retired.", as_json=as_json)


def readmit(
    bot: BotArgument,
    number: NumberArgument,
    ladder: Annotated[
        str,
        typer.Option(
            help="The ladder from which it is suspended.", autocompletion=completion.ladders
        ),
    ],
    server: ServerOption = "",
    data: DataOption = DEFAULT_DATA,
    as_json: JsonOption = False,
) -> None:
    """Let a version that was suspended for its faults play again.

    Only organisers may do this.

    Examples:
        arena bot readmit my-bot 3 --ladder xeri
    """
    with arena_at(server, data) as arena:
        changed = arena.ask(readmit_version, bot, number, ladder)
    sentence = (
        f"{bot} version {number} plays on {ladder} again; its earlier faults no longer count."
    )
    _report(changed, sentence, as_json=as_json)


def delete(
    bot: BotArgument,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")] = False,
    server: ServerOption = "",
    data: DataOption = DEFAULT_DATA,
    as_json: JsonOption = False,
) -> None:
    """Delete a bot for good.

    Deletes its files, its private logs and its owner's name. Its matches stay.

    Examples:
        arena bot delete my-bot
    """
    if not yes:
        question = f"Delete {visible(bot)} for good? Its name can never be used again."
        typer.confirm(question, abort=True, err=True)
    with arena_at(server, data) as arena:
        deleted = arena.ask(delete_bot, bot)
    if as_json:
        print_view(deleted)
    else:
        stderr.say(f"{bot} and its versions ({deleted.versions}) are deleted.")


def _report(changed: OneVersion, sentence: str, *, as_json: bool) -> None:
    if as_json:
        print_view(changed)
    else:
        stderr.say(sentence)


def _ladders(version: Version) -> str:
    return ", ".join(f"{entry.ladder} ({entry.state})" for entry in version.ladders)
