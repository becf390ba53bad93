"""`arena token`: the tokens by which people and workers use a server."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.cli.options import DEFAULT_DATA, DataOption, ServerOption
from arena.cli.output import JsonOption, print_view, stderr, stdout, table
from arena.client.arena import arena_at
from arena.operations import tokens
from arena.store.schema import Role

app = typer.Typer(help="Create, list and revoke access tokens.")


@app.command("create")
def create(
    role: Annotated[Role, typer.Option(help="The role of its bearer.")],
    owner: Annotated[str, typer.Option(help="The name under which its bearer acts.")],
    server: ServerOption = "",
    data: DataOption = DEFAULT_DATA,
    as_json: JsonOption = False,
) -> None:
    """Create a token and print it, once: only its hash is stored.

    Examples:
        arena token create --role owner --owner Ann
    """
    with arena_at(server, data) as arena:
        created = arena.ask(tokens.create_token, owner, role)
    if as_json:
        print_view(created)
        return
    name = created.token.owner
    stderr.say(f"Token {created.token.id} for {name}, {role}; this is the only time it is shown:")
    stdout.say(created.text)


@app.command("list")
def list_tokens(
    server: ServerOption = "", data: DataOption = DEFAULT_DATA, as_json: JsonOption = False
) -> None:
    """List the tokens, without their texts.

    Examples:
        arena token list
    """
    with arena_at(server, data) as arena:
        listed = arena.ask(tokens.list_tokens)
    if as_json:
        print_view(listed)
    elif listed.tokens:
        rows = [token.model_dump(mode="json") for token in listed.tokens]
        stdout.print(table(list(rows[0]), [list(row.values()) for row in rows]))
    else:
        stdout.print("There are no tokens yet.")


@app.command("revoke")
def revoke(
    token_id: Annotated[
        str, typer.Argument(metavar="ID", help="The id printed by `arena token list`.")
    ],
    server: ServerOption = "",
    data: DataOption = DEFAULT_DATA,
    as_json: JsonOption = False,
) -> None:
    """Revoke a token for good.

    Examples:
        arena token revoke 4f1c0a22
    """
    with arena_at(server, data) as arena:
        revoked = arena.ask(tokens.revoke_token, token_id)
    if as_json:
        print_view(revoked)
    else:
        stderr.say(f"Token {revoked.token.id} of {revoked.token.owner} is revoked.")
