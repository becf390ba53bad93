"""`arena token`: the tokens by which people and workers use a server."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from arena.cli.options import DEFAULT_DATA, DataOption, ServerOption
from arena.cli.output import JsonOption, print_json, stderr, stdout, table
from arena.client import arena_at
from arena.server import ROLES
from arena.store.schema import Role
from sevens.league.v1.token_pb2 import (
    CreateTokenRequest,
    CreateTokenResponse,
    ListTokensRequest,
    RevokeTokenRequest,
    Token,
)

app = typer.Typer(help="Create, list and revoke access tokens.")
ROLE_NAMES = {number: str(role) for role, number in ROLES.items()}


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
    request = CreateTokenRequest(owner=owner, role=ROLES[role])
    with arena_at(server, data) as arena:
        created: CreateTokenResponse = arena.call("CreateToken", request)
    token, text = created.token, created.text
    if as_json:
        print_json({"token": _row(token), "text": text})
        return
    stderr.say(f"Token {token.id} for {owner}, {role}; this is the only time it is shown:")
    stdout.say(text)


@app.command("list")
def list_tokens(
    server: ServerOption = "", data: DataOption = DEFAULT_DATA, as_json: JsonOption = False
) -> None:
    """List the tokens, without their texts.

    Examples:
        arena token list
    """
    with arena_at(server, data) as arena:
        listed = [_row(token) for token in arena.call("ListTokens", ListTokensRequest()).tokens]
    if as_json:
        print_json({"tokens": listed})
    elif listed:
        stdout.print(table(list(listed[0]), [list(row.values()) for row in listed]))
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
        token = arena.call("RevokeToken", RevokeTokenRequest(id=token_id)).token
    if as_json:
        print_json({"token": _row(token)})
    else:
        stderr.say(f"Token {token.id} of {token.owner} is revoked.")


def _row(token: Token) -> dict[str, Any]:
    revoked = token.revoked_at.ToJsonString() if token.HasField("revoked_at") else None
    return {
        "id": token.id,
        "owner": token.owner,
        "role": ROLE_NAMES[token.role],
        "created_at": token.created_at.ToJsonString(),
        "revoked_at": revoked,
    }
