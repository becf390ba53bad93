"""Pieces of a drawing with a size, put next to each other and on top of each other.

Colours are attributes and not styles, so that a picture obeys the pages' policy also by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import escape

FONT = "DejaVu Sans, system-ui, sans-serif"
LETTER = 0.62  # the mean width of a letter, in font sizes


@dataclass(frozen=True)
class Piece:
    """A part of a drawing, from its upper left corner. `svg`: its elements."""

    width: float
    height: float
    svg: str


NOTHING = Piece(0, 0, "")


def moved(piece: Piece, x: float, y: float, scale: float = 1) -> str:
    """Returns the elements of a piece at a place."""
    if not piece.svg:
        return ""
    scaled = "" if scale == 1 else f" scale({scale:.4g})"
    return f'<g transform="translate({x:.4g} {y:.4g}){scaled}">{piece.svg}</g>'


def beside(pieces: Sequence[Piece], gap: float = 0, *, down: float = 1) -> Piece:
    """Returns the pieces in a row. `down`: with their heads (0), middles (0.5) or feet (1) on a
    line."""
    shown = [piece for piece in pieces if piece.svg]
    height = max((piece.height for piece in shown), default=0)
    x, parts = 0.0, []
    for piece in shown:
        parts.append(moved(piece, x, (height - piece.height) * down))
        x += piece.width + gap
    return Piece(max(x - gap, 0), height, "".join(parts))


def stacked(pieces: Sequence[Piece], gap: float = 0) -> Piece:
    """Returns the pieces below each other, their middles on a line."""
    shown = [piece for piece in pieces if piece.svg]
    width = max((piece.width for piece in shown), default=0)
    y, parts = 0.0, []
    for piece in shown:
        parts.append(moved(piece, (width - piece.width) / 2, y))
        y += piece.height + gap
    return Piece(width, max(y - gap, 0), "".join(parts))


def overlapping(pieces: Sequence[Piece], step: float, *, downwards: bool = False) -> Piece:
    """Returns the pieces, each of which covers a part of the one before."""
    if not pieces:
        return NOTHING
    far = step * (len(pieces) - 1)
    parts = [
        moved(piece, 0 if downwards else step * i, step * i if downwards else 0)
        for i, piece in enumerate(pieces)
    ]
    first = pieces[0]
    across, down = (0.0, far) if downwards else (far, 0.0)
    return Piece(first.width + across, first.height + down, "".join(parts))


def text(
    words: str,
    size: float,
    *,
    colour: str = "#f4f8f5",
    bold: bool = False,
    most: int = 60,
    centred: bool = True,
) -> Piece:
    """Returns a line of text, which is a stranger's. `most`: the letters that are shown of it."""
    said = words if len(words) <= most else f"{words[: most - 1]}…"
    if not said:
        return NOTHING
    width = len(said) * size * LETTER
    weight = ' font-weight="700"' if bold else ""
    place = f'x="{width / 2:.4g}" text-anchor="middle"' if centred else 'x="0"'
    return Piece(
        width,
        size * 1.3,
        f'<text {place} y="{size:.4g}" font-family="{FONT}" font-size="{size:.4g}"{weight}'
        f' fill="{colour}">{escape(said)}</text>',
    )


def framed(piece: Piece, margin: float, attributes: str) -> Piece:
    """Returns a piece in a box with round corners."""
    width, height = piece.width + 2 * margin, piece.height + 2 * margin
    box = f'<rect width="{width:.4g}" height="{height:.4g}" rx="{margin:.4g}" {attributes}/>'
    return Piece(width, height, box + moved(piece, margin, margin))


def fitted(piece: Piece, width: float, height: float, most: float = 3) -> str:
    """Returns a piece in the middle of an area, as large as it fits. `most`: the largest scale."""
    if not piece.svg:
        return ""
    scale = min(width / piece.width, height / piece.height, most)
    x, y = (width - piece.width * scale) / 2, (height - piece.height * scale) / 2
    return moved(piece, x, y, scale)
