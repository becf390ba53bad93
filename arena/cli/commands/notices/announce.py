"""`arena announce`: the organiser's sentences to everybody."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.cli.options import DEFAULT_DATA, DataOption, ServerOption
from arena.cli.output import JsonOption, moment, print_view, stderr, stdout, table
from arena.client.arena import arena_at
from arena.operations.notices.announcements import (
    announce,
    list_announcements,
    remove_announcement,
)

app = typer.Typer(help="Show sentences to everybody, on every page.")


@app.command("create")
def create(
    sentence: Annotated[
        str, typer.Argument(metavar="SENTENCE", help="The sentence, for everybody.")
    ],
    until: Annotated[
        str,
        typer.Option(help="The last day or moment: 2026-07-07. [default: until it is removed]"),
    ] = "",
    server: ServerOption = "",
    data: DataOption = DEFAULT_DATA,
    as_json: JsonOption = False,
) -> None:
    """Show a sentence to everybody: on every page, and in `arena ladder list` and `show`.

    Examples:
        arena announce create "Restart at 18:00 UTC." --until 2026-07-07T18:10Z
    """
    with arena_at(server, data) as arena:
        made = arena.ask(announce, sentence, until)
    if as_json:
        print_view(made)
    else:
        stderr.say(f"Everybody sees announcement {made.number}.")


@app.command("list")
def show(
    server: ServerOption = "", data: DataOption = DEFAULT_DATA, as_json: JsonOption = False
) -> None:
    """List the announcements that are shown now.

    Examples:
        arena announce list
    """
    with arena_at(server, data) as arena:
        found = arena.ask(list_announcements)
    if as_json:
        print_view(found)
    elif found.announcements:
        rows = [
            (one.number, "" if one.until is None else moment(one.until), one.sentence)
            for one in found.announcements
        ]
        stdout.print(table(("number", "until (UTC)", "sentence"), rows))
    else:
        stdout.print("There are no announcements.")


@app.command("remove")
def remove(
    number: Annotated[
        int,
        typer.Argument(metavar="NUMBER", min=1, help="Its number in `arena announce list`."),
    ],
    server: ServerOption = "",
    data: DataOption = DEFAULT_DATA,
    as_json: JsonOption = False,
) -> None:
    """Show an announcement no longer.

    Examples:
        arena announce remove 3
    """
    with arena_at(server, data) as arena:
        removed = arena.ask(remove_announcement, number)
    if as_json:
        print_view(removed)
    else:
        stderr.say(f"Announcement {removed.number} is no longer shown.")
