"""`python -m bench [engine|host|ladder]…`: the tables of figures and ratios."""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable
from importlib.metadata import version

from rich.console import Console
from rich.table import Table

from bench import engine, host, ladder
from bench.side_by_side import ROUNDS, SECONDS, Ratio

RATIOS: dict[str, Callable[[], list[Ratio]]] = {"engine": engine.ratios, "host": host.ratios}
QUOTED = ("open-spiel", "grpcio", "protobuf")


def main(parts: list[str]) -> None:
    """Runs the parts named, or all, and prints their tables."""
    out = Console()
    versions = ", ".join(f"{name} {version(name)}" for name in QUOTED)
    out.print(f"Python {platform.python_version()}, {versions}; {platform.machine()}")
    out.print(f"Each side at least {SECONDS:g} s, {ROUNDS} times, alternating: median ± spread.\n")
    for part in parts or [*RATIOS, "ladder"]:
        if part == "ladder":
            out.print(ladder.figures())
        else:
            out.print(_table(part, RATIOS[part]()))


def _table(part: str, ratios: list[Ratio]) -> Table:
    table = Table("what", "ours", "against", "", "ratio", "target", "", title=part)
    for ratio in ratios:
        table.add_row(
            ratio.what,
            str(ratio.figure),
            str(ratio.against),
            ratio.against.name,
            f"{ratio.value:.2f}",
            "" if ratio.target is None else f"{ratio.target:g}",
            ratio.verdict,
        )
    return table


main(sys.argv[1:])
