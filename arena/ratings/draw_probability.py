"""Estimates how often equally good players tie, which TrueSkill needs to know and which depends on
the game.

The figure is measured: random players, who are certainly equally good, play a number of deal sets.
So a new game needs no entry in a table, and options, seats and duplicate groups are accounted for
(two equal players who swap seats on the same deals tie about every other time).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from random import Random

from arena.ratings.job_result import JobResult, RatedSeat, job_result
from arena.ratings.rater import GREATEST_DRAW_PROBABILITY, LEAST_DRAW_PROBABILITY
from sevens_games import Match, SeededDeals
from sevens_games.engine import GameOf, OptionValue

DECISIONS = 200_000
"""At most this many are played, in under a second: some games are 100 times as long as others."""
DEAL_SETS = 200


def estimate_draw_probability(
    game: GameOf,
    options: Mapping[str, OptionValue],
    players: Sequence[int],
    seatings: Sequence[Sequence[int]],
) -> float:
    """Returns how often neighbours in the result of such a job tie.

    `players`: the number of the player that each entrant is; a player may be its own partner.
    `seatings`: as in a job.
    """
    rng = Random(0)
    decisions, pairs, ties = 0, 0, 0
    for deal_set in range(DEAL_SETS):
        result, length = _played(game, options, players, seatings, deal_set, rng)
        ranks = sorted(result.ranks)
        pairs += len(ranks) - 1
        ties += sum(one == next_one for one, next_one in pairwise(ranks))
        decisions += length
        if decisions > DECISIONS:
            break
    seen = (ties + 0.5) / (pairs + 10)  # a few matches must not estimate "never"
    return min(max(seen, LEAST_DRAW_PROBABILITY), GREATEST_DRAW_PROBABILITY)


def _played(
    game: GameOf,
    options: Mapping[str, OptionValue],
    players: Sequence[int],
    seatings: Sequence[Sequence[int]],
    deal_set: int,
    rng: Random,
) -> tuple[JobResult[int], int]:
    """Plays one deal set among random players; returns its result and the number of decisions."""
    deals = SeededDeals(f"draws/{deal_set}")
    teams = game.teams(len(players))
    matches, decisions = [], 0
    for seating in seatings:
        match = game.start(players=len(players), options=options, deals=deals)
        decisions += _play_at_random(match, rng)
        assert match.result is not None
        matches.append(
            [
                RatedSeat(players[entrant], team, rank)
                for entrant, team, rank in zip(seating, teams, match.result.ranks, strict=True)
            ]
        )
    return job_result(matches), decisions


def _play_at_random(match: Match, rng: Random) -> int:
    decisions = 0
    while match.to_act:
        seat = rng.choice(match.to_act)
        match.apply(seat, rng.choice(match.legal_actions(seat)))
        decisions += 1
    return decisions
