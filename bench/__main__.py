"""`python -m bench [PART]…` prints tables of figures and ratios; PARTS has the names.

`python -m bench simulate` plays ladders with invented bots, `python -m bench searcher` measures a
sample bot, `python -m bench chaos` harms a running arena, and `python -m bench season` rehearses a
whole season; `--help` shows their options.
"""

from __future__ import annotations

import platform
import signal
import sys
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version

from rich.console import Console

from arena.transport import prefer_older_engine
from bench.side_by_side import ROUNDS, SECONDS
from sevens_games.engine import match

# Modules, each with a function `tables`. The large ones run only when they are named.
PARTS = (
    "engine",
    "host",
    "languages",
    "covert",
    "hostile",
    "compare",
    "fit",
    "places",
    "league",
    "pages",
)
LARGE = (
    "analysis",
    "budgets",
    "byes",
    "million",
    "playouts",
    "queries",
    "restore",
    "rules_process",
    "skills",
)
COMMANDS = {
    "simulate": "simulation.command",
    "chaos": "chaos.command",
    "searcher": "searcher",
    "soak": "soak.command",
    "season": "season.command",
}
"""Programs with options of their own."""
QUOTED = ("open-spiel", "grpcio", "protobuf")


def main(parts: list[str]) -> None:
    """Runs one of the programs, or the named parts, or all of them, and prints their tables."""
    if parts and parts[0] in COMMANDS:
        # An interrupted program, too, ends what it has started.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
        import_module(f"bench.{COMMANDS[parts[0]]}").main(parts[1:])
        return
    known = (*PARTS, *LARGE)
    if unknown := set(parts) - set(known):
        sys.exit(
            f"Unknown part: {', '.join(sorted(unknown))}. Choose from"
            f" {', '.join((*known, *COMMANDS))}."
        )
    prefer_older_engine()  # as the arena's commands do
    out = Console()
    versions = ", ".join(f"{name} {_version(name)}" for name in QUOTED)
    rules = "plain" if match.__file__.endswith(".py") else "compiled"
    out.print(
        f"Python {platform.python_version()}, {versions}; {platform.machine()}; {rules} rules"
    )
    out.print(
        f"Medians of {ROUNDS} alternating rounds of {SECONDS:g} s or more; ± half the spread.\n"
    )
    for part in parts or PARTS:
        for table in import_module(f"bench.{part}").tables():
            out.print(table)


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "(not installed)"


if __name__ == "__main__":
    main(sys.argv[1:])
