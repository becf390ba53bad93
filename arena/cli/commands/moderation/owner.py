"""`arena owner`: bans, readmits, renames and deletes owners, and hands bots over."""

from __future__ import annotations

from shlex import quote
from typing import Annotated

import typer

from arena.cli.arguments import BotArgument
from arena.cli.asking import Answer, AskedArena, asks_arena
from arena.cli.output import moment, stderr, stdout, table
from arena.foreign_text import visible
from arena.operations.owners import (
    ban_owner,
    delete_owner,
    hand_over_bot,
    list_bans,
    readmit_owner,
    rename_owner,
)
from arena.views.bot import OwnedBots

app = typer.Typer()

OwnerArgument = Annotated[str, typer.Argument(metavar="OWNER", help="The owner's name.")]


@app.command("ban")
@asks_arena
def ban(
    arena: AskedArena,
    owner: OwnerArgument,
    reason: Annotated[str, typer.Option(help="The reason in a sentence, for everybody.")],
) -> Answer:
    """Ban an owner: their bots leave ladders and tournaments, their tokens end.

    Submissions are refused with the reason. Matches that were played stay, unless they are declared
    void (`arena void`).

    Examples:
        arena owner ban Ann --reason "Two names, one contestant."
    """
    banned = arena.ask(ban_owner, owner, reason)
    yield banned
    stderr.say(
        f"{banned.ban.owner} is banned: {banned.versions} versions are retired,"
        f" {banned.tokens} tokens revoked."
    )


@app.command("readmit")
@asks_arena
def readmit(
    arena: AskedArena,
    owner: OwnerArgument,
) -> Answer:
    """Let a banned owner take part again.

    Their tokens stay revoked and their versions retired: create a new token, by which they submit
    their bots again.

    Examples:
        arena owner readmit Ann
    """
    readmitted = arena.ask(readmit_owner, owner)
    yield readmitted
    stderr.say(
        f"{readmitted.owner} may take part again, with a new token: arena token create --role"
        f" owner --owner {quote(readmitted.owner)}"
    )


@app.command("rename")
@asks_arena
def rename(
    arena: AskedArena,
    owner: OwnerArgument,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The new name.")],
) -> Answer:
    """Give an owner another name: bots, comparisons and tokens go with it.

    Tournaments and the audit log keep the name that was theirs at the time.

    Examples:
        arena owner rename Ann "Ann Lee"
    """
    found = arena.ask(rename_owner, owner, name)
    yield found
    stderr.say(f"{owner} is {found.owner} now, with {_bots(found)}.")


@app.command("delete")
@asks_arena
def delete(
    arena: AskedArena,
    owner: OwnerArgument,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")] = False,
) -> Answer:
    """Delete an owner's data for good: bots with files and private logs, and tokens.

    Their matches stay, with the bots' names.

    Examples:
        arena owner delete Ann
    """
    if not yes:
        question = f"Delete {visible(owner)} and all their bots for good?"
        typer.confirm(question, abort=True, err=True)
    deleted = arena.ask(delete_owner, owner)
    yield deleted
    stderr.say(f"{deleted.owner} is deleted, with {deleted.bots} bots and {deleted.tokens} tokens.")


@app.command("hand-over")
@asks_arena
def hand_over(
    arena: AskedArena,
    bot: BotArgument,
    owner: Annotated[str, typer.Argument(metavar="OWNER", help="The new owner's name.")],
) -> Answer:
    """Hand a bot over to another owner, with all its versions, logs and ratings.

    The token of a remote bot ends: its new owner registers it again.

    Examples:
        arena owner hand-over my-bot Bob
    """
    found = arena.ask(hand_over_bot, bot, owner)
    yield found
    stderr.say(f"{bot} belongs to {found.owner} now, who has {_bots(found)}.")


def _bots(owned: OwnedBots) -> str:
    return "1 bot" if len(owned.bots) == 1 else f"{len(owned.bots)} bots"


@app.command("bans")
@asks_arena
def bans(arena: AskedArena) -> Answer:
    """List the banned owners.

    Examples:
        arena owner bans
    """
    found = arena.ask(list_bans)
    yield found
    if found.bans:
        rows = [(one.owner, moment(one.created_at), one.reason) for one in found.bans]
        stdout.print(table(("owner", "since (UTC)", "reason"), rows))
    else:
        stdout.print("Nobody is banned.")
