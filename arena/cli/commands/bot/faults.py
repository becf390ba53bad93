"""`arena bot faults`: the faults of bots, equal ones folded into one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Any

import typer

from arena.bots import cause_of_fault
from arena.cli import completion
from arena.cli.options import DEFAULT_DATA, DataOption, ServerOption, hint
from arena.cli.output import JsonOption, indented, print_view, stdout
from arena.client.arena import arena_at
from arena.foreign_text import visible
from arena.moment import minute
from arena.operations.matches import list_faults
from arena.operations.operation import LARGEST_PAGE
from arena.store.match_names import short_name
from arena.views.matches.fault import Fault


def faults(
    bot: Annotated[
        str,
        typer.Argument(
            metavar="[BOT]",
            help="Only this bot.",
            show_default=False,
            autocompletion=completion.bots,
        ),
    ] = "",
    owner: Annotated[str, typer.Option(help="Only this owner's bots.")] = "",
    ladder: Annotated[
        str, typer.Option(help="Only faults on this ladder.", autocompletion=completion.ladders)
    ] = "",
    limit: Annotated[int, typer.Option(min=1, max=1000, help="Number of faults to list.")] = 20,
    all_of_them: Annotated[
        bool, typer.Option("--all", help="List every fault, including equal ones.")
    ] = False,
    server: ServerOption = "",
    data: DataOption = DEFAULT_DATA,
    as_json: JsonOption = False,
) -> None:
    """List the faults of bots, the latest first.

    Equal faults of a version are listed once, with their number among the latest 1,000.

    Examples:
        arena bot faults my-bot        # equal faults once
        arena bot faults my-bot --all  # each of them
    """
    alone = all_of_them or as_json
    most = limit if alone else LARGEST_PAGE
    with arena_at(server, data) as arena:
        page = arena.ask(list_faults, bot=bot, owner=owner, ladder=ladder, limit=most)
    if as_json:
        print_view(page)
        return
    found = page.faults
    if not found:
        stdout.print("There are no such faults.")
        return
    folds = [[fault] for fault in found] if alone else _folded(found)
    for fold in folds[:limit]:
        _print(fold)
    stdout.print()
    _print_hints(folds, limit, data, server)


def _folded(found: Iterable[Fault]) -> list[list[Fault]]:
    """Returns the faults, grouped if equal, the latest first."""
    folds: dict[tuple[object, ...], list[Fault]] = {}
    for fault in found:
        key = (
            *(fault.version, fault.competition, fault.kind, fault.decision == 0),
            cause_of_fault(fault.sentence, fault.words),
        )
        folds.setdefault(key, []).append(fault)
    return list(folds.values())


def _print(fold: Sequence[Fault]) -> None:
    """Prints the latest of equal faults, with their number and the first match."""
    latest, first = fold[0], fold[-1]
    where = f"decision {latest.decision}" if latest.decision else "the start"
    times = f"  \N{MULTIPLICATION SIGN}{len(fold)}" if len(fold) > 1 else ""
    stdout.say(
        f"{latest.bot} version {latest.number} on {latest.competition}: {latest.kind} at"
        f" {where}{times}"
    )
    if len(fold) > 1:
        stdout.say(f"    latest match {_match(latest)}")
        stdout.say(f"    first match {_match(first)}")
    else:
        stdout.say(f"    match {_match(latest)}")
    stdout.print(f"    {visible(latest.sentence)}", style="dim")
    if latest.words:
        stdout.print(indented(latest.words), style="dim")


def _match(fault: Fault) -> str:
    return f"{short_name(fault.match)} ({minute(fault.finished_at)})"


def _print_hints(folds: Sequence[Sequence[Fault]], limit: int, data: Any, server: str) -> None:
    latest = folds[0][0]
    match = short_name(latest.match)
    ask_again = hint(f"arena rewind {match} FOLDER --seat {latest.seat}", data, server)
    stdout.say(f"ask the bot again: {ask_again}", style="dim")
    stdout.say(f"read one: {hint(f'arena log {match} --mine', data, server)}", style="dim")
    if any(len(fold) > 1 for fold in folds[:limit]):
        stdout.say("each of them: --all --limit 1000", style="dim")
    if len(folds) > limit:
        stdout.say(f"more: --limit {min(len(folds), LARGEST_PAGE)}", style="dim")
