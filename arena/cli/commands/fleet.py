"""`arena fleet`: the machines whose workers play."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.cli.options import DEFAULT_DATA, DataOption, ServerOption
from arena.cli.output import JsonOption, moment, print_view, stderr, stdout, table
from arena.client.arena import arena_at
from arena.foreign_text import visible
from arena.operations.running import fleet
from arena.views.running.machines import Machine

app = typer.Typer(help="List the machines whose workers play, and block them.")

MachineArgument = Annotated[
    str, typer.Argument(metavar="MACHINE", help="The name of a machine, as it is listed.")
]
HEADINGS = ("machine", "state", "version", "address", "seen", "matches", "a minute", "faults")


@app.command("list")
def list_machines(
    server: ServerOption = "", data: DataOption = DEFAULT_DATA, as_json: JsonOption = False
) -> None:
    """List the machines whose workers have called, with what they play.

    Examples:
        arena fleet list
    """
    with arena_at(server, data) as arena:
        found = arena.ask(fleet.list_machines)
    if as_json:
        print_view(found)
        return
    if found.trouble:
        stderr.say(found.trouble)
    if not found.machines:
        stdout.print("No worker has called yet.")
        return
    stdout.print(table(HEADINGS, [_row(one) for one in found.machines]))
    workers = [
        (
            visible(worker.worker),
            visible(worker.version),
            worker.at_once,
            ", ".join(f"{job.competition} ({job.job[:10]})" for job in worker.jobs) or "nothing",
        )
        for one in found.machines
        for worker in one.workers
    ]
    if workers:
        stdout.print(table(("worker", "version", "at once", "plays"), workers))


@app.command("block")
def block(
    machine: MachineArgument,
    reason: Annotated[str, typer.Option(help="The reason in a sentence, for organisers.")],
    server: ServerOption = "",
    data: DataOption = DEFAULT_DATA,
    as_json: JsonOption = False,
) -> None:
    """Give the workers of a machine no more jobs.

    What they play is played to its end.

    Examples:
        arena fleet block host7 --reason "Its fan is broken."
    """
    with arena_at(server, data) as arena:
        blocked = arena.ask(fleet.block_machine, machine, reason)
    if as_json:
        print_view(blocked)
    else:
        stderr.say(f"{machine} gets no more jobs.")


@app.command("unblock")
def unblock(
    machine: MachineArgument,
    server: ServerOption = "",
    data: DataOption = DEFAULT_DATA,
    as_json: JsonOption = False,
) -> None:
    """Give the workers of a blocked machine jobs again.

    Examples:
        arena fleet unblock host7
    """
    with arena_at(server, data) as arena:
        unblocked = arena.ask(fleet.unblock_machine, machine)
    if as_json:
        print_view(unblocked)
    else:
        stderr.say(f"{machine} gets jobs again.")


def _row(one: Machine) -> tuple[object, ...]:
    return (
        visible(one.machine),
        f"blocked: {visible(one.reason)}" if one.blocked_at else "plays" if one.workers else "away",
        visible(one.version),
        visible(one.address) or "local",
        moment(one.seen_at) if one.seen_at else "never",
        one.matches,
        f"{one.matches_a_minute:.1f}",
        ", ".join(f"{kind}: {count}" for kind, count in one.faults.items()) or "none",
    )
