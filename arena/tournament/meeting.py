"""Meetings of entrants at a table, and their results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import fsum, isfinite

from arena.tournament.tournament_terms import TournamentError

SAME = 1e-6
"""Sums of scores that differ by less are equal: scores may be thirds."""


@dataclass(frozen=True)
class Meeting:
    """Entrants at one table in one round, by their numbers; both counts start at 1."""

    round: int
    table: int
    entrants: tuple[int, ...]


@dataclass(frozen=True)
class MeetingResult:
    """The result of a meeting.

    `groups`: for each duplicate group, the scores of the entrants in the order of the meeting.
    `forfeited`: the numbers of those who failed to play; they rank last, below any score.
    `annulled`: the numbers of those against whom no result counts.
    `by_boards`: whether the boards decide, not the sums of scores.
    """

    meeting: Meeting
    groups: tuple[tuple[float, ...], ...]
    forfeited: frozenset[int] = frozenset()
    annulled: frozenset[int] = frozenset()
    by_boards: bool = False

    def __post_init__(self) -> None:
        where = f"Round {self.meeting.round}, table {self.meeting.table}"
        if any(len(group) != len(self.meeting.entrants) for group in self.groups):
            raise TournamentError(
                f"{where}: a group needs one score for each of the "
                f"{len(self.meeting.entrants)} entrants.",
                "groups",
            )
        if not all(isfinite(score) for group in self.groups for score in group):
            raise TournamentError(f"{where}: a score is not a finite number.", "groups")
        if not self.forfeited <= set(self.meeting.entrants):
            raise TournamentError(
                f"{where}: an entrant that forfeited is not at the table.", "forfeited"
            )
        if not self.groups and not self.forfeited:
            raise TournamentError(f"{where}: a result needs a group or a forfeit.", "groups")

    @property
    def score_sums(self) -> dict[int, float]:
        """Returns the sum of scores over the groups, for each entrant."""
        return {
            entrant: fsum(group[at] for group in self.groups)
            for at, entrant in enumerate(self.meeting.entrants)
        }

    @property
    def boards(self) -> dict[int, float]:
        """Returns the board points of each entrant: in each group 2 for each opponent with a
        smaller score, and 1 for each with the same."""
        boards = dict.fromkeys(self.meeting.entrants, 0.0)
        for group in self.groups:
            for one, score in zip(self.meeting.entrants, group, strict=True):
                boards[one] += sum(1 + _sign(score - other) for other in group) - 1
        return boards

    @property
    def totals(self) -> dict[int, float]:
        """Returns what decides: the board points or the sums of scores."""
        return self.boards if self.by_boards else self.score_sums

    @property
    def points(self) -> dict[int, float]:
        """Returns the Borda points: 1 for each entrant beaten, 0.5 for each tied with.

        Those who forfeited have 0.
        """
        points = dict.fromkeys(self.meeting.entrants, 0.0)
        for one, _, result in self.pairwise():
            points[one] += result
        return points

    def pairwise(self) -> Iterator[tuple[int, int, float]]:
        """Yields (entrant, opponent, result) both ways: 1 for a win, 0.5 for a tie, else 0.

        Between two who both forfeited, each has 0.
        """
        totals = self.totals
        counting = [one for one in self.meeting.entrants if one not in self.annulled]
        for one, other in combinations(counting, 2):
            yield one, other, self._result(one, other, totals)
            yield other, one, self._result(other, one, totals)

    def _result(self, one: int, other: int, totals: Mapping[int, float]) -> float:
        if one in self.forfeited:
            return 0
        if other in self.forfeited:
            return 1
        return (1 + _sign(totals[one] - totals[other])) / 2


def _sign(margin: float) -> int:
    return 0 if abs(margin) < SAME else 1 if margin > 0 else -1


@dataclass(frozen=True)
class Cost:
    """One component of a pairing's cost: its name, value and meaning in a sentence."""

    name: str
    value: int
    sentence: str


@dataclass(frozen=True)
class Pairing:
    """A round: the meetings, the numbers of those with a bye, and the reason for this pairing.

    `costs`: its cost vector, the most important component first; empty where the format itself
    determines who meets.
    `method`: how it was found, in words.
    """

    round: int
    meetings: tuple[Meeting, ...]
    byes: tuple[int, ...] = ()
    costs: tuple[Cost, ...] = ()
    method: str = ""


def meetings_of(round_number: int, tables: Sequence[tuple[int, ...]]) -> tuple[Meeting, ...]:
    """Numbers the tables of a round from 1."""
    return tuple(
        Meeting(round_number, number, table) for number, table in enumerate(tables, start=1)
    )
