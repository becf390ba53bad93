"""The geometry of an elimination: a column for each round, a box for each table, and lines along
which entrants go on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from arena.store.schema import CompetitionState
from arena.tournament import bracket_order
from arena.views.tournaments.tournament import PlayedRound, PlayedTable, Tournament

MOST_ENTRANTS = 128
BOX_WIDTH, COLUMN, LINE, GAP, HEAD = 184.0, 226.0, 22.0, 12.0, 28.0


@dataclass(frozen=True)
class Line:
    """An entrant in a box. `points`: of all groups so far; None before the first."""

    number: int
    name: str
    y: float
    points: float | None
    goes_on: bool


@dataclass(frozen=True)
class Box:
    """A table, or a bye. `table`: its number in the round; None for a bye and for what is to
    come."""

    x: float
    y: float
    width: float
    height: float
    lines: Sequence[Line]
    round: int
    table: int | None = None


@dataclass(frozen=True)
class Bracket:
    """A drawing of this size. `paths`: the lines between the boxes, as SVG path data."""

    width: float
    height: float
    rounds: Sequence[tuple[float, int]]
    boxes: Sequence[Box] = field(default=())
    paths: Sequence[str] = field(default=())


@dataclass(frozen=True)
class _Place:
    """A table, a bye or an empty place, before it has a position."""

    entrants: Sequence[int]
    table: PlayedTable | None = None


def bracket_of(found: Tournament) -> Bracket | None:
    """Returns the drawing of an elimination; None if it has too many entrants to be drawn, or
    nothing is paired yet."""
    if not found.rounds or len(found.entrants) > MOST_ENTRANTS:
        return None
    columns = [*(_tree(found) if _is_tree(found) else _stacks(found))]
    boxes = [box for column in columns for box in column]
    height = max((box.y + box.height for box in boxes), default=0.0) + GAP
    return Bracket(
        width=(len(columns) - 1) * COLUMN + BOX_WIDTH,
        height=height,
        rounds=[(at * COLUMN + BOX_WIDTH / 2, at + 1) for at in range(len(columns))],
        boxes=boxes,
        paths=[*_paths(columns, is_tree=_is_tree(found))],
    )


def _is_tree(found: Tournament) -> bool:
    """Returns whether it is a bracket whose places are fixed before the first round."""
    return all(played.method == "bracket" for played in found.rounds)


def _tree(found: Tournament) -> Iterator[list[Box]]:
    """Yields the columns of a fixed bracket, with empty boxes for the rounds to come."""
    slots = bracket_order(len(found.entrants))
    rounds = found.rounds
    unit = LINE + GAP / 2  # half of a box of the first round and its gap
    number = 1
    while (size := 2**number) <= len(slots):
        column = []
        for part, start in enumerate(range(0, len(slots), size)):
            here = set(slots[start : start + size])
            place = _place_of(rounds[number - 1], here) if number <= len(rounds) else _Place(())
            centre = HEAD + (part + 0.5) * size * unit
            column.append(_box(found, place, number, centre - LINE))
        yield column
        number += 1


def _place_of(played: PlayedRound, here: set[int]) -> _Place:
    """Returns who plays in a part of the bracket in a round."""
    for table in played.tables:
        if here >= set(table.entrants):
            return _Place(table.entrants, table)
    return _Place([one for one in played.byes if one in here])


def _stacks(found: Tournament) -> Iterator[list[Box]]:
    """Yields the columns of an elimination that draws each round again: its tables, one under the
    other, then its byes."""
    for played in found.rounds:
        y, column = HEAD, []
        places = [_Place(table.entrants, table) for table in played.tables]
        for place in (*places, *(_Place([one]) for one in played.byes)):
            column.append(_box(found, place, played.round, y))
            y += column[-1].height + GAP
        yield column


def _box(found: Tournament, place: _Place, number: int, y: float) -> Box:
    names = found.bots
    points = place.table.totals if place.table else []
    lines = [
        Line(
            number=one,
            name=names[one],
            y=y + at * LINE,
            points=points[at] if points else None,
            goes_on=_goes_on(found, number, one),
        )
        for at, one in enumerate(place.entrants)
    ]
    return Box(
        x=(number - 1) * COLUMN,
        y=y,
        width=BOX_WIDTH,
        height=LINE * max(2 if len(lines) != 1 else 1, len(lines)),
        lines=lines,
        round=number,
        table=place.table.table if place.table else None,
    )


def _goes_on(found: Tournament, number: int, one: int) -> bool:
    """Returns whether an entrant is in the next round, or has won the tournament."""
    if number < len(found.rounds):
        following = found.rounds[number]
        seated = [other for table in following.tables for other in table.entrants]
        return one in seated or one in following.byes
    return found.state is CompetitionState.OVER and found.standings[0].number == one


def _paths(columns: Sequence[Sequence[Box]], *, is_tree: bool) -> Iterator[str]:
    """Yields a line from each box to where its entrants play next."""
    for column, following in pairwise(columns):
        if is_tree:
            for at, box in enumerate(column):
                yield _path(box, _middle(box), following[at // 2], _middle(following[at // 2]))
        else:
            targets = {line.number: (box, line) for box in following for line in box.lines}
            for box in column:
                for line in box.lines:
                    if line.number in targets:
                        other, onward = targets[line.number]
                        yield _path(box, line.y + LINE / 2, other, onward.y + LINE / 2)


def _middle(box: Box) -> float:
    return box.y + box.height / 2


def _path(box: Box, y: float, other: Box, end: float) -> str:
    start, middle = box.x + BOX_WIDTH, (box.x + BOX_WIDTH + other.x) / 2
    return f"M{start:g} {y:g}C{middle:g} {y:g} {middle:g} {end:g} {other.x:g} {end:g}"
