"""Writes the tables of `docs/duplicate.md` between their pairs of comments; the rest of the page is
written by hand."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.duplicate.form import Form
from bench.duplicate.group import Noise
from bench.duplicate.measure import Row
from bench.duplicate.measure_luck import LuckRow
from bench.duplicate.variance import Share
from bench.interval import with_interval
from tools.game_pages import table

PAGE = Path(__file__).parents[2] / "docs" / "duplicate.md"
BEGIN, END = "<!-- generated: {} -->", "<!-- /generated -->"
HEAD = (
    "game (rules)",
    "seats",
    "difference",
    "rotation removes",
    "full group removes",
    "worth",
    "groups",
    "ms a match",
)
LUCK_HEAD = (
    "game (rules)",
    "seats",
    "mean luck",
    "luck alone removes",
    "rotation removes",
    "luck removes beyond it",
    "groups",
    "ms a match",
    "ms its luck",
)
NOTHING = "-"


@dataclass(frozen=True)
class Run:
    """The circumstances of a measurement.

    `date`: its day, year-month-day.
    `machine`: processor and Python.
    `command`: the command that repeats it.
    `noise`: the share of random decisions of OLD, NEW and HOUSE, from 0 to 1.
    """

    date: str
    machine: str
    command: str
    noise: Noise


def with_duplicate(page: str, run: Run, rows: Sequence[Row]) -> str:
    """Returns the page with these figures of duplicate play. Raises ValueError as `with_part`."""
    return with_part(page, "duplicate", run_of(run) + table(HEAD, [*map(_cells, rows)]))


def with_luck(page: str, run: Run, rows: Sequence[LuckRow]) -> str:
    """Returns the page with these figures of luck. Raises ValueError as `with_part`."""
    return with_part(page, "luck", run_of(run) + table(LUCK_HEAD, [*map(_luck_cells, rows)]))


def with_part(page: str, name: str, text: str) -> str:
    """Returns the page with one generated part replaced.

    Raises ValueError unless the page has the part once.
    """
    begin = BEGIN.format(name)
    region = re.compile(f"{re.escape(begin)}.*?{re.escape(END)}", re.DOTALL)
    found = len(region.findall(page))
    if found != 1:
        raise ValueError(f"The page must have the part {name} once; it has it {found} times.")
    return region.sub(f"{begin}\n{text}{END}".replace("\\", r"\\"), page)


def run_of(run: Run) -> str:
    """Returns a paragraph on the circumstances of a measurement."""
    old, new, house = (f"{100 * noise:g} %" for noise in run.noise)
    return (
        f"Measured on {run.date} by `{run.command}`\non {run.machine}. Of their decisions NEW made "
        f"{new} at random,\nOLD {old}, and house bots {house}.\n\n"
    )


def _cells(row: Row) -> tuple[str, ...]:
    return (
        title_of(row.form),
        seats_of(row.form),
        with_interval(row.difference, row.error),
        removed(row.rotation),
        removed(row.full),
        worth(row.full),
        f"{row.groups} of {row.seatings}",
        f"{row.match_ms:.0f}",
    )


def _luck_cells(row: LuckRow) -> tuple[str, ...]:
    return (
        title_of(row.form),
        seats_of(row.form),
        with_interval(row.luck, row.error, 3),
        removed(row.single),
        removed(row.group),
        removed(row.both),
        f"{row.groups} of {row.seatings}",
        f"{row.match_ms:.0f}",
        f"{row.luck_ms:.0f}",
    )


def title_of(form: Form) -> str:
    """Returns the title of the game, and the version of its rules."""
    return f"{form.game.title} ({form.game.rules_version})"


def seats_of(form: Form) -> str:
    """Returns the number of seats, bold as on new ladders, and whether it is with lines."""
    seats = f"**{form.players}**" if form.is_ladder_default else f"{form.players}"
    return f"{seats}, lines" if form.lines else seats


def removed(share: Share | None) -> str:
    """Returns the variance removed, in per cent, with its interval."""
    if share is None:
        return NOTHING
    return (
        f"{100 * (1 - share.left):.0f} % "
        f"({100 * (1 - share.high):.0f} to {100 * (1 - share.low):.0f})"
    )


def worth(share: Share | None) -> str:
    """Returns how many single matches one match of a group is worth."""
    return NOTHING if share is None or share.left <= 0 else f"{1 / share.left:.2g}"
