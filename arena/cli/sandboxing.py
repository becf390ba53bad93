"""Which sandbox bots run in, and what they may read in it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from arena.bots.process.launch import Isolation
from arena.bots.sandbox.bubblewrap import missing_for_sandbox
from arena.bots.sandbox.runtimes import Runtime, WrongRuntimes, named_runtimes
from arena.cli.output import stderr
from arena.client.errors import CommandError, Exit

SandboxOption = Annotated[
    Isolation | None,
    typer.Option(
        "--sandbox",
        help="Where bots run. [default: bubblewrap; where it is missing, `play` and `demo` run them"
        " without a sandbox and say so, all else refuses]",
    ),
]


def chosen_sandbox(wanted: Isolation | None, *, required: bool) -> Isolation:
    """The sandbox to use: bubblewrap, unless none is wanted. Where it does not work, the command
    fails if a sandbox is `required`, and otherwise says once what is missing."""
    if wanted is Isolation.NONE:
        return wanted
    missing = missing_for_sandbox()
    if missing is None:
        return Isolation.BUBBLEWRAP
    if required or wanted is not None:
        raise CommandError(
            f"{missing} To run bots without a sandbox, say --sandbox=none.",
            "sandbox",
            Exit.ARENA_FAILED,
        )
    stderr.print(
        f"Bots run without a sandbox: what they are, you trust. {missing}",
        style="yellow",
        markup=False,
    )
    return Isolation.NONE


def chosen_runtimes(*hidden: Path) -> tuple[Runtime, ...]:
    """The runtimes that the organiser names on this machine. `hidden`: the arena's data, of which
    they may show nothing."""
    try:
        return named_runtimes(hidden)
    except WrongRuntimes as error:
        raise CommandError(str(error), "runtimes") from None
