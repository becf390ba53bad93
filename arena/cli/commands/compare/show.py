"""`arena compare list|show|pause|cancel`: prints and changes comparisons."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from arena.cli import completion
from arena.cli.options import DEFAULT_DATA, DataOption, ServerOption
from arena.cli.output import JsonOption, print_json, stderr, stdout, table
from arena.client import Arena, all_comparisons, arena_at
from arena.errors import ArenaError, Kind
from arena.foreign_text import visible
from arena.league.comparison import Status, agreed, figures, read_status, status_document
from arena.server import COMPARISON_STATES
from arena.statistics import Verdict
from arena.store.schema import CompetitionState
from sevens.league.v1.comparison_pb2 import (
    ChangeComparisonRequest,
    ComparedVersion,
    Comparison,
    ReadComparisonRequest,
    ReadComparisonResponse,
)

STATE_NAMES = {number: str(state) for state, number in COMPARISON_STATES.items()}

Name = Annotated[
    str,
    typer.Argument(
        metavar="NAME", help="The comparison's name.", autocompletion=completion.comparisons
    ),
]


def list_comparisons(
    server: ServerOption = "", data: DataOption = DEFAULT_DATA, as_json: JsonOption = False
) -> None:
    """List the comparisons.

    Examples:
        arena compare list
    """
    with arena_at(server, data) as arena:
        found = all_comparisons(arena)
    rows = [_row(comparison) for comparison in found]
    if as_json:
        print_json({"comparisons": rows})
        return
    columns = ("comparison", "game", "new", "old", "groups", "matches", "state", "verdict")
    stdout.print(table(columns, [[row[column] for column in columns] for row in rows]))


def show(
    name: Name,
    server: ServerOption = "",
    data: DataOption = DEFAULT_DATA,
    as_json: JsonOption = False,
) -> None:
    """Show a comparison: plan, figures and verdict.

    Examples:
        arena compare show compare-3fa9c1d2
    """
    with arena_at(server, data) as arena:
        status = read(arena, name)
    if as_json:
        print_json(status_document(status))
        return
    print_plan(status)
    print_figures(status)


def pause(name: Name, server: ServerOption = "", data: DataOption = DEFAULT_DATA) -> None:
    """Pause a comparison: no new matches until it is resumed.

    Examples:
        arena compare pause compare-3fa9c1d2
    """
    with arena_at(server, data) as arena:
        change(arena, name, CompetitionState.PAUSED)
    stderr.say(f"Paused the comparison {name}.")


def cancel(name: Name, server: ServerOption = "", data: DataOption = DEFAULT_DATA) -> None:
    """Cancel a comparison for good; its matches stay.

    Examples:
        arena compare cancel compare-3fa9c1d2
    """
    with arena_at(server, data) as arena:
        change(arena, name, CompetitionState.CANCELLED)
    stderr.say(f"Cancelled the comparison {name}.")


def change(arena: Arena, name: str, state: CompetitionState) -> None:
    """Gives a comparison a state. Raises ArenaError."""
    request = ChangeComparisonRequest(comparison=name, state=COMPARISON_STATES[state])
    arena.call("ChangeComparison", request)


def read(arena: Arena, name: str) -> Status:
    """Returns the present state of a comparison. Raises ArenaError."""
    request = ReadComparisonRequest(comparison=name)
    response: ReadComparisonResponse = arena.call("ReadComparison", request)
    try:
        return read_status(response.document)
    except ValueError:
        raise ArenaError(
            Kind.UNREACHABLE,
            "The arena's answer is not a comparison: its version may differ. Use the command of"
            " its version.",
            "name",
        ) from None


def print_plan(status: Status) -> None:
    """Prints the terms fixed before the first group."""
    for field, value in agreed(status).items():
        stdout.say(visible(f"{field}: {value}"))
    if status.problem:
        stdout.say(visible(status.problem), style="yellow")
    stdout.print()


def print_figures(status: Status) -> None:
    """Prints the verdict, or the progress, with the figures."""
    stdout.say(visible(status.sentence), style="bold")
    stdout.print()
    rows = [(name, value, what) for name, (value, what) in figures(status).items()]
    stdout.print(table(("figure", "value", "meaning"), rows))
    if status.caution:
        stdout.print()
        stdout.say(status.caution, style="yellow")


def _row(comparison: Comparison) -> dict[str, Any]:
    running = comparison.verdict == Verdict.RUNNING
    return {
        "comparison": comparison.name,
        "game": comparison.game,
        "owner": comparison.owner,
        "new": _version(comparison.new),
        "old": _version(comparison.old),
        "groups": comparison.counted,
        "matches": comparison.matches,
        "state": STATE_NAMES.get(comparison.state, "unknown"),
        "running_now": comparison.running_now,
        "verdict": "" if running else comparison.verdict,
        "sentence": comparison.sentence,
    }


def _version(version: ComparedVersion) -> str:
    return f"{version.bot}@{version.number}"
