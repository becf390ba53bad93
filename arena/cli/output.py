"""Output of commands: tables and sentences for people, or exactly one JSON document for programs.

Progress and errors go to stderr, so that stdout can be piped.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

WIDE = 200  # columns, unless a terminal has a width of its own


def _console(*, errors: bool) -> Console:
    is_terminal = (sys.stderr if errors else sys.stdout).isatty()
    return Console(
        stderr=errors, highlight=False, soft_wrap=True, width=None if is_terminal else WIDE
    )


stdout = _console(errors=False)
stderr = _console(errors=True)

JsonOption = Annotated[bool, typer.Option("--json", help="Print a JSON document instead of text.")]


def print_json(document: Any) -> None:
    """Prints a document on stdout: the whole output of a command with --json."""
    sys.stdout.write(json.dumps(document, ensure_ascii=False, indent=None) + "\n")
    sys.stdout.flush()


def print_error(sentence: str, field: str, *, as_json: bool) -> None:
    """Prints on stderr why a command failed.

    `field`: the argument or option at fault; empty if there is none.
    """
    if as_json:
        print(json.dumps({"error": {"sentence": sentence, "field": field}}), file=sys.stderr)
    else:
        stderr.print("[red bold]error:[/] ", end="")
        stderr.print(sentence, markup=False)


def table(columns: Sequence[str], rows: Iterable[Sequence[object]], title: str = "") -> Table:
    """Returns a table of values, in which columns of numbers are right-aligned."""
    listed = [[_cell(value) for value in row] for row in rows]
    drawn = Table(title=title or None, title_justify="left", box=None, pad_edge=False)
    for i, column in enumerate(columns):
        numeric = all(_is_number(row[i]) for row in listed) and bool(listed)
        drawn.add_column(column, justify="right" if numeric else "left", no_wrap=i == 0)
    for row in listed:
        drawn.add_row(*row)
    return drawn


def _cell(value: object) -> str:
    return f"{value:.2f}" if isinstance(value, float) else str(value)


def _is_number(text: str) -> bool:
    return text.lstrip("-+").replace(".", "", 1).isdigit()
