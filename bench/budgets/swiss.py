"""The matches that a Swiss of the three versions and a house bot needs for the right order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

import numpy as np

from arena.tournament import (
    Entrant,
    Meeting,
    Over,
    Pair,
    TournamentCourse,
    TournamentTerms,
    next_step,
    pair_round,
    standings,
)
from bench.budgets.field import HOUSE, NAMES, PAIRS, VERSIONS
from bench.budgets.pool import Played, Pool
from bench.budgets.way import Way
from bench.duplicate.measure_luck import less_luck

RUNS = 400
ROUNDS = 24
MATCHES_AT_A_TABLE = 10
ALL_MET = len(NAMES) - 1
"""After so many rounds, and so many more each time, everybody has met everybody equally often."""

ENTRANTS = tuple(reversed(NAMES))
"""By number, from 1: the smaller a budget the better its seed, so that the seeds do not help."""

Groups = Mapping[tuple[str, str], Sequence[Played]]


def right_orders(way: Way, pool: Pool, seed: str) -> Mapping[int, float]:
    """Returns by number of matches the share of Swisses, from 0 to 1, in which each version comes
    before those with smaller budgets."""
    groups = {pair: counted(way, pool.of(*pair)) for pair in PAIRS}
    right = dict.fromkeys(range(ALL_MET, ROUNDS + 1, ALL_MET), 0)
    for run in range(RUNS):
        course = played(way, groups, Random(f"{seed}/{run}"))
        for rounds in right:
            right[rounds] += is_right(after(course, rounds), f"{seed}/{run}")
    in_a_round = len(NAMES) // 2 * MATCHES_AT_A_TABLE
    return {rounds * in_a_round: count / RUNS for rounds, count in right.items()}


def counted(way: Way, groups: Sequence[Played]) -> Sequence[Played]:
    """Returns the groups as they count: less luck, by the slope of the pair's other groups, if
    the way says so. A tournament knows no better slope, so this is the most that luck can help."""
    if not way.luck:
        return groups
    points, luck = (
        np.array([way.units(getattr(group, name)) for group in groups])
        for name in ("points", "luck")
    )
    return [
        Played((own[0], own[-1]), (0.0, 0.0)) for own in less_luck(points, luck)[:, :, 1].tolist()
    ]


def played(way: Way, groups: Groups, rng: Random) -> TournamentCourse:
    """Returns a finished Swiss, its groups drawn from those given."""
    terms = TournamentTerms(format="swiss", rounds=ROUNDS, groups=MATCHES_AT_A_TABLE // way.matches)
    entrants = [Entrant(number, name) for number, name in enumerate(ENTRANTS, start=1)]
    course = TournamentCourse(terms, entrants, [], {})
    while not isinstance(step := next_step(course), Over):
        assert isinstance(step, Pair)  # the tables of a round are played as soon as it is paired
        pairing = pair_round(course, step.round)
        scores = {
            (meeting.round, meeting.table): drawn(way, meeting, groups, terms.groups, rng)
            for meeting in pairing.meetings
        }
        course = TournamentCourse(
            terms, entrants, [*course.rounds, pairing], {**course.scores, **scores}
        )
    return course


def drawn(
    way: Way, meeting: Meeting, groups: Groups, count: int, rng: Random
) -> list[tuple[float, ...]]:
    """Returns the scores of a table's groups: the rank points of its entrants."""
    one, other = (ENTRANTS[number - 1] for number in meeting.entrants)
    pair = (one, other) if (one, other) in groups else (other, one)
    sign = 1 if pair == (one, other) else -1
    margins = [sign * margin for margin in way.plain(rng.choices(groups[pair], k=count))]
    return [(way.matches * (1 + each) / 2, way.matches * (1 - each) / 2) for each in margins]


def after(course: TournamentCourse, rounds: int) -> TournamentCourse:
    """Returns the tournament as it was after so many rounds."""
    scores = {place: groups for place, groups in course.scores.items() if place[0] <= rounds}
    return TournamentCourse(course.terms, course.entrants, course.rounds[:rounds], scores)


def is_right(course: TournamentCourse, secret: str) -> bool:
    """Returns True if each version is placed before those with smaller budgets."""
    order = [ENTRANTS[standing.number - 1] for standing in standings(course, secret)]
    return [name for name in order if name != HOUSE] == list(VERSIONS)
