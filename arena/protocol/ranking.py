"""The consequences of faults for the seat's moves, for its rank and for the ratings."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from statistics import fmean
from typing import TypeVar

A = TypeVar("A", bound=str)


def move_at_fault(legal: Sequence[A]) -> A:
    """Returns the arena's move for a seat at fault: the first legal action by its text."""
    return min(legal, key=str)


def final_ranks(
    game_ranks: Sequence[int], teams: Sequence[int], seats_at_fault: Collection[int]
) -> list[int]:
    """Returns the rank of each seat, faults counted: 1 is best, equal ranks are ties.

    Seats at fault rank below all others, and among themselves as the game ranked them. A team has
    the rank of its worst seat. Ties take up ranks, one for each seat: 1, 1, 3, 3.
    """
    standings = [(seat in seats_at_fault, rank) for seat, rank in enumerate(game_ranks)]
    worst = {
        team: max(standing for standing, of in zip(standings, teams, strict=True) if of == team)
        for team in set(teams)
    }
    by_seat = [worst[team] for team in teams]
    return [1 + sum(other < own for other in by_seat) for own in by_seat]


def rank_points(ranks: Sequence[int], teams: Sequence[int]) -> tuple[float, ...]:
    """Returns by seat the share of the seats of other teams that it outranks, from 0 to 1; a tie
    counts half. The points of all seats average ½ in every game of equal teams.

    `ranks`: by seat, 1 is best. `teams`: the team of each seat; there are at least two.
    """
    return tuple(
        fmean(
            (rank < other) + (rank == other) / 2
            for other, theirs in zip(ranks, teams, strict=True)
            if theirs != team
        )
        for rank, team in zip(ranks, teams, strict=True)
    )


def rated(teams: Sequence[int], seats_at_fault: Collection[int]) -> bool:
    """True if the match counts for the ratings: at least one team is without a fault."""
    return {teams[seat] for seat in seats_at_fault} != set(teams)
