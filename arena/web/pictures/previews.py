"""Whole pictures: a table for a page, and a preview with words for links that are shared."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from arena.web.pictures.pieces import Piece, fitted, moved, text

WIDTH, HEIGHT = 1200, 630  # as previews of links are shown
BAR = 118
MARGIN = 26
FELT = "#2b6b4f"
PAPER = "#fbfaf7"
INK = "#1d2421"
MUTED = "#5b6560"
GOLD = "#f3d27a"
LOGO = Path(__file__).parent.with_name("static") / "icon.svg"


@dataclass(frozen=True)
class Line:
    """A line of a list: a place or a date, a name, and a number that goes with it."""

    first: str
    name: str
    last: str


def table_svg(table: Piece, felt: str = FELT) -> str:
    """Returns a table by itself. `felt`: its colour."""
    area = fitted(table, WIDTH - 2 * MARGIN, HEIGHT - 2 * MARGIN)
    return _svg(_felt(HEIGHT, felt) + f'<g transform="translate({MARGIN} {MARGIN})">{area}</g>')


def table_preview(table: Piece, title: str, subtitle: str, felt: str = FELT) -> str:
    """Returns a table above a title."""
    height = HEIGHT - BAR
    area = fitted(table, WIDTH - 2 * MARGIN, height - 2 * MARGIN)
    drawn = f'<g transform="translate({MARGIN} {MARGIN})">{area}</g>'
    return _svg(_felt(height, felt) + drawn + _bar(title, subtitle))


def list_preview(lines: Sequence[Line], title: str, subtitle: str) -> str:
    """Returns up to five lines above a title."""
    rows = "".join(_row(line, place) for place, line in enumerate(lines[:5]))
    return _svg(_felt(HEIGHT - BAR) + rows + _bar(title, subtitle))


def _row(line: Line, place: int) -> str:
    y = 46 + place * 86
    last = text(line.last, 34, most=16)
    return "".join(
        (
            moved(text(line.first, 34, colour=GOLD, bold=True, most=6, centred=False), 80, y),
            moved(text(line.name, 36, bold=place == 0, most=30, centred=False), 190, y),
            moved(last, WIDTH - 80 - last.width, y),
        )
    )


def _felt(height: int, colour: str = FELT) -> str:
    return (
        f'<rect width="{WIDTH}" height="{height}" fill="{colour}"/>'
        f'<rect x="6" y="6" width="{WIDTH - 12}" height="{height - 12}" rx="14" fill="none"'
        f' stroke="#000" stroke-opacity=".3" stroke-width="4"/>'
    )


def _bar(title: str, subtitle: str) -> str:
    """Returns the foot of a preview: the logo, a title and a line below it."""
    y = HEIGHT - BAR
    return "".join(
        (
            f'<rect y="{y}" width="{WIDTH}" height="{BAR}" fill="{PAPER}"/>',
            moved(Piece(32, 32, logo()), MARGIN, y + 19, 2.5),
            moved(text(title, 36, colour=INK, bold=True, most=46, centred=False), 126, y + 12),
            moved(text(subtitle, 24, colour=MUTED, most=86, centred=False), 126, y + 66),
        )
    )


@cache
def logo() -> str:
    """Returns the elements of the arena's logo, in a square of 32 units."""
    return re.sub(r"</?svg[^>]*>", "", LOGO.read_text(encoding="utf-8"))


def _svg(content: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}"'
        f' height="{HEIGHT}">{content}</svg>'
    )
