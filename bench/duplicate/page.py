"""Writes the tables of `docs/duplicate.md` between their pairs of comments; the rest of the page is
written by hand."""

from __future__ import annotations

import re
from pathlib import Path

from bench.duplicate.figures import Figures, Run
from bench.duplicate.form import Form
from bench.duplicate.measure import Row
from bench.duplicate.measure_luck import LuckRow
from bench.duplicate.variance import Share
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


def written(page: str, figures: Figures) -> str:
    """Returns the page with its generated parts as the figures say.

    Raises ValueError unless the page has each part once.
    """
    for name, text in parts(figures).items():
        begin = BEGIN.format(name)
        region = re.compile(f"{re.escape(begin)}.*?{re.escape(END)}", re.DOTALL)
        found = len(region.findall(page))
        if found != 1:
            raise ValueError(f"The page must have the part {name} once; it has it {found} times.")
        page = region.sub(f"{begin}\n{text}{END}".replace("\\", r"\\"), page)
    return page


def parts(figures: Figures) -> dict[str, str]:
    """Returns the generated parts of the page by name."""
    return {
        "duplicate": run_of(figures.duplicate_run) + table(HEAD, [*map(_cells, figures.duplicate)]),
        "luck": run_of(figures.luck_run) + table(LUCK_HEAD, [*map(_luck_cells, figures.luck)]),
    }


def run_of(run: Run | None) -> str:
    """Returns a paragraph on the circumstances of a measurement."""
    if run is None:
        return "Not measured yet.\n\n"
    old, new, house = (f"{100 * noise:g} %" for noise in run.noise)
    return (
        f"Measured on {run.date} by `{run.command}`\non {run.machine}. Of their decisions NEW made "
        f"{new} at random,\nOLD {old}, and house bots {house}.\n\n"
    )


def _cells(row: Row) -> tuple[str, ...]:
    return (
        _title(row.form),
        _seats(row.form),
        f"{row.difference:+.2f} ± {1.96 * row.error:.2f}",
        removed(row.rotation),
        removed(row.full),
        worth(row.full),
        f"{row.groups} of {row.seatings}",
        f"{row.match_ms:.0f}",
    )


def _luck_cells(row: LuckRow) -> tuple[str, ...]:
    return (
        _title(row.form),
        _seats(row.form),
        f"{row.luck:+.3f} ± {1.96 * row.error:.3f}",
        removed(row.single),
        removed(row.group),
        removed(row.both),
        f"{row.groups} of {row.seatings}",
        f"{row.match_ms:.0f}",
        f"{row.luck_ms:.0f}",
    )


def _title(form: Form) -> str:
    """Returns the title of the game, and the version of its rules."""
    return f"{form.game.title} ({form.game.rules_version})"


def _seats(form: Form) -> str:
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
