"""`arena queue`: the queue, and the jobs that were given up."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.cli.asking import Answer, AskedArena, asks_arena
from arena.cli.output import moment, stderr, stdout, table
from arena.operations.running import jobs
from arena.views.running.queue import ChangedJobs

app = typer.Typer()

JobArgument = Annotated[
    str, typer.Argument(metavar="[JOB]", help="A parked job, by its id or the beginning of it.")
]
AllOption = Annotated[bool, typer.Option("--all", help="All parked jobs.")]
HEADINGS = ("job", "competition", "bots", "paired (UTC)", "attempts", "reason")


@app.command("show")
@asks_arena
def show(arena: AskedArena) -> Answer:
    """Show how many jobs wait, and those that were given up.

    Examples:
        arena queue show
    """
    found = arena.ask(jobs.read_queue)
    yield found
    if found.queue is None:
        stdout.say(found.trouble)
    else:
        stdout.say(found.queue.sentence)
    if not found.parked:
        stdout.print("No job is parked.")
        return
    rows = [
        (
            one.job[:10],
            one.competition,
            ", ".join(one.bots),
            moment(one.created_at),
            one.attempts,
            one.reason,
        )
        for one in found.parked
    ]
    stdout.print(table(HEADINGS, rows))


@app.command("retry")
@asks_arena
def retry(
    arena: AskedArena,
    job: JobArgument = "",
    every: AllOption = False,
) -> Answer:
    """Play parked jobs again.

    A ladder's is on the queue within a minute. A tournament or comparison goes on, and plays all
    that it had given up.

    Examples:
        arena queue retry 4f1c0a2277
        arena queue retry --all
    """
    changed = arena.ask(jobs.retry_jobs, job, every)
    yield changed
    _tell(changed, "played again")


@app.command("drop")
@asks_arena
def drop(
    arena: AskedArena,
    job: JobArgument = "",
    every: AllOption = False,
) -> Answer:
    """Drop parked jobs.

    A ladder's is not played. That of a tournament or comparison leaves its place to another with
    the same deals.

    Examples:
        arena queue drop 4f1c0a2277
    """
    changed = arena.ask(jobs.drop_jobs, job, every)
    yield changed
    _tell(changed, "dropped")


def _tell(changed: ChangedJobs, done: str) -> None:
    count = len(changed.jobs)
    stderr.say("1 job is " + done + "." if count == 1 else f"{count} jobs are {done}.")
    for reason in changed.left.values():
        stderr.say(reason)
