"""`arena tournament list|show|standings`: prints tournaments."""

from __future__ import annotations

import csv
import sys
from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated, Any

import typer
from rich.table import Table

from arena.cli.arguments import TournamentArgument
from arena.cli.asking import Answer, AskedArena, asks_arena
from arena.cli.options import DEFAULT_DATA, DataOption, ServerOption
from arena.cli.output import JsonOption, print_json, stdout, table
from arena.client.arena import arena_at
from arena.errors import ArenaError, Kind
from arena.foreign_text import visible
from arena.moment import minute
from arena.operations.competitions import tournaments as operations
from arena.operations.competitions.tournaments import read_tournament
from arena.views.tournaments.tournament import PlayedRound, Tournament
from arena.views.tournaments.words import (
    agreed,
    for_people,
    pool_tables,
    standings_table,
    title,
    withdrawals,
)

COLUMNS = ("tournament", "game", "format", "entrants", "round", "matches", "state")


@asks_arena
def list_tournaments(arena: AskedArena) -> Answer:
    """List the tournaments.

    Examples:
        arena tournament list
    """
    found = arena.ask(operations.list_tournaments)
    yield found
    rows = [
        [
            *(getattr(one, column) for column in COLUMNS),
            minute(one.starts_at) if one.starts_at else "",
        ]
        for one in found.tournaments
    ]
    stdout.print(table((*COLUMNS, "starts"), rows))


@asks_arena
def show(
    arena: AskedArena,
    name: TournamentArgument,
    round_number: Annotated[
        int, typer.Option("--round", min=0, help="The round to show. 0: the last.")
    ] = 0,
) -> Answer:
    """Show a tournament: its terms, a round with the reasons for its pairings, the standings.

    --json prints all public data: entrants, all rounds, results, and in the end the secret of the
    deals.

    Examples:
        arena tournament show cup
        arena tournament show cup --round 2
    """
    found = arena.ask(read_tournament, name)
    yield found
    chosen = _chosen(found.rounds, round_number)
    for field, value in agreed(found).items():
        stdout.say(visible(f"{field}: {value}"))
    if found.problem:
        stdout.say(visible(found.problem), style="yellow")
    for played in chosen:
        _print_round(found, played)
    stdout.print()
    print_standings(found)


class Shape(StrEnum):
    """What `standings` prints."""

    STANDINGS = "standings"
    CROSSTABLE = "crosstable"


def standings(
    name: TournamentArgument,
    shape: Annotated[
        Shape, typer.Option("--as", help="The standings, or the results of each pair.")
    ] = Shape.STANDINGS,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print comma-separated values.")] = False,
    server: ServerOption = "",
    data: DataOption = DEFAULT_DATA,
    as_json: JsonOption = False,
) -> None:
    """Print the standings of a tournament, or its crosstable.

    "1st 83 %" is the chance of a place if all tables were played again, in simulation.

    Examples:
        arena tournament standings cup
        arena tournament standings cup --as crosstable --csv
    """
    with arena_at(server, data) as arena:
        found = arena.ask(read_tournament, name)
    columns, rows = _crosstable(found) if shape is Shape.CROSSTABLE else standings_table(found)
    if as_json:
        print_json({shape.value: [dict(zip(columns, row, strict=True)) for row in rows]})
    elif as_csv:
        lines = [
            ["" if cell is None else visible(str(cell)) for cell in row] for row in (columns, *rows)
        ]
        csv.writer(sys.stdout, lineterminator="\n").writerows(lines)
    elif shape is Shape.CROSSTABLE:
        stdout.print(_table(*_numbered(rows), title(found)))
    else:
        stdout.print(_table(columns, rows, title(found)))


def print_standings(found: Tournament) -> None:
    """Prints the standings as tables for people: of the pools, and of the tournament."""
    for number, pool in enumerate(pool_tables(found), 1):
        stdout.print(_table(*pool, f"pool {number}"))
    stdout.print(_table(*standings_table(found), title(found)))


def _chosen(rounds: Sequence[PlayedRound], number: int) -> Sequence[PlayedRound]:
    """Returns the round of that number; for 0 the last, if there is one. Raises ArenaError."""
    if number > len(rounds):
        raise ArenaError(
            Kind.WRONG_INPUT, f"Round {number} has not been paired; so far: {len(rounds)}.", "round"
        )
    return rounds[number - 1 : number] if number else rounds[-1:]


def _print_round(found: Tournament, played: PlayedRound) -> None:
    names = found.bots
    rows = [
        (
            one.table,
            ", ".join(f"{names[number]} ({number})" for number in one.entrants),
            " / ".join(f"{total:g}" for total in found.totals_at(one)),
            len(one.groups),
            *([found.brackets[played.round, one.table]] if found.brackets else ()),
        )
        for one in played.tables
    ]
    stdout.print()
    columns = ("table", "entrants", "points", "groups", *(["bracket"] if found.brackets else ()))
    stdout.print(table(columns, rows, title=f"round {played.round}"))
    if played.byes:
        stdout.say(visible(f"byes: {', '.join(names[number] for number in played.byes)}"))
    for sentence in withdrawals(found, played.round):
        stdout.say(visible(sentence))
    stdout.say(visible(played.reason))


def _table(columns: Sequence[str], rows: Sequence[Sequence[Any]], title: str) -> Table:
    """Returns a table for people."""
    return table(*for_people(columns, rows), title=title)


def _crosstable(found: Tournament) -> tuple[list[str], list[list[Any]]]:
    """Returns for each entrant, the best first, its points in groups against each other one."""
    order = [one.number for one in found.standings]
    names = found.bots
    cells: dict[tuple[int, int], float] = {}
    for played in found.rounds:
        for one in played.tables:
            points = dict(zip(one.entrants, found.totals_at(one), strict=False))
            for number, total in points.items():
                for other in points:
                    if other != number:
                        cells[number, other] = cells.get((number, other), 0) + total
    columns = ["bot", *(f"{place} {names[number]}" for place, number in enumerate(order, 1))]
    rows = [[names[number], *(cells.get((number, other)) for other in order)] for number in order]
    return columns, rows


def _numbered(rows: Sequence[Sequence[Any]]) -> tuple[list[str], list[list[Any]]]:
    """Returns a crosstable whose columns have the places alone, so that more of them fit."""
    places = [str(place) for place, _ in enumerate(rows, 1)]
    numbered = [
        [f"{place} {bot}", *cells] for place, (bot, *cells) in zip(places, rows, strict=True)
    ]
    return ["bot", *places], numbered
