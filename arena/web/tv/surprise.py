"""How surprising a finished match is, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from arena.foreign_text import visible
from arena.ratings import Skill, odds
from arena.store.matches import MatchRow, SeatRow
from arena.web.tv.swing import Swing

UPSET_BELOW = 0.35
"""A win that had a smaller probability is an upset."""
RECORD, FAULT, NARROW, ORDINARY = 0.7, 0.6, 0.5, 0.1
SWING_FROM = 0.5
"""A smaller swing is none: the mean of how far the winner was behind, as a share of the
highest score, and until when, as a share of the decisions."""
NARROW_FROM = 20  # points of the winner; below that, one point is no narrow margin
FAULTS = {
    "start-failed": "did not start",
    "timeout": "ran out of time",
    "disconnected": "lost its connection",
    "crashed": "crashed",
    "illegal-action": "chose what was illegal",
    "protocol-error": "broke the protocol",
    "resource-limit": "exceeded its resources",
}


@dataclass(frozen=True)
class Surprise:
    """Why somebody might want to see a match.

    `size`: from 0 to 1.
    `caption`: the reason, in a few words.
    """

    size: float
    caption: str


@dataclass(frozen=True)
class Before:
    """What was known before a match of a ladder: the skill of each seat, by seat."""

    skills: Sequence[Skill]
    draw_probability: float


def surprise_of(
    match: MatchRow,
    before: Before | None,
    best_of_others: int | None,
    swing: Swing | None = None,
) -> Surprise:
    """Returns the greatest surprise of a match.

    `before`: None if its players had no ratings.
    `best_of_others`: the best score in the other latest matches of its competition; None if there
      are none.
    `swing`: None if there was none, or nobody has looked.
    """
    found = (
        _upset(match, before),
        _fault(match),
        _record(match, best_of_others),
        _swing(match, swing),
        _narrow(match),
    )
    return max(
        (one for one in found if one is not None),
        key=lambda surprise: surprise.size,
        default=Surprise(ORDINARY, "One of the latest matches"),
    )


def _upset(match: MatchRow, before: Before | None) -> Surprise | None:
    """The least probable of the winners' wins against the others."""
    winners = {seat.team for seat in match.seats if seat.rank == 1}
    if before is None or len(winners) > 1:
        return None
    [winner] = winners
    teams = _by_team(match.seats, before.skills)
    order = list(teams)
    chances = {
        team: odds(
            list(teams.values()), order.index(winner), order.index(team), before.draw_probability
        ).win
        for team in order
        if team != winner
    }
    beaten = min(chances, key=lambda team: chances[team])
    if chances[beaten] >= UPSET_BELOW:
        return None
    names = f"{_names(match, winner)} against {_names(match, beaten)}"
    return Surprise(1 - chances[beaten], f"Upset: {chances[beaten]:.0%} before the match, {names}")


def _by_team(seats: Sequence[SeatRow], skills: Sequence[Skill]) -> Mapping[int, list[Skill]]:
    teams: dict[int, list[Skill]] = {}
    for seat, skill in zip(seats, skills, strict=True):
        teams.setdefault(seat.team, []).append(skill)
    return teams


def _fault(match: MatchRow) -> Surprise | None:
    for seat in match.seats:
        for fault in seat.faults:
            return Surprise(FAULT, f"Fault: {visible(seat.bot)} {FAULTS[fault.kind]}")
    return None


def _record(match: MatchRow, best_of_others: int | None) -> Surprise | None:
    first = max(match.seats, key=lambda seat: seat.score)
    if best_of_others is None or first.score <= best_of_others or first.rank != 1:
        return None
    caption = f"Record: {visible(first.bot)} scores {first.score}; nobody else lately had more than"
    return Surprise(RECORD, f"{caption} {best_of_others}")


def _swing(match: MatchRow, swing: Swing | None) -> Surprise | None:
    if swing is None:
        return None
    first = min(match.seats, key=lambda seat: seat.rank)
    depth = min(1.0, swing.behind / max(1, swing.highest))
    size = (depth + swing.until / swing.decisions) / 2
    if size < SWING_FROM:
        return None
    points = "1 point" if swing.behind == 1 else f"{swing.behind} points"
    caption = f"Swing: {_names(match, first.team)} won after having been {points} behind"
    until = f"and was behind until decision {swing.until} of {swing.decisions}"
    return Surprise(size, f"{caption}, {until}")


def _narrow(match: MatchRow) -> Surprise | None:
    by_rank = sorted(match.seats, key=lambda seat: seat.rank)
    first, others = by_rank[0], [seat for seat in by_rank if seat.team != by_rank[0].team]
    if not others or first.score < NARROW_FROM or abs(first.score - others[0].score) != 1:
        return None
    return Surprise(NARROW, "Decided by one point")


def _names(match: MatchRow, team: int) -> str:
    return " and ".join(
        dict.fromkeys(visible(seat.bot) for seat in match.seats if seat.team == team)
    )
