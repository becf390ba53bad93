"""`arena ratings`: the ratings of a ladder."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from arena.cli import completion
from arena.cli.options import DEFAULT_DATA, DataOption, ServerOption
from arena.cli.output import JsonOption, print_json, stderr, stdout, table
from arena.client import arena_at, changing, whole_ladder
from arena.errors import CommandError
from arena.league import rebuild
from arena.server import STANDING_STATES
from arena.store import DataFolder, rated_entries
from sevens.league.v1.ladder_pb2 import ReadLadderResponse

STATE_NAMES = {number: state for state, number in STANDING_STATES.items()}


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

    The rating is the skill that a bot has almost certainly: mu - 3 sigma.

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
        print_json(_document(found))
    else:
        stdout.print(rating_table(found))


def rating_table(found: ReadLadderResponse) -> Table:
    """Returns the ratings as a table for people."""
    columns = ("place", "bot", "version", "rating", "mu", "sigma", "matches", "faults", "state")
    rows = [
        (
            standing.place,
            standing.bot,
            standing.number,
            standing.rating,
            standing.mu,
            standing.sigma,
            standing.matches,
            standing.faults,
            STATE_NAMES[standing.state],
        )
        for standing in found.standings
    ]
    ladder = found.ladder
    return table(columns, rows, title=f"{ladder.name}: {ladder.game}, {ladder.seats} seats")


def _document(found: ReadLadderResponse) -> dict[str, Any]:
    return {
        "ladder": found.ladder.name,
        "game": found.ladder.game,
        "rules_version": found.ladder.rules_version,
        "ratings": [
            {
                "place": standing.place,
                "bot": standing.bot,
                "version": standing.version,
                "owner": standing.owner,
                "mu": standing.mu,
                "sigma": standing.sigma,
                "rating": standing.rating,
                "matches": standing.matches,
                "faults": standing.faults,
                "state": STATE_NAMES[standing.state],
            }
            for standing in found.standings
        ],
    }


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
