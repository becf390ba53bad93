"""`arena top`: a live view of the workers, the queue and the competitions."""

from __future__ import annotations

import time
from typing import Annotated

import typer
from rich.console import Group, RenderableType
from rich.live import Live
from rich.text import Text

from arena.cli.options import DEFAULT_DATA, DataOption, ServerOption
from arena.cli.output import JsonOption, moment, print_view, stdout, table
from arena.client.arena import Arena, arena_at
from arena.foreign_text import visible
from arena.operations.arena import read_activity
from arena.views.activity import Activity

COMPETITION = ("name", "kind", "game", "state", "entrants", "queued", "matches", "matches_a_minute")
HEADINGS = ("competition", "kind", "game", "state", "entrants", "queued", "matches", "a minute")


def top(
    every: Annotated[
        float, typer.Option(min=0.2, help="Time between two looks, in seconds.")
    ] = 2.0,
    server: ServerOption = "",
    data: DataOption = DEFAULT_DATA,
    as_json: JsonOption = False,
) -> None:
    """Watch the workers, the queue and the competitions.

    With --json, or where there is no terminal, print them once.

    Examples:
        arena top
        arena top --server https://arena.example --every 10
    """
    with arena_at(server, data) as arena:
        if as_json:
            print_view(arena.ask(read_activity))
        elif stdout.is_terminal:
            _watch(arena, every)
        else:
            stdout.print(_drawn(arena.ask(read_activity)))


def _watch(arena: Arena, every_s: float) -> None:
    with Live(console=stdout, auto_refresh=False, screen=True) as shown:
        while True:
            shown.update(_drawn(arena.ask(read_activity)), refresh=True)
            time.sleep(every_s)


def _drawn(activity: Activity) -> RenderableType:
    workers = [(one.name, one.jobs, f"{one.silent_s:.1f}") for one in activity.workers]
    machines = [
        (one.name, one.state, moment(one.seen_at) if one.seen_at else "never")
        for one in activity.machines
    ]
    competitions = [[getattr(one, name) for name in COMPETITION] for one in activity.competitions]
    return Group(
        Text(visible(activity.queue.sentence if activity.queue else activity.trouble)),
        Text(),
        table(("worker", "jobs", "seconds silent"), workers),
        Text(),
        table(("machine", "state", "last seen"), machines),
        Text(),
        table(HEADINGS, competitions),
    )
