"""The deals after the current one, as a seat may expect them.

What they bring is added to all ends of the current deal, of all guesses: so a lead counts for what
it is usually worth, and not for what the chance of one guess makes of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from statistics import fmean
from typing import NamedTuple

from sevens_games import Experience, Match, Result, direction

MOST_DEALS = 60  # of a playout that does not end
SAMPLES = 60


class Outcome(NamedTuple):
    """The end of a deal.

    `ranks`, `scores`: of the match if it is over, else those of now.
    """

    ranks: Sequence[int]
    scores: tuple[int, ...]
    is_over: bool


def outcome_of(match: Match) -> Outcome:
    """Returns the outcome of a match that has reached the end of a deal."""
    end = match.standing
    return Outcome(end.ranks, tuple(end.scores), not match.to_act)


class LaterDeals:
    """Samples of what the later deals bring each seat, by a policy for all seats."""

    def __init__(self, policy: Experience) -> None:
        self._policy = policy
        self._gains: list[list[int]] = []
        self._ranks: dict[tuple[int, ...], list[float]] = {}  # by the scores at the end of the deal
        self._direction = 0  # where all scores are level, the other ends tell it

    def sample(self, match: Match, rng: Random) -> None:
        """Plays a match on from the end of a deal to its own, unless there are enough samples."""
        if len(self._gains) == SAMPLES:
            return
        before = match.standing.scores
        for _ in range(MOST_DEALS):
            if not match.to_act:
                break
            self._policy.play_deal(match, rng)
        after = match.standing.scores
        self._direction = direction(match.standing) or self._direction
        self._gains.append([end - now for now, end in zip(before, after, strict=True)])
        self._ranks.clear()

    def ranks(self, outcome: Outcome) -> Sequence[float]:
        """Returns, by seat, the expected rank at the end of the match."""
        if outcome.is_over:
            return outcome.ranks
        ranks = self._ranks.get(outcome.scores)
        if ranks is None:
            sign = self.direction(outcome)
            ends = [
                [sign * (score + gain) for score, gain in zip(outcome.scores, gains, strict=True)]
                for gains in self._gains
            ]
            ranks = self._ranks[outcome.scores] = [
                1 + fmean(sum(other > end[seat] for other in end) for end in ends)
                for seat in range(len(outcome.scores))
            ]
        return ranks

    def score(self, outcome: Outcome, seat: int) -> float:
        """Returns the expected score at the end of the match."""
        own = outcome.scores[seat]
        return own if outcome.is_over else own + fmean(gains[seat] for gains in self._gains)

    def direction(self, outcome: Outcome) -> int:
        """Returns 1 if higher scores are better, -1 if lower ones are, 0 if nothing tells."""
        known = direction(Result([*outcome.scores], [*outcome.ranks], ""))
        return known or self._direction
