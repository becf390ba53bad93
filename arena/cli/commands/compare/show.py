"""`arena compare list|show|pause|cancel`: prints and changes comparisons."""

from __future__ import annotations

from arena.cli.arguments import ComparisonArgument
from arena.cli.asking import Answer, AskedArena, asks_arena
from arena.cli.output import stderr, stdout, table
from arena.foreign_text import visible
from arena.operations.competitions.comparisons import change_comparison, read_comparison
from arena.operations.competitions.comparisons import list_comparisons as list_all
from arena.store.schema import CompetitionState
from arena.views.comparisons.comparison import Comparison
from arena.views.comparisons.figures import agreed, figures

COLUMNS = ("comparison", "game", "new", "old", "groups", "matches", "state", "verdict")


@asks_arena
def list_comparisons(arena: AskedArena) -> Answer:
    """List the comparisons.

    Examples:
        arena compare list
    """
    found = arena.ask(list_all)
    yield found
    rows = [[getattr(row, column) for column in COLUMNS] for row in found.comparisons]
    stdout.print(table(COLUMNS, rows))


@asks_arena
def show(arena: AskedArena, name: ComparisonArgument) -> Answer:
    """Show a comparison: plan, figures and verdict.

    Examples:
        arena compare show compare-3fa9c1d2
    """
    comparison = arena.ask(read_comparison, name)
    yield comparison
    print_plan(comparison)
    print_figures(comparison)


@asks_arena
def pause(arena: AskedArena, name: ComparisonArgument) -> Answer:
    """Pause a comparison: no new matches until it is resumed.

    Examples:
        arena compare pause compare-3fa9c1d2
    """
    yield arena.ask(change_comparison, name, CompetitionState.PAUSED)
    stderr.say(f"Paused the comparison {name}.")


@asks_arena
def cancel(arena: AskedArena, name: ComparisonArgument) -> Answer:
    """Cancel a comparison for good; its matches stay.

    Examples:
        arena compare cancel compare-3fa9c1d2
    """
    yield arena.ask(change_comparison, name, CompetitionState.CANCELLED)
    stderr.say(f"Cancelled the comparison {name}.")


def print_plan(comparison: Comparison) -> None:
    """Prints the terms fixed before the first group."""
    for field, value in agreed(comparison).items():
        stdout.say(visible(f"{field}: {value}"))
    if comparison.problem:
        stdout.say(visible(comparison.problem), style="yellow")
    stdout.print()


def print_figures(comparison: Comparison) -> None:
    """Prints the verdict, or the progress, with the figures."""
    stdout.say(visible(comparison.sentence), style="bold")
    stdout.print()
    rows = [(name, value, what) for name, (value, what) in figures(comparison).items()]
    stdout.print(table(("figure", "value", "meaning"), rows))
    if comparison.caution:
        stdout.print()
        stdout.say(comparison.caution, style="yellow")
