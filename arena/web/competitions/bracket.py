"""The geometry of an elimination: a column for each round, a box for each table, and lines along
which entrants go on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise

from arena.store.schema import CompetitionState
from arena.tournament import bracket_order
from arena.views.tournaments.tournament import PlayedRound, PlayedTable, Tournament

MOST_ENTRANTS = 128
BOX_WIDTH, COLUMN, LINE, GAP, HEAD = 184.0, 226.0, 22.0, 12.0, 28.0
UNIT = LINE + GAP / 2  # half of a box of a tree's first round and its gap


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
    """A drawing of this size.

    `rounds`: the middle of each round's column, with its number.
    `parts`: where a bracket begins, or the table for the third place, with its name.
    `paths`: the lines between the boxes, as SVG path data.
    """

    width: float
    height: float
    rounds: Sequence[tuple[float, int]]
    parts: Sequence[tuple[float, float, str]]
    boxes: Sequence[Box]
    paths: Sequence[str]


@dataclass(frozen=True)
class _Place:
    """A table, a bye or an empty place, before it has a position."""

    entrants: Sequence[int]
    table: PlayedTable | None = None


def bracket_of(tournament: Tournament) -> Bracket | None:
    """Returns the drawing of an elimination; None if it has too many entrants to be drawn, or
    nothing is paired yet."""
    after = tournament.knockout.after
    if len(tournament.rounds) <= after:
        return None
    found = tournament.bracket()
    if len(found.entrants) > MOST_ENTRANTS:
        return None
    parts: list[tuple[float, float, str]] = []
    if found.plays == "double-elimination" and found.brackets:
        columns, paths, parts = _two_brackets(found)
    elif all(played.method == "bracket" for played in found.rounds):
        columns = [*_tree(found, HEAD)]
        paths = [*_tree_paths(columns)]
        parts = _add_third_place(found, columns[-1])
    else:
        columns = [*_stacks(found)]
        paths = [*_ways(columns)]
    boxes = [replace(box, round=box.round + after) for column in columns for box in column]
    return Bracket(
        width=(len(columns) - 1) * COLUMN + BOX_WIDTH,
        height=max(box.y + box.height for box in boxes) + GAP,
        rounds=[(at * COLUMN + BOX_WIDTH / 2, after + at + 1) for at in range(len(columns))],
        parts=parts,
        boxes=boxes,
        paths=paths,
    )


def _add_third_place(found: Tournament, last: list[Box]) -> list[tuple[float, float, str]]:
    """Adds the table for the third place below the final, if it is paired; returns its name and
    where that is written."""
    [final] = last
    y = final.y + final.height + LINE
    for place in _places_in(found, found.rounds[-1], "third place"):
        last.append(_box(found, place, final.round, y + LINE))
        return [(final.x, y, "Third place")]
    return []


def _two_brackets(
    found: Tournament,
) -> tuple[list[list[Box]], list[str], list[tuple[float, float, str]]]:
    """Returns the columns, the paths and the names of the parts: the winners' bracket, the losers'
    bracket below, and after both the final between them."""
    upper = [*_tree(found, HEAD + LINE)]
    between = HEAD + LINE + len(bracket_order(len(found.entrants))) * UNIT + LINE
    below = between + 3 * LINE + GAP
    paths = [*_tree_paths(upper)]
    beaten: set[int] = set()
    losing: list[list[_Place]] = []
    for played in found.rounds:
        byes = [_Place([one]) for one in played.byes if one in beaten]
        losing.append([*_places_in(found, played, "losers' bracket"), *byes])
        beaten |= found.losers[played.round - 1]
    lower = [
        _stack(found, played, places, below)
        for played, places in zip(found.rounds, _untangled(losing), strict=True)
    ]
    finals = [
        _stack(found, played, _places_in(found, played, "final"), between)
        for played in found.rounds
    ]
    paths += [*_ways([low + final for low, final in zip(lower, finals, strict=True)])]
    parts = [(0.0, HEAD, "Winners' bracket"), (0.0, below - LINE, "Losers' bracket")]
    decisive = next((column[0] for column in finals if column), None)
    if decisive is not None:
        parts.append((decisive.x, between - LINE, "Final"))
        paths.append(_path(upper[-1][0], _middle(upper[-1][0]), decisive, _middle(decisive)))
    return (
        [
            (upper[at] if at < len(upper) else [])
            + (lower[at] + finals[at] if at < len(lower) else [])
            for at in range(max(len(upper), len(lower)))
        ],
        paths,
        parts,
    )


def _places_in(found: Tournament, played: PlayedRound, part: str) -> list[_Place]:
    return [
        _Place(table.entrants, table)
        for table in played.tables
        if found.brackets.get((played.round, table.table)) == part
    ]


def _tree(found: Tournament, top: float) -> Iterator[list[Box]]:
    """Yields the columns of a fixed bracket, with empty boxes for the rounds to come."""
    slots = bracket_order(len(found.entrants))
    rounds = found.rounds
    number = 1
    while (size := 2**number) <= len(slots):
        column = []
        for part, start in enumerate(range(0, len(slots), size)):
            here = set(slots[start : start + size])
            place = _place_of(rounds[number - 1], here) if number <= len(rounds) else _Place(())
            centre = top + (part + 0.5) * size * UNIT
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
    rounds = [
        [
            *(_Place(table.entrants, table) for table in played.tables),
            *(_Place([one]) for one in played.byes),
        ]
        for played in found.rounds
    ]
    for played, places in zip(found.rounds, _untangled(rounds), strict=True):
        yield _stack(found, played, places, HEAD)


def _untangled(rounds: Sequence[list[_Place]]) -> Sequence[list[_Place]]:
    """Returns the places of each round in such an order that the ways to the next round do not
    cross, if one entrant goes on from each."""
    ordered = [[*places] for places in rounds]
    for places, following in reversed([*pairwise(ordered)]):
        target = {one: at for at, place in enumerate(following) for one in place.entrants}
        places.sort(key=partial(_first_target, target))
    return ordered


def _first_target(target: Mapping[int, int], place: _Place) -> int:
    return min((target[one] for one in place.entrants if one in target), default=len(target))


def _stack(found: Tournament, played: PlayedRound, places: Sequence[_Place], y: float) -> list[Box]:
    column: list[Box] = []
    for place in places:
        column.append(_box(found, place, played.round, y))
        y += column[-1].height + GAP
    return column


def _box(found: Tournament, place: _Place, number: int, y: float) -> Box:
    names = found.bots
    points = found.totals_at(place.table) if place.table else []
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
    """Returns whether an entrant has not lost in a round that is over."""
    is_over = number < len(found.rounds) or found.state is CompetitionState.OVER
    return is_over and one not in found.losers[number - 1]


def _tree_paths(columns: Sequence[Sequence[Box]]) -> Iterator[str]:
    """Yields a line from each box of a tree to the one that its winner goes on to."""
    for column, following in pairwise(columns):
        for at, box in enumerate(column):
            yield _path(box, _middle(box), following[at // 2], _middle(following[at // 2]))


def _ways(columns: Sequence[Sequence[Box]]) -> Iterator[str]:
    """Yields a line from each entrant to where it plays next."""
    for column, following in pairwise(columns):
        targets = {line.number: (box, line) for box in following for line in box.lines}
        for box in column:
            for line in box.lines:
                if line.number in targets:
                    other, onward = targets[line.number]
                    yield _path(box, _height(box, line), other, _height(other, onward))


def _height(box: Box, line: Line) -> float:
    """Returns where an entrant's way begins and ends: in the middle of a table of two, from which
    one goes on."""
    return _middle(box) if len(box.lines) <= 2 else line.y + LINE / 2


def _middle(box: Box) -> float:
    return box.y + box.height / 2


def _path(box: Box, y: float, other: Box, end: float) -> str:
    start, middle = box.x + BOX_WIDTH, (box.x + BOX_WIDTH + other.x) / 2
    return f"M{start:g} {y:g}C{middle:g} {y:g} {middle:g} {end:g} {other.x:g} {end:g}"
