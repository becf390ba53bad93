"""`python -m bench places`: the chances of the first place that tournaments show, and how often the
entrant then comes first when everything is played again with the same strengths."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from random import Random
from statistics import fmean

from rich.table import Table

from arena.tournament import (
    Meeting,
    TournamentCourse,
    TournamentTerms,
    place_probabilities,
    standings,
)
from tests.support.played_tournament import field_of, play_out

TOURNAMENTS = 400
SPREADS = (0.0, 0.3, 1.0)  # of the strengths, in units of the noise of a group
TERMS = ((8, 2, 2), (5, 2, 4), (8, 4, 3))  # entrants, entrants at a table, groups
BANDS = (0.0, 0.1, 0.2, 0.4, 0.6, 0.8, 1.01)
Shown = tuple[float, bool]
"""A chance of the first place, and whether the entrant came first when it was played again."""


def tables() -> Iterator[Table]:
    """Yields a table of leaders, and one of all entrants."""
    leaders = Table("entrants", "at a table", "groups", "spread", "leader: shown", "came first")
    everyone: list[Shown] = []
    for count, per_table, groups in TERMS:
        for spread in SPREADS:
            rng = Random(f"{count} {per_table} {spread}")
            terms = TournamentTerms(format="round-robin", per_table=per_table, groups=groups)
            shown = [_shown(terms, count, spread, rng) for _ in range(TOURNAMENTS)]
            first = [leader for leader, _ in shown]
            everyone += [one for _, field in shown for one in field]
            leaders.add_row(
                *map(str, (count, per_table, groups, spread)),
                f"{fmean(chance for chance, _ in first):.0%}",
                f"{fmean(came for _, came in first):.0%}",
            )
    yield leaders
    bands = Table("shown", "entrants", "mean", "came first")
    for low, high in pairwise(BANDS):
        within = [one for one in everyone if low <= one[0] < high]
        bands.add_row(
            f"{low:.0%} to {min(high, 1):.0%}",
            f"{len(within):,}",
            f"{fmean(chance for chance, _ in within):.0%}",
            f"{fmean(came for _, came in within):.0%}",
        )
    yield bands


def _shown(
    terms: TournamentTerms, count: int, spread: float, rng: Random
) -> tuple[Shown, list[Shown]]:
    """Plays a tournament twice; returns what the first shows of its leader, and of everybody."""
    strengths = [rng.gauss(0, spread) for _ in range(count)]
    course = played(terms, strengths, rng)
    chances = place_probabilities(course, str(rng.random()))
    assert chances is not None
    [best, *_] = standings(played(terms, strengths, rng), str(rng.random()))
    shown = {one: (by_place.get(1, 0.0), one == best.number) for one, by_place in chances.items()}
    [leader, *_] = standings(course, str(rng.random()))
    return shown[leader.number], [*shown.values()]


def played(terms: TournamentTerms, strengths: list[float], rng: Random) -> TournamentCourse:
    """Returns a tournament of entrants of these strengths; a group adds noise of size 1 to each."""
    return play_out(terms, field_of(len(strengths)), lambda table, _: _group(table, strengths, rng))


def _group(meeting: Meeting, strengths: list[float], rng: Random) -> tuple[float, ...]:
    scores = [strengths[one - 1] + rng.gauss(0, 1) for one in meeting.entrants]
    average = fmean(scores)
    return tuple(score - average for score in scores)
