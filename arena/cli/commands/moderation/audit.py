"""`arena audit`: the changes that were asked for."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.cli.options import DEFAULT_DATA, DataOption, ServerOption
from arena.cli.output import JsonOption, print_view, stdout, table
from arena.client.arena import arena_at
from arena.foreign_text import visible
from arena.operations.arena import read_audit

COLUMNS = ("at", "who", "role", "what", "outcome")


def audit(
    since: Annotated[
        str, typer.Option(help="Only changes since this time: 2026-07-07, 2026-07-07T07:07Z.")
    ] = "",
    caller: Annotated[str, typer.Option(help="Only changes that this owner asked for.")] = "",
    limit: Annotated[int, typer.Option(min=1, max=1000, help="Number of changes to list.")] = 20,
    after: Annotated[
        int, typer.Option(min=0, help="Continue after this change: the `next` of --json.")
    ] = 0,
    server: ServerOption = "",
    data: DataOption = DEFAULT_DATA,
    as_json: JsonOption = False,
) -> None:
    """List who changed what, when, and with which outcome.

    What was refused to contestants is not among them.

    Examples:
        arena audit --since 2026-07-07
    """
    with arena_at(server, data) as arena:
        found = arena.ask(read_audit, since, caller, after, limit)
    if as_json:
        print_view(found)
        return
    if not found.lines:
        stdout.print("There are no such changes.")
        return
    rows = [
        (
            f"{one.at:%m-%d %H:%M:%S}",
            visible(one.who),
            one.role,
            visible(one.what),
            visible(one.outcome) or "not known",
        )
        for one in found.lines
    ]
    stdout.print(table(COLUMNS, rows))
    if found.next is not None:
        stdout.say(f"more: --after {found.next}", style="dim")
