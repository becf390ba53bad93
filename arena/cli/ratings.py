"""`arena ratings`: the table of a ladder."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from arena.cli.arguments import DEFAULT_DATA, DataOption
from arena.cli.changing import changing
from arena.cli.output import JsonOption, print_json, stderr, stdout, table
from arena.cli.reading import reading
from arena.league.rating import rebuild
from arena.league.standings import Placing, standings
from arena.store.folder import DataFolder
from arena.store.reading import ladder_named, rated_entries
from arena.store.tables import Ladder


def ratings(
    ladder: Annotated[str, typer.Argument(metavar="LADDER", help="The ladder's name.")],
    again: Annotated[
        bool, typer.Option("--rebuild", help="First make the ratings anew from the matches.")
    ] = False,
    data: DataOption = DEFAULT_DATA,
    as_json: JsonOption = False,
) -> None:
    """Shows the ratings of a ladder: the skill that each bot has almost surely (mu - 3 sigma)."""
    if again:
        _rebuild(data, ladder)
    with reading(data, "ladder") as session:
        row = ladder_named(session, ladder)
        placings = standings(session, ladder)
        if as_json:
            print_json(_document(row, placings))
        else:
            stdout.print(rating_table(row, placings))


def rating_table(ladder: Ladder, placings: list[Placing]) -> Table:
    """The ratings as people read them."""
    columns = ("place", "bot", "version", "rating", "mu", "sigma", "matches", "faults", "state")
    rows = [
        (
            placing.place,
            placing.entry.bot,
            placing.entry.number,
            placing.rating,
            placing.entry.mu,
            placing.entry.sigma,
            placing.entry.matches,
            placing.entry.faults,
            placing.entry.state,
        )
        for placing in placings
    ]
    return table(columns, rows, title=f"{ladder.name}: {ladder.game}, {ladder.seats} seats")


def _document(ladder: Ladder, placings: list[Placing]) -> dict[str, Any]:
    return {
        "ladder": ladder.name,
        "game": ladder.game,
        "rules_version": ladder.rules_version,
        "ratings": [
            {
                "place": placing.place,
                "bot": placing.entry.bot,
                "version": placing.entry.version,
                "owner": placing.entry.owner,
                "mu": placing.entry.mu,
                "sigma": placing.entry.sigma,
                "rating": placing.rating,
                "matches": placing.entry.matches,
                "faults": placing.entry.faults,
                "state": placing.entry.state,
            }
            for placing in placings
        ],
    }


def _rebuild(data: Path, ladder: str) -> None:
    with changing(DataFolder(data), "ladder") as store:
        changed = rebuild(store, ladder)
        with store.reading() as session:
            concerned = [
                f"{entry.bot} version {entry.number}"
                for entry in rated_entries(session, ladder)
                if entry.version in changed
            ]
    news = f"changed: {', '.join(concerned)}" if changed else "the figures are the same as before"
    stderr.print(f"The ratings were made anew from the matches; {news}.", markup=False)
