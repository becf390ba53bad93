"""`arena owner`: bans owners, and lets them take part again."""

from __future__ import annotations

from shlex import quote
from typing import Annotated

import typer

from arena.cli.options import DEFAULT_DATA, DataOption, ServerOption
from arena.cli.output import JsonOption, print_view, stderr, stdout, table
from arena.client.arena import arena_at
from arena.operations.owners import ban_owner, list_bans, readmit_owner

app = typer.Typer(help="Ban owners, and let them take part again.")

OwnerArgument = Annotated[str, typer.Argument(metavar="OWNER", help="The owner's name.")]


@app.command("ban")
def ban(
    owner: OwnerArgument,
    reason: Annotated[str, typer.Option(help="The reason in a sentence, for everybody.")],
    server: ServerOption = "",
    data: DataOption = DEFAULT_DATA,
    as_json: JsonOption = False,
) -> None:
    """Ban an owner: their bots leave ladders and tournaments, their tokens end.

    Submissions are refused with the reason. Matches that were played stay, unless they are declared
    void (`arena void`).

    Examples:
        arena owner ban Ann --reason "Two names, one contestant."
    """
    with arena_at(server, data) as arena:
        banned = arena.ask(ban_owner, owner, reason)
    if as_json:
        print_view(banned)
    else:
        stderr.say(
            f"{banned.ban.owner} is banned: {banned.versions} versions are retired,"
            f" {banned.tokens} tokens revoked."
        )


@app.command("readmit")
def readmit(
    owner: OwnerArgument,
    server: ServerOption = "",
    data: DataOption = DEFAULT_DATA,
    as_json: JsonOption = False,
) -> None:
    """Let a banned owner take part again.

    Their tokens stay revoked and their versions retired: create a new token, by which they submit
    their bots again.

    Examples:
        arena owner readmit Ann
    """
    with arena_at(server, data) as arena:
        readmitted = arena.ask(readmit_owner, owner)
    if as_json:
        print_view(readmitted)
    else:
        stderr.say(
            f"{readmitted.owner} may take part again, with a new token: arena token create --role"
            f" owner --owner {quote(readmitted.owner)}"
        )


@app.command("bans")
def bans(
    server: ServerOption = "", data: DataOption = DEFAULT_DATA, as_json: JsonOption = False
) -> None:
    """List the banned owners.

    Examples:
        arena owner bans
    """
    with arena_at(server, data) as arena:
        found = arena.ask(list_bans)
    if as_json:
        print_view(found)
    elif found.bans:
        rows = [(one.owner, f"{one.created_at:%Y-%m-%d %H:%M}", one.reason) for one in found.bans]
        stdout.print(table(("owner", "since", "reason"), rows))
    else:
        stdout.print("Nobody is banned.")
