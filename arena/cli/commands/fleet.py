"""`arena fleet`: the machines whose workers play."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.cli.asking import Answer, AskedArena, asks_arena
from arena.cli.output import moment, stderr, stdout, table
from arena.foreign_text import visible
from arena.operations.running import fleet
from arena.views.running.machines import Machine

app = typer.Typer()

MachineArgument = Annotated[
    str, typer.Argument(metavar="MACHINE", help="The name of a machine, as it is listed.")
]
HEADINGS = ("machine", "state", "version", "address", "seen", "matches", "a minute", "faults")


@app.command("list")
@asks_arena
def list_machines(arena: AskedArena) -> Answer:
    """List the machines whose workers have called, with what they play.

    Examples:
        arena fleet list
    """
    found = arena.ask(fleet.list_machines)
    yield found
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
@asks_arena
def block(
    arena: AskedArena,
    machine: MachineArgument,
    reason: Annotated[str, typer.Option(help="The reason in a sentence, for organisers.")],
) -> Answer:
    """Give the workers of a machine no more jobs.

    What they play is played to its end.

    Examples:
        arena fleet block host7 --reason "Its fan is broken."
    """
    blocked = arena.ask(fleet.block_machine, machine, reason)
    yield blocked
    stderr.say(f"{machine} gets no more jobs.")


@app.command("unblock")
@asks_arena
def unblock(
    arena: AskedArena,
    machine: MachineArgument,
) -> Answer:
    """Give the workers of a blocked machine jobs again.

    Examples:
        arena fleet unblock host7
    """
    unblocked = arena.ask(fleet.unblock_machine, machine)
    yield unblocked
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
