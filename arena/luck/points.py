"""Rank points: what a seat's rank is worth, on one scale for every game and table size."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean


def rank_points(ranks: Sequence[int], teams: Sequence[int]) -> tuple[float, ...]:
    """Returns by seat the share of its rivals that it left behind, from 0 to 1; a tie counts half.

    `ranks`: by seat, 1 is best. `teams`: the team of each seat; seats of one team are no rivals.

    Without teams that is (n - mean rank of those it ties with) / (n - 1) at a table of n seats.
    """
    return tuple(
        fmean(
            (rank < other) + (rank == other) / 2
            for other, theirs in zip(ranks, teams, strict=True)
            if theirs != team
        )
        for rank, team in zip(ranks, teams, strict=True)
    )
