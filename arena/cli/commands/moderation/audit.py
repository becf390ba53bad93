"""`arena audit`: the changes that were asked for."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.cli.asking import Answer, AskedArena, asks_arena
from arena.cli.output import stdout, table
from arena.foreign_text import visible
from arena.operations.arena import read_audit

COLUMNS = ("at", "who", "role", "what", "outcome")


@asks_arena
def audit(
    arena: AskedArena,
    since: Annotated[
        str, typer.Option(help="Only changes since this time: 2026-07-07, 2026-07-07T07:07Z.")
    ] = "",
    caller: Annotated[str, typer.Option(help="Only changes that this owner asked for.")] = "",
    limit: Annotated[int, typer.Option(min=1, max=1000, help="Number of changes to list.")] = 20,
    after: Annotated[
        int, typer.Option(min=0, help="Continue after this change: the `next` of --json.")
    ] = 0,
) -> Answer:
    """List who changed what, when, and with which outcome.

    What was refused to contestants is not among them.

    Examples:
        arena audit --since 2026-07-07
    """
    found = arena.ask(read_audit, since, caller, after, limit)
    yield found
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
