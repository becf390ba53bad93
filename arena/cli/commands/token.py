"""`arena token`: who may submit to a server."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Protocol

import typer

from arena.cli.calling import Server, ServerOption, calling
from arena.cli.changing import changing
from arena.cli.errors import CommandError
from arena.cli.options import DEFAULT_DATA, DataOption
from arena.cli.output import JsonOption, print_json, stderr, stdout, table
from arena.server.messages import ROLES, token_message
from arena.store import tokens as rows
from arena.store.data_folder import DataFolder
from arena.store.session import Store
from arena.store.tables import Role
from sevens.league.v1.token_pb2 import (
    CreateTokenRequest,
    ListTokensRequest,
    RevokeTokenRequest,
    Token,
)

app = typer.Typer(help="Create, list and revoke access tokens.")
ROLE_NAMES = {number: str(role) for role, number in ROLES.items()}


class Tokens(Protocol):
    """The tokens of an arena."""

    def create(self, owner: str, role: Role) -> tuple[Token, str]:
        """A new token and its text."""

    def all(self) -> Sequence[Token]:
        """All tokens, the oldest first."""

    def revoke(self, token_id: str) -> Token:
        """Makes a token worthless."""


class ServedTokens:
    """The tokens of an arena that runs."""

    def __init__(self, call: Server) -> None:
        self._call = call

    def create(self, owner: str, role: Role) -> tuple[Token, str]:
        created = self._call("CreateToken", CreateTokenRequest(owner=owner, role=ROLES[role]))
        return created.token, created.text

    def all(self) -> Sequence[Token]:
        listed: Sequence[Token] = self._call("ListTokens", ListTokensRequest()).tokens
        return listed

    def revoke(self, token_id: str) -> Token:
        revoked: Token = self._call("RevokeToken", RevokeTokenRequest(id=token_id)).token
        return revoked


class KeptTokens:
    """The tokens of an arena that does not run."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def create(self, owner: str, role: Role) -> tuple[Token, str]:
        with self._store.writing() as session:
            row, text = rows.create_token(session, owner, role)
            return token_message(row), text

    def all(self) -> Sequence[Token]:
        with self._store.reading() as session:
            return [token_message(row) for row in rows.tokens(session)]

    def revoke(self, token_id: str) -> Token:
        with self._store.writing() as session:
            return token_message(rows.revoke_token(session, token_id))


@app.command("create")
def create(
    role: Annotated[Role, typer.Option(help="What its bearer may do.")],
    owner: Annotated[str, typer.Option(help="In whose name its bearer acts.")],
    server: ServerOption = "",
    data: DataOption = DEFAULT_DATA,
    as_json: JsonOption = False,
) -> None:
    """Create a token and print it, once: only its hash is stored."""
    with _tokens(server, data) as known:
        token, text = known.create(owner, role)
    if as_json:
        print_json({"token": _row(token), "text": text})
        return
    stderr.print(f"Token {token.id} for {owner}, {role}; it is told only now:", markup=False)
    stdout.print(text, markup=False)


@app.command("list")
def list_tokens(
    server: ServerOption = "", data: DataOption = DEFAULT_DATA, as_json: JsonOption = False
) -> None:
    """List the tokens, without their texts."""
    with _tokens(server, data) as known:
        listed = [_row(token) for token in known.all()]
    if as_json:
        print_json({"tokens": listed})
    elif listed:
        stdout.print(table(list(listed[0]), [list(row.values()) for row in listed]))
    else:
        stdout.print("There are no tokens yet.")


@app.command("revoke")
def revoke(
    token_id: Annotated[str, typer.Argument(metavar="ID", help="As `arena token list` has it.")],
    server: ServerOption = "",
    data: DataOption = DEFAULT_DATA,
    as_json: JsonOption = False,
) -> None:
    """Revoke a token for good."""
    with _tokens(server, data) as known:
        token = known.revoke(token_id)
    if as_json:
        print_json({"token": _row(token)})
    else:
        stderr.print(f"Token {token.id} of {token.owner} is worth nothing now.", markup=False)


@contextmanager
def _tokens(server: str, data: Path) -> Iterator[Tokens]:
    """The tokens of a server, or of a data folder, whether an arena runs on it or not."""
    folder = DataFolder(data)
    if address := server or folder.server():
        with calling(address) as call:
            yield ServedTokens(call)
        return
    with changing(folder, "id") as store:
        try:
            yield KeptTokens(store)
        except rows.WrongOwner as error:
            raise CommandError(str(error), "owner") from None


def _row(token: Token) -> dict[str, Any]:
    revoked = token.revoked_at.ToJsonString() if token.HasField("revoked_at") else None
    return {
        "id": token.id,
        "owner": token.owner,
        "role": ROLE_NAMES[token.role],
        "created_at": token.created_at.ToJsonString(),
        "revoked_at": revoked,
    }
