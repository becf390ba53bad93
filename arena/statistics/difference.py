"""The difference of one duplicate group, from the results of its matches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import fsum

from arena.protocol import rank_points


class PointScale(StrEnum):
    """The points that a seat wins in a match.

    `RANKS`: the rank points, from 0 to 1 in every game.
    `SCORE`: the points of the game itself.
    """

    RANKS = "ranks"
    SCORE = "score"


class Side(StrEnum):
    """The version at a seat; house bots fill the other seats."""

    NEW = "new"
    OLD = "old"
    HOUSE = "house"


@dataclass(frozen=True)
class SeatResult:
    """The result of a seat in a finished match.

    `rank`: counts faults; 1 is best, equal ranks are ties.
    `score`: as the game has counted it.
    """

    side: Side
    team: int
    rank: int
    score: int


def group_difference(matches: Sequence[Sequence[SeatResult]], scale: PointScale) -> float:
    """Returns the points of NEW minus those of OLD, per seat and match that each has played.

    `matches`: all matches of the group, each by seat. Raises ValueError if NEW and OLD have not
    had equally many seats.
    """
    points = points_by_rank if scale is PointScale.RANKS else points_by_score
    new = _of(Side.NEW, matches, points)
    old = _of(Side.OLD, matches, points)
    if len(new) != len(old) or not new:
        raise ValueError(
            f"NEW has had {len(new)} seats and OLD {len(old)} in this group; "
            "a group gives both the same seats, and at least one."
        )
    return fsum([*new, *(-each for each in old)]) / len(new)


def points_by_rank(match: Sequence[SeatResult]) -> Sequence[float]:
    """Returns each seat's rank points."""
    return rank_points([seat.rank for seat in match], [seat.team for seat in match])


def points_by_score(match: Sequence[SeatResult]) -> Sequence[float]:
    """Returns each seat's score."""
    return [float(seat.score) for seat in match]


def _of(
    side: Side,
    matches: Sequence[Sequence[SeatResult]],
    points: Callable[[Sequence[SeatResult]], Sequence[float]],
) -> list[float]:
    return [
        gained
        for match in matches
        for seat, gained in zip(match, points(match), strict=True)
        if seat.side is side
    ]
