"""`arena ratings`: the ratings of a ladder."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from arena.cli import completion
from arena.cli.commands.ratings.table import print_ratings, ratings_document
from arena.cli.options import DEFAULT_DATA, DataOption, ServerOption
from arena.cli.output import JsonOption, print_json, stderr
from arena.client import arena_at, changing, whole_ladder
from arena.errors import CommandError
from arena.league import rebuild
from arena.store import DataFolder, rated_entries


def ratings(
    ladder: Annotated[
        str,
        typer.Argument(
            metavar="LADDER", help="The ladder's name.", autocompletion=completion.ladders
        ),
    ],
    again: Annotated[
        bool, typer.Option("--rebuild", help="First recompute the ratings from the matches.")
    ] = False,
    server: ServerOption = "",
    data: DataOption = DEFAULT_DATA,
    as_json: JsonOption = False,
) -> None:
    """Show the ratings of a ladder.

    The rating is the skill that a bot has almost certainly: mu - 3 sigma. They are updated after
    each job; fit is the mu by all jobs at once, which does not depend on their order.

    Examples:
        arena ratings xeri
        arena ratings xeri --server arena.example:7777 --json
    """
    if again:
        _check_rebuilt_here(server)
        news = _rebuild(data, ladder)
        if not as_json:
            stderr.say(news)
    with arena_at(server, data) as arena:
        found = whole_ladder(arena, ladder)
    if as_json:
        print_json(ratings_document(found))
    else:
        print_ratings(found)


def _check_rebuilt_here(server: str) -> None:
    if server:
        raise CommandError(
            "--rebuild works on a local data folder that no arena is using: leave out --server, and"
            " give the folder with --data.",
            "rebuild",
        )


def _rebuild(data: Path, ladder: str) -> str:
    """Recomputes the ratings; returns the result in a sentence."""
    with changing(DataFolder(data), "ladder") as store:
        changed = rebuild(store, ladder)
        with store.reading() as session:
            names = {
                entry.version: f"{entry.bot} version {entry.number}"
                for entry in rated_entries(session, ladder)
            }
    affected = (names.get(version, version[:12]) for version in changed)
    news = f"changed: {', '.join(affected)}" if changed else "none of them changed"
    return f"The ratings were recomputed from the matches; {news}."
