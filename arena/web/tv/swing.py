"""How far the winner of a match was behind, and until when."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from arena.store.matches import MatchRow
from arena.web.deal import Course


@dataclass(frozen=True)
class Swing:
    """The way of the winner to the front.

    A lead is the score of the winning team less the best score of another team; the score of a
    team is the sum of its seats' where the game shows scores by seat.

    `behind`: the greatest negative lead, in points, as a positive number.
    `until`: the number of the last decision before which the winner was behind.
    `decisions`: how many there were.
    `highest`: the highest score shown meanwhile.
    """

    behind: int
    until: int
    decisions: int
    highest: int


def swing_of(match: MatchRow, course: Course) -> Swing | None:
    """Returns the swing of a match; None if its winner never was behind, if several teams won, or
    if the game does not show its scores meanwhile, or shows points of which nobody keeps as many,
    as where deals are what counts in the end."""
    winners = {seat.team for seat in match.seats if seat.rank == 1}
    if len(winners) != 1:
        return None
    [winner] = winners
    shown = {
        number: teams
        for number, decision in enumerate(course.decisions, start=1)
        if decision.scores is not None and len(teams := _by_team(match, decision.scores)) > 1
    }
    leads = {number: _lead(winner, teams) for number, teams in shown.items()}
    behind = {number: -lead for number, lead in leads.items() if lead < 0}
    if not behind:
        return None
    highest = max(max(teams.values()) for teams in shown.values())
    if highest > max(seat.score for seat in match.seats):
        return None
    return Swing(max(behind.values()), max(behind), len(course.decisions), highest)


def _lead(winner: int, teams: Mapping[int, int]) -> int:
    return teams[winner] - max(score for team, score in teams.items() if team != winner)


def _by_team(match: MatchRow, scores: Sequence[int]) -> dict[int, int]:
    """Returns the score of each team; empty if there are scores neither for all seats nor for all
    teams."""
    teams = sorted({seat.team for seat in match.seats})
    if len(scores) == len(match.seats):
        sums = dict.fromkeys(teams, 0)
        for seat, score in zip(match.seats, scores, strict=True):
            sums[seat.team] += score
        return sums
    return dict(zip(teams, scores, strict=True)) if len(scores) == len(teams) else {}
