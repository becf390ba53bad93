"""`arena token`: the tokens by which people and workers use a server."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, TextIO

import typer

from arena.cli.asking import Answer, AskedArena, asks_arena
from arena.cli.options import DEFAULT_DATA, DataOption, ServerOption
from arena.cli.output import stderr, stdout, table
from arena.client.arena import arena_at
from arena.errors import ArenaError, Kind
from arena.operations import tokens
from arena.store.schema import Role

app = typer.Typer()

OWNER, TOKEN = "owner", "token"
"""Columns of a roster: its names, and the texts of the new tokens."""
PRIVATE = 0o600
RoleOption = Annotated[Role, typer.Option("--role", help="The role of its bearer.")]
ExpiresOption = Annotated[
    str,
    typer.Option(
        "--expires", help="The last day or moment of its validity: 2026-07-07. [default: never]"
    ),
]


@app.command("create")
@asks_arena
def create(
    arena: AskedArena,
    role: RoleOption,
    owner: Annotated[str, typer.Option(help="The name under which its bearer acts.")],
    expires: ExpiresOption = "",
) -> Answer:
    """Create a token and print it, once: only its hash is stored.

    Examples:
        arena token create --role owner --owner Ann
    """
    created = arena.ask(tokens.create_token, owner, role, expires)
    yield created
    name = created.token.owner
    stderr.say(f"Token {created.token.id} for {name}, {role}; this is the only time it is shown:")
    stdout.say(created.text)


@app.command("roster")
def roster(
    names: Annotated[
        Path, typer.Argument(metavar="NAMES.csv", help=f"A table with the column `{OWNER}`.")
    ],
    out: Annotated[
        Path, typer.Argument(metavar="TOKENS.csv", help="A new file for the same with the tokens.")
    ],
    role: RoleOption = Role.OWNER,
    expires: ExpiresOption = "",
    server: ServerOption = "",
    data: DataOption = DEFAULT_DATA,
) -> None:
    """Create a token for each name in a CSV file, or none of them.

    The tokens are only in the new file, which nobody else on this machine can read.

    Examples:
        arena token roster class.csv tokens.csv --expires 2026-12-31
    """
    rows = _rows(names)
    with arena_at(server, data) as arena, _new_file(out) as file:
        created = arena.ask(
            tokens.create_tokens, tuple(row[OWNER] for row in rows), role, expires
        ).tokens
        writer = csv.DictWriter(file, [*rows[0], TOKEN])
        writer.writeheader()
        for row, new in zip(rows, created, strict=True):
            writer.writerow(row | {OWNER: new.token.owner, TOKEN: new.text})
    stderr.say(f"{len(created)} tokens of the role {role} are in {out}.")


def _rows(names: Path) -> list[dict[str, str]]:
    """Returns the rows of a roster. Raises ArenaError."""
    try:
        with names.open(encoding="utf-8-sig", newline="") as file:
            rows = [dict(row) for row in csv.DictReader(file, strict=True, restval="")]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise ArenaError(Kind.WRONG_INPUT, f"{names} cannot be read: {error}.", "names") from None
    if not rows or OWNER not in rows[0] or None in rows[0] or TOKEN in rows[0]:
        raise ArenaError(
            Kind.WRONG_INPUT,
            f"{names} needs a first line with the column `{OWNER}`, then a line for each name; and"
            f" no column `{TOKEN}`.",
            "names",
        )
    return rows


@contextmanager
def _new_file(path: Path) -> Iterator[TextIO]:
    """Opens a file that is not there yet, for its owner alone; removes it if the block fails.
    Raises ArenaError."""
    try:
        path.touch(PRIVATE, exist_ok=False)
    except OSError as error:
        raise ArenaError(
            Kind.WRONG_INPUT, f"{path} cannot be created: {error.strerror}.", "out"
        ) from None
    try:
        with path.open("w", encoding="utf-8", newline="") as file:
            yield file
    except BaseException:
        path.unlink()
        raise


@app.command("list")
@asks_arena
def list_tokens(arena: AskedArena) -> Answer:
    """List the tokens, without their texts.

    Examples:
        arena token list
    """
    listed = arena.ask(tokens.list_tokens)
    yield listed
    if listed.tokens:
        rows = [token.model_dump(mode="json") for token in listed.tokens]
        stdout.print(table(list(rows[0]), [list(row.values()) for row in rows]))
    else:
        stdout.print("There are no tokens yet.")


@app.command("revoke")
@asks_arena
def revoke(
    arena: AskedArena,
    token_id: Annotated[
        str, typer.Argument(metavar="ID", help="The id printed by `arena token list`.")
    ],
) -> Answer:
    """Revoke a token for good.

    Examples:
        arena token revoke 4f1c0a22
    """
    revoked = arena.ask(tokens.revoke_token, token_id)
    yield revoked
    stderr.say(f"Token {revoked.token.id} of {revoked.token.owner} is revoked.")
