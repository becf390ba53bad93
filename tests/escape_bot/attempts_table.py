"""The table of attempts in docs/security.md, which contains exactly the results of the tests."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "security.md"
HEAD = "| The bot tries to … | "
COLUMNS = ("as a process", "in a container")


def read_column(column: str) -> dict[str, str]:
    """Returns the attempts and their results in one column."""
    return {what: outcomes[COLUMNS.index(column)] for what, *outcomes in _rows(_parts()[1])}


def write_column(column: str, seen: Mapping[str, str]) -> None:
    """Writes the results; drops rows of attempts that no longer exist."""
    before, table, after = _parts()
    other = {what: outcomes for what, *outcomes in _rows(table)}
    lines = table[:2]
    for what, outcome in seen.items():
        outcomes = other.get(what, [""] * len(COLUMNS))
        outcomes[COLUMNS.index(column)] = outcome
        lines.append(f"| {what} | {' | '.join(outcomes)} |")
    PAGE.write_text("\n".join([*before, *lines, *after]) + "\n")


def _rows(table: list[str]) -> list[list[str]]:
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table[2:]]


def _parts() -> tuple[list[str], list[str], list[str]]:
    """Returns the lines before the table, of the table, and after it."""
    lines = PAGE.read_text().splitlines()
    begin = next(number for number, line in enumerate(lines) if line.startswith(HEAD))
    end = begin
    while lines[end].startswith("|"):
        end += 1
    return lines[:begin], lines[begin:end], lines[end:]
