"""The sides of a match as its title names them: by rank, whatever their points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from arena.views.matches.match import Seat


@dataclass(frozen=True)
class Side:
    """A seat, or the seats of a team. `bots`: each once. `fault`: the kind of the first, if any."""

    bots: Sequence[str]
    score: int
    rank: int
    fault: str


def sides_of(seats: Sequence[Seat]) -> list[Side]:
    """Returns the sides, the winners first."""
    by_team = sorted(seats, key=lambda seat: (seat.team, seat.seat))
    sides = [_side([*members]) for _, members in groupby(by_team, lambda seat: seat.team)]
    return sorted(sides, key=lambda side: side.rank)


def _side(seats: Sequence[Seat]) -> Side:
    faults = [fault.kind for seat in seats for fault in seat.faults]
    return Side(
        bots=list(dict.fromkeys(seat.bot for seat in seats)),
        score=seats[0].score,
        rank=seats[0].rank,
        fault=faults[0].replace("-", " ") if faults else "",
    )
