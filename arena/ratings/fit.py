"""Ratings from all results at once, so that their order does not matter.

The model is the `Rater`'s. But where the `Rater` takes one result after the other and forgets how
the skills then depend on each other, the fit is a normal distribution over all skills together.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from itertools import pairwise
from typing import TypeAlias

from arena.ratings.job_result import JobResult
from arena.ratings.rater import Skill

Shape: TypeAlias = tuple[int, ...]
Row: TypeAlias = tuple[int, ...]


def fit(results: Mapping[JobResult[str], int], draw_probability: float) -> dict[str, Skill]:
    """Returns the skills of the versions in these results.

    `results`: how often each result occurred. Teams are weighted as by `Rater.rate(even=True)`.
    `draw_probability`: as for the `Rater`.

    The same results in any order give the same floats, to the last bit.
    """
    from arena.ratings.propagation import propagated  # numpy, which most commands do not need

    versions = sorted({version for result in results for team in result.teams for version in team})
    index = {version: number for number, version in enumerate(versions)}
    rows: defaultdict[Shape, list[tuple[Row, int]]] = defaultdict(list)
    for result, count in results.items():
        shape, row = _row(result, index)
        rows[shape].append((row, count))
    skills = propagated(dict(sorted(rows.items())), len(versions), draw_probability)
    return dict(zip(versions, skills, strict=True))


def _row(result: JobResult[str], index: Mapping[str, int]) -> tuple[Shape, Row]:
    """Returns the sizes of the teams, first to last, and the row that a `ResultBlock` takes.

    Of two teams that tie neither is first; among more, the chain of neighbours is the `Rater`'s.
    """
    ranked = sorted(zip(result.ranks, result.teams, strict=True), key=lambda one: one[0])
    teams = [sorted(index[version] for version in team) for _, team in ranked]
    ties = [int(rank == next_rank) for (rank, _), (next_rank, _) in pairwise(ranked)]
    if ties == [True]:
        teams.sort(key=lambda team: (len(team), team))
    return tuple(map(len, teams)), (*(number for team in teams for number in team), *ties)
