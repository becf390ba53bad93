"""Which sandbox bots run in."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.bots.launch import Isolation
from arena.bots.sandbox import missing_for_sandbox
from arena.cli.errors import CommandError, Exit
from arena.cli.output import stderr

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
