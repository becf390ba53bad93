"""A table at one moment: seats around it, and what is between them."""

from __future__ import annotations

import math
from collections.abc import Sequence

from arena.web.pictures.pieces import (
    NOTHING,
    Piece,
    beside,
    framed,
    moved,
    stacked,
    text,
)
from arena.web.pictures.scene import Scene
from arena.web.pictures.zones import zone_piece
from arena.web.replay import rows_of, zone_entries

KIND_ORDER = ("hand", "trick", "column", "row", "aces", "pile", "stock", "record")
MARGIN, GAP = 14.0, 18.0
ACTING = 'fill="#000" fill-opacity=".16" stroke="#f3d27a" stroke-width="3"'
RESTING = 'fill="#000" fill-opacity=".06"'
ASIDE = 0.8  # the size of those who sit at the left and at the right
LONGEST_FACT, LONGEST_NAME = 34, 24
MOST_FACTS = 4
RATIO = 2.3  # of the width of a picture to its height


def table_piece(scene: Scene) -> Piece:
    """Returns the table, with the viewer near, or the first seat."""
    drawn = _Zones(scene)
    seats = len(scene.wording.names)
    first = scene.seat or 0
    around = [_seat(scene, drawn, (first + i) % seats) for i in range(seats)]
    around = [seat for seat in around if seat.svg]
    middle = stacked((drawn.middle(), _facts(scene)), 10)
    near, *others = around or [NOTHING]
    if drawn.has_own_columns or len(around) > 4:
        return _in_rows(around, middle)
    if len(around) < 3:
        return _largest((stacked((*others, middle, near), GAP), *_wide(others, middle, near)))
    left, *far, right = others
    across = beside((_aside(left), middle, _aside(right)), GAP, down=0.5)
    return stacked((*far, across, near), GAP)


def _seat(scene: Scene, drawn: _Zones, seat: int) -> Piece:
    """Returns a seat with its name and its zones; NOTHING without zones."""
    zones = drawn.of(seat)
    if not zones.svg:
        return NOTHING
    name = text(scene.wording.names[seat], 17, bold=True, most=LONGEST_NAME)
    box = ACTING if seat == scene.acting else RESTING
    return framed(stacked((name, zones), 6), MARGIN, box)


def _wide(others: Sequence[Piece], middle: Piece, near: Piece) -> tuple[Piece, ...]:
    """Returns two seats with the middle next to them, and with it between them."""
    seats = stacked((*others, near), GAP)
    return beside((seats, middle), GAP, down=0.5), beside((*others, middle, near), GAP, down=0.5)


def _largest(ways: Sequence[Piece]) -> Piece:
    """Returns the one that has the largest cards in a picture."""
    return max(ways, key=lambda way: min(RATIO / way.width, 1 / way.height))


def _aside(seat: Piece) -> Piece:
    return Piece(seat.width * ASIDE, seat.height * ASIDE, moved(seat, 0, 0, ASIDE))


def _in_rows(seats: Sequence[Piece], middle: Piece) -> Piece:
    """Returns many seats, or large ones, in rows as long as they are many."""
    length = math.ceil(math.sqrt(len(seats) + 1))
    rows = [beside(seats[i : i + length], GAP, down=0) for i in range(0, len(seats), length)]
    return stacked((middle, *rows), GAP)


def _facts(scene: Scene) -> Piece:
    """Returns the first facts of the table, one below another."""
    said = scene.wording.facts(scene.observation.facts, scene.seat)
    lines = [f"{one.label} {one.value}" for one in said if isinstance(one.value, str)]
    return stacked([text(line, 15, most=LONGEST_FACT) for line in lines[:MOST_FACTS]])


class _Zones:
    """The zones of a moment, drawn."""

    def __init__(self, scene: Scene) -> None:
        seen, layout = scene.observation, scene.game.layout
        self._layout = layout
        self._keys = [(zone.name, zone.owner) for zone in seen.zones]
        self._entries = zone_entries(self._keys, scene.wording)
        self._pieces = [
            zone_piece(entry, zone, seen, layout)
            for entry, zone in zip(self._entries, seen.zones, strict=True)
        ]

    @property
    def has_own_columns(self) -> bool:
        """True if seats have columns of their own, so that each has a table."""
        return any(one["owner"] is not None and one["kind"] == "column" for one in self._entries)

    def of(self, owner: int) -> Piece:
        """Returns the zones of a seat."""
        return self._lines([i for i, (_, whose) in enumerate(self._keys) if whose == owner])

    def middle(self) -> Piece:
        """Returns the zones of nobody, in the rows of the game."""
        rows = rows_of(self._keys, self._layout)
        in_rows = {place for row in rows for place in row}
        rest = [i for i, (_, whose) in enumerate(self._keys) if whose is None and i not in in_rows]
        lines = [beside([self._pieces[i] for i in row], 12, down=0) for row in rows]
        return stacked((*lines, self._lines(rest)), 10)

    def _lines(self, places: Sequence[int]) -> Piece:
        """Returns zones in lines: columns by themselves, then the others, the largest first."""
        kinds = [self._entries[place]["kind"] for place in places]
        ordered = sorted(zip(kinds, places, strict=True), key=lambda one: KIND_ORDER.index(one[0]))
        columns = [self._pieces[place] for kind, place in ordered if kind == "column"]
        others = [self._pieces[place] for kind, place in ordered if kind != "column"]
        lines = [others[i : i + 5] for i in range(0, len(others), 5)]
        return stacked((beside(columns, 6, down=0), *(beside(line, 14) for line in lines)), 8)
