"""The cost of a table, by which pairings are compared; docs/tournaments.md defines it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from arena.tournament.meeting import Cost

Vector = tuple[int, ...]

BEFORE_SPREADS = (
    ("byes", "{} without a table"),
    ("second byes", "{} byes for entrants who had one already, or a win by forfeit"),
    ("repeats", "{} earlier meetings of pairs that meet again"),
    ("points of byes", "{} half points held by those with a bye"),
)
AFTER_SPREADS = (
    ("strata", "{} pairs from the same part of a score group, top half against lower half"),
    ("floats", "{} earlier floats of those who meet an entrant with other points"),
)


@dataclass(frozen=True)
class Contender:
    """An entrant before a round is paired.

    `half_points`: twice the points so far.
    `byes`: byes and wins by forfeit so far.
    `floats`: rounds so far at a table with different points.
    `met`: how often the entrant has met each opponent, by number.
    """

    number: int
    half_points: int = 0
    owner: str | None = None
    byes: int = 0
    floats: int = 0
    met: Mapping[int, int] = field(default_factory=dict)


class TableCosts:
    """The cost vectors of the possible tables of one round.

    Every component is at least 0, and the cost of a pairing is the sum over its tables and byes,
    a bye being a table of one.
    """

    def __init__(self, contenders: Sequence[Contender], per_table: int) -> None:
        ordered = sorted(contenders, key=lambda each: (-each.half_points, each.number))
        self.per_table = per_table
        self._contenders = {each.number: each for each in ordered}
        self.levels = sorted({each.half_points for each in ordered}, reverse=True)
        self._level = {points: at for at, points in enumerate(self.levels)}
        self._stratum: dict[int, int] = {}
        for points in self.levels:
            group = [each.number for each in ordered if each.half_points == points]
            for position, number in enumerate(group):
                self._stratum[number] = position * per_table // len(group)

    @property
    def numbers(self) -> list[int]:
        """Returns the numbers to be paired, in ascending order."""
        return sorted(self._contenders)

    def allowed(self, table: Iterable[int]) -> bool:
        """Returns whether no two at the table have the same owner."""
        owners = [self._contenders[each].owner for each in table]
        owned = [owner for owner in owners if owner is not None]
        return len(set(owned)) == len(owned)

    def of_table(self, table: Sequence[int]) -> Vector:
        """Returns the cost of a table; one entrant alone has a bye."""
        seated = [self._contenders[number] for number in table]
        spreads = [0] * len(self.levels)
        if len(seated) == 1:
            return (1, int(seated[0].byes > 0), 0, seated[0].half_points, *spreads, 0, 0)
        best = max(each.half_points for each in seated)
        spread = best - min(each.half_points for each in seated)
        spreads[self._level[best]] = spread
        pairs = list(combinations(seated, 2))
        repeats = sum(one.met.get(other.number, 0) for one, other in pairs)
        floats = sum(each.floats for each in seated) if spread else 0
        return (0, 0, repeats, 0, *spreads, sum(map(self._same_stratum, pairs)), floats)

    def of_pairing(self, tables: Iterable[Sequence[int]]) -> Vector:
        """Returns the cost of all tables and byes together."""
        return tuple(map(sum, zip(*map(self.of_table, tables), strict=True)))

    def named(self, vector: Vector) -> tuple[Cost, ...]:
        """Returns the components with their names and meanings."""
        names = [
            *BEFORE_SPREADS,
            *(
                (
                    f"spread from {points / 2:g} points",
                    f"{{}} half points between best and last at tables led by {points / 2:g}",
                )
                for points in self.levels
            ),
            *AFTER_SPREADS,
        ]
        return tuple(
            Cost(name, value, sentence.format(value) + ".")
            for (name, sentence), value in zip(names, vector, strict=True)
        )

    def _same_stratum(self, pair: tuple[Contender, Contender]) -> int:
        one, other = pair
        same_group = one.half_points == other.half_points
        return int(same_group and self._stratum[one.number] == self._stratum[other.number])
