"""`arena bot list|retire|readmit|delete`: manages the bots of an arena."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from arena.cli import completion
from arena.cli.options import DEFAULT_DATA, DataOption, ServerOption
from arena.cli.output import JsonOption, print_json, stderr, stdout, table
from arena.client import arena_at
from arena.foreign_text import visible
from arena.server import ENTRY_STATES, STATES
from sevens.league.v1.version_pb2 import (
    DeleteBotRequest,
    ListVersionsRequest,
    ReadmitVersionRequest,
    RetireVersionRequest,
    Version,
)

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

STATE_NAMES = {number: str(state) for state, number in STATES.items()}
ENTRY_STATE_NAMES = {number: str(state) for state, number in ENTRY_STATES.items()}


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
        request = ListVersionsRequest(bot=bot, owner=owner)
        found = arena.call("ListVersions", request).versions
    if as_json:
        print_json({"versions": [_version(version) for version in found]})
        return
    columns = ("bot", "version", "owner", "digest", "state", "ladders")
    rows = [
        (row.bot, row.number, row.owner, row.digest[:12], STATE_NAMES[row.state], _ladders(row))
        for row in found
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
    request = RetireVersionRequest(bot=bot, number=number)
    with arena_at(server, data) as arena:
        version = arena.call("RetireVersion", request).version
    _report(version, f"{bot} version {number} is retired.", as_json=as_json)


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
    request = ReadmitVersionRequest(bot=bot, number=number, ladder=ladder)
    with arena_at(server, data) as arena:
        version = arena.call("ReadmitVersion", request).version
    sentence = (
        f"{bot} version {number} plays on {ladder} again; its earlier faults no longer count."
    )
    _report(version, sentence, as_json=as_json)


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
        count = arena.call("DeleteBot", DeleteBotRequest(bot=bot)).versions
    if as_json:
        print_json({"bot": bot, "versions": count})
    else:
        stderr.say(f"{bot} and its versions ({count}) are deleted.")


def _report(version: Version, sentence: str, *, as_json: bool) -> None:
    if as_json:
        print_json({"version": _version(version)})
    else:
        stderr.say(sentence)


def _ladders(version: Version) -> str:
    return ", ".join(
        f"{entry.ladder} ({ENTRY_STATE_NAMES[entry.state]})" for entry in version.entries
    )


def _version(version: Version) -> dict[str, Any]:
    return {
        "bot": version.bot,
        "number": version.number,
        "version": version.digest,
        "owner": version.owner,
        "state": STATE_NAMES[version.state],
        "ladders": [
            {"ladder": entry.ladder, "state": ENTRY_STATE_NAMES[entry.state]}
            for entry in version.entries
        ],
        "created_at": version.created_at.ToJsonString(),
    }
