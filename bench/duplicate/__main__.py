"""Measures how much luck duplicate play and the luck adjustment remove, and writes
`docs/duplicate.md`."""

from __future__ import annotations

import platform
import shlex
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from bench.duplicate.form import Form, all_forms
from bench.duplicate.measure import Row, measured
from bench.duplicate.measure_luck import LuckRow, measured_luck
from bench.duplicate.page import PAGE, Run, removed, with_duplicate, with_luck
from sevens_games import own_slugs

CPU_INFO = Path("/proc/cpuinfo")
TABLES = ("duplicate", "luck")

R = TypeVar("R", Row, LuckRow)


def main(given: list[str]) -> None:
    asked = arguments(given)
    page = asked.page.read_text()
    if "duplicate" in asked.tables:
        rows = measured(*_terms(asked))
        page = with_duplicate(page, _run(asked, given), _announced(rows))
    if "luck" in asked.tables:
        luck_rows = measured_luck(*_terms(asked))
        page = with_luck(page, _run(asked, given), _announced(luck_rows))
    asked.page.write_text(page)


def arguments(given: list[str]) -> Namespace:
    parser = ArgumentParser(prog="python -m bench.duplicate", description=__doc__)
    add = parser.add_argument
    add(
        "tables",
        nargs="+",
        metavar="TABLE",
        help=f"what to measure: {', '.join(TABLES)}",
    )
    add(
        "--seconds",
        type=float,
        default=240.0,
        help="CPU time for all rows of a table (default: 240)",
    )
    add("--groups", type=int, help="play so many groups for each row, whatever time that takes")
    add("--games", nargs="+", choices=sorted(own_slugs()), metavar="SLUG", help="only these games")
    add("--seed", default="duplicate", help="seed of all deals and bots (default: duplicate)")
    add(
        "--noise",
        type=float,
        nargs=3,
        default=(0.3, 0.1, 0.2),
        metavar=("OLD", "NEW", "HOUSE"),
        help="share of each player's decisions that are random, 0 to 1 (default: 0.3 0.1 0.2)",
    )
    add(
        "--page",
        type=Path,
        default=PAGE,
        help="the page, which has the places of both tables (default: docs/duplicate.md)",
    )
    asked = parser.parse_args(given)
    if unknown := set(asked.tables) - set(TABLES):
        parser.error(f"There is no table {', '.join(unknown)}; choose from {', '.join(TABLES)}.")
    if asked.groups is not None and asked.groups < 2:
        parser.error("--groups must be at least 2: one group has no variance.")
    if not all(0 <= noise <= 1 for noise in asked.noise):
        parser.error("--noise takes three numbers from 0 to 1.")
    return asked


def _terms(
    asked: Namespace,
) -> tuple[list[Form], float, str, tuple[float, float, float], int | None]:
    forms = [form for form in all_forms() if asked.games is None or form.slug in asked.games]
    old, new, house = asked.noise
    return forms, asked.seconds, asked.seed, (old, new, house), asked.groups


def _announced(rows: Iterable[R]) -> tuple[R, ...]:
    """Prints a line for each row as soon as it is measured."""
    measured_rows = []
    for row in rows:
        share = row.full if isinstance(row, Row) else row.both
        print(f"{row.form}: {row.groups} groups, {removed(share)} removed", flush=True)
        measured_rows.append(row)
    return tuple(measured_rows)


def _run(asked: Namespace, given: list[str]) -> Run:
    old, new, house = asked.noise
    return Run(
        date=datetime.now(UTC).date().isoformat(),
        machine=machine(),
        command=shlex.join(["python", "-m", "bench.duplicate", *given]),
        noise=(old, new, house),
    )


def machine() -> str:
    """Returns the processor and the Python that play."""
    lines = CPU_INFO.read_text().splitlines() if CPU_INFO.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    processor = names[0] if names else platform.machine()
    return f"one core ({processor}, Python {platform.python_version()})"


if __name__ == "__main__":
    main(sys.argv[1:])
