"""`arena announce`: the organiser's sentences to everybody."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.cli.asking import Answer, AskedArena, asks_arena
from arena.cli.output import moment, stderr, stdout, table
from arena.operations.notices.announcements import (
    announce,
    list_announcements,
    remove_announcement,
)

app = typer.Typer()


@app.command("create")
@asks_arena
def create(
    arena: AskedArena,
    sentence: Annotated[
        str, typer.Argument(metavar="SENTENCE", help="The sentence, for everybody.")
    ],
    until: Annotated[
        str,
        typer.Option(help="The last day or moment: 2026-07-07. [default: until it is removed]"),
    ] = "",
) -> Answer:
    """Show a sentence to everybody: on every page, and in `arena ladder list` and `show`.

    Examples:
        arena announce create "Restart at 18:00 UTC." --until 2026-07-07T18:10Z
    """
    made = arena.ask(announce, sentence, until)
    yield made
    stderr.say(f"Everybody sees announcement {made.number}.")


@app.command("list")
@asks_arena
def show(arena: AskedArena) -> Answer:
    """List the announcements that are shown now.

    Examples:
        arena announce list
    """
    found = arena.ask(list_announcements)
    yield found
    if found.announcements:
        rows = [
            (one.number, "" if one.until is None else moment(one.until), one.sentence)
            for one in found.announcements
        ]
        stdout.print(table(("number", "until (UTC)", "sentence"), rows))
    else:
        stdout.print("There are no announcements.")


@app.command("remove")
@asks_arena
def remove(
    arena: AskedArena,
    number: Annotated[
        int,
        typer.Argument(metavar="NUMBER", min=1, help="Its number in `arena announce list`."),
    ],
) -> Answer:
    """Show an announcement no longer.

    Examples:
        arena announce remove 3
    """
    removed = arena.ask(remove_announcement, number)
    yield removed
    stderr.say(f"Announcement {removed.number} is no longer shown.")
