"""`arena compare list|show|pause|cancel`: prints and changes comparisons."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import typer

from arena.cli import completion
from arena.cli.options import DEFAULT_DATA, DataOption, ServerOption
from arena.cli.output import JsonOption, print_json, stderr, stdout, table
from arena.client import Arena, all_comparisons, arena_at
from arena.errors import CommandError, Exit
from arena.foreign_text import visible
from arena.league.comparison import Mode, Status, read_status, status_document
from arena.server import COMPARISON_STATES
from arena.statistics import Scale, Verdict
from arena.store import CompetitionState
from sevens.league.v1.comparison_pb2 import (
    ChangeComparisonRequest,
    ComparedVersion,
    Comparison,
    ReadComparisonRequest,
    ReadComparisonResponse,
)

STATE_NAMES = {number: str(state) for state, number in COMPARISON_STATES.items()}
ASKED = {
    Mode.HEAD_TO_HEAD: "head to head: both at one table",
    Mode.REPLACEMENT: "replacement: the same deals, once with each",
}
UNITS = {Scale.RANKS: "rank points", Scale.SCORE: "points"}

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
    """Show a comparison: its plan, its figures, its verdict.

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
    """Give a comparison up for good; what has been played stays.

    Examples:
        arena compare cancel compare-3fa9c1d2
    """
    with arena_at(server, data) as arena:
        change(arena, name, CompetitionState.CANCELLED)
    stderr.say(f"Cancelled the comparison {name}.")


def change(arena: Arena, name: str, state: CompetitionState) -> None:
    """Gives a comparison a state. Raises CommandError."""
    request = ChangeComparisonRequest(comparison=name, state=COMPARISON_STATES[state])
    arena.call("ChangeComparison", request)


def read(arena: Arena, name: str) -> Status:
    """Returns how a comparison stands. Raises CommandError."""
    request = ReadComparisonRequest(comparison=name)
    response: ReadComparisonResponse = arena.call("ReadComparison", request)
    try:
        return read_status(response.document)
    except ValueError:
        raise CommandError(
            "The arena's answer is no comparison: it may be of another version. Try the command"
            " of its version.",
            "name",
            Exit.UNREACHABLE,
        ) from None


def print_plan(status: Status) -> None:
    """Prints what was agreed before the first group."""
    plan, terms = status.plan, status.plan.terms
    house = f", among {', '.join(map(str, plan.house))}" if plan.house else ""
    fields = {
        "comparison": status.comparison,
        "question": f"is {plan.new} better than {plan.old}{house}?",
        "game": f"{plan.game}, {len(plan.seatings[0])} seats, {_options(plan.options)}",
        "mode": f"{ASKED[plan.mode]}; {len(plan.seatings)} matches a group",
        "counts": UNITS[plan.scale],
        "test": f"t = {terms.t0:g} against t = {terms.t1:g}, errors {terms.alpha:.3g} and"
        f" {terms.beta:.3g}, at most {terms.most_groups:,} groups",
        "plan": status.plan_digest,
        "commitment": status.commitment,
        "state": status.state,
    }
    for field, value in fields.items():
        stdout.say(visible(f"{field}: {value}"))
    if status.problem:
        stdout.say(visible(status.problem), style="yellow")
    stdout.print()


def print_figures(status: Status) -> None:
    """Prints the verdict, or how it stands, with its figures."""
    stdout.say(visible(status.sentence), style="bold")
    stdout.print()
    rows = [(name, value, what) for name, (value, what) in figures(status).items()]
    stdout.print(table(("figure", "value", "meaning"), rows))
    if status.caution:
        stdout.print()
        stdout.say(status.caution, style="yellow")


def figures(status: Status) -> Mapping[str, tuple[str, str]]:
    """Returns the figures by name, each with what it means."""
    found, plan = status.findings, status.plan
    unit = f"{UNITS[plan.scale]} per seat and match"
    figures = {
        "groups": (
            f"{found.groups:,}",
            f"counted, of {status.started:,} started; {status.waiting} wait for an earlier one",
        ),
        "matches": (f"{status.matches:,}", f"{len(plan.seatings)} in a group"),
    }
    if estimate := found.estimate:
        low, high = estimate.points_low, estimate.points_high
        figures["difference"] = (
            f"{estimate.points:+.4f}",
            f"{unit}, median-unbiased; 95 %: {low:+.4f} to {high:+.4f}",
        )
        if estimate.t is not None:
            figures["strength"] = (
                f"{estimate.t:+.3f}",
                f"t, median-unbiased; 95 %: {estimate.t_low:+.3f} to {estimate.t_high:+.3f}",
            )
    elif found.groups:
        figures["difference"] = (f"{found.mean:+.4f}", f"{unit}, plain mean so far")
    if found.interval is not None:
        low, high = found.interval
        figures["interval"] = (f"{low:+.4f} to {high:+.4f}", f"95 % at every look; {unit}")
    figures["ratio"] = (
        f"{found.ratio:+.2f}",
        f"log likelihood; {found.lower:+.2f} is not better, {found.upper:+.2f} is better",
    )
    if shared := _share(status):
        figures["share"] = (shared, "of the points between the two went to NEW")
    figures["faults"] = (
        f"{status.new_faults} / {status.old_faults}",
        "seats at fault: NEW / OLD",
    )
    return figures


def _share(status: Status) -> str:
    """Returns NEW's share of the points where only the two sit at the table; else nothing."""
    plan, found = status.plan, status.findings
    alone = plan.mode is Mode.HEAD_TO_HEAD and not plan.house and plan.scale is Scale.RANKS
    if not alone or not found.groups:
        return ""
    difference = found.estimate.points if found.estimate else found.mean
    return f"{(1 + difference) / 2:.1%}"


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


def _options(options: Mapping[str, str]) -> str:
    return ", ".join(f"{name} {value}" for name, value in options.items()) or "no options"
