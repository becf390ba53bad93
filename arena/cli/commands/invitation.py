"""`arena invitation` and `arena join`: codes by which people create their own tokens."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.cli.asking import Answer, AskedArena, asks_arena
from arena.cli.output import moment, stderr, stdout, table
from arena.operations import tokens

app = typer.Typer()


@app.command("create")
@asks_arena
def create(
    arena: AskedArena,
    uses: Annotated[int, typer.Option(min=1, help="Number of people who can use it.")] = 1,
    expires: Annotated[
        str,
        typer.Option(help="The last day or moment of its validity: 2026-07-07. [default: never]"),
    ] = "",
) -> Answer:
    """Create an invitation and print its code, once: only its hash is stored.

    Examples:
        arena invitation create --uses 30 --expires 2026-09-30
    """
    made = arena.ask(tokens.create_invitation, uses, expires)
    yield made
    people = "1 person" if uses == 1 else f"{uses} people"
    stderr.say(
        f"Invitation {made.invitation.id} for {people}, who use it at the page /join or with `arena"
        " join`; this is the only time it is shown:"
    )
    stdout.say(made.code)


@app.command("list")
@asks_arena
def show(arena: AskedArena) -> Answer:
    """List the invitations, without their codes.

    Examples:
        arena invitation list
    """
    found = arena.ask(tokens.list_invitations)
    yield found
    if found.invitations:
        rows = [
            (
                one.id,
                one.uses,
                moment(one.created_at),
                "never" if one.expires_at is None else moment(one.expires_at),
            )
            for one in found.invitations
        ]
        stdout.print(table(("id", "uses left", "created (UTC)", "expires (UTC)"), rows))
    else:
        stdout.print("There are no invitations.")


@app.command("revoke")
@asks_arena
def revoke(
    arena: AskedArena,
    invitation_id: Annotated[
        str, typer.Argument(metavar="ID", help="The id printed by `arena invitation list`.")
    ],
) -> Answer:
    """Revoke an invitation. Tokens that were created by it stay.

    Examples:
        arena invitation revoke 4f1c0a22
    """
    revoked = arena.ask(tokens.revoke_invitation, invitation_id)
    yield revoked
    stderr.say(f"Invitation {revoked.id} is revoked.")


@asks_arena
def join(
    arena: AskedArena,
    code: Annotated[
        str,
        typer.Argument(
            metavar="CODE", envvar="ARENA_INVITATION", help="The code of the invitation."
        ),
    ],
    owner: Annotated[str, typer.Option(help="The name under which your bots appear.")],
) -> Answer:
    """Create a token for yourself by an invitation.

    Examples:
        arena join inv_… --owner Ann --server https://arena.example.org
    """
    made = arena.ask(tokens.join, code, owner)
    yield made
    stderr.say(
        f"You are {made.token.owner}. Put this token into ARENA_USER_TOKEN; it is shown only this"
        " once:"
    )
    stdout.say(made.text)
