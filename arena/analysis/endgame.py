"""The end of a deal in which nothing is hidden from any seat any more.

The seats in playouts err, so an action seems worth what only errors can still bring. Where two
sides know everything and few positions are left, there is no need of playouts: the best play of
both is found (minimax, with the bounds of alpha and beta: Knuth, Moore: An Analysis of Alpha-Beta
Pruning, 1975).
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from operator import gt, lt
from random import Random

from arena.analysis.later_deals import Outcome, outcome_of
from sevens_games import Match, deal_is_over

GUESSES = 8  # of each seat; if two deals of the cards are possible, one in 256 sees only one
MOST_POSITIONS = 30_000
MOST_CHOICES = 100  # one after another; some deals may go on for ever

Value = tuple[float, float]
WORST, BEST = (-inf, -inf), (inf, inf)


def is_known(match: Match, rng: Random) -> bool:
    """True if there are two sides, which choose in turn, and every seat knows everything."""
    if len(match.to_act) != 1 or len(set(match.game.teams(match.players))) != 2:
        return False
    truth = match.observe(None)
    return all(
        match.redeal(seat, rng).observe(None) == truth
        for _ in range(GUESSES)
        for seat in range(match.players)
    )


def solved(match: Match, worth: Callable[[Outcome], Value]) -> dict[str, Outcome]:
    """Returns how the deal of a known match ends after each action of the seat to act, if all play
    as well as possible from then on; nothing if that takes too many positions, or chance.

    `worth`: what an outcome is worth to the seat, and costs the other side.
    """
    (seat,) = match.to_act
    endgame = _Endgame(match, seat, worth)
    try:
        return {
            action: endgame.end(endgame.after(match, seat, action), 1, WORST, BEST)[1]
            for action in match.legal_actions(seat)
        }
    except Unsolved:
        return {}


class Unsolved(Exception):
    """The deal may be too long, or does not follow from choices in turn alone."""


class _Endgame:
    def __init__(self, match: Match, seat: int, worth: Callable[[Outcome], Value]) -> None:
        self._start, self._deal = match.standing, match.deal
        self._chance = chance_of(match)
        self._teams = match.game.teams(match.players)
        self._team = self._teams[seat]
        self._worth = worth
        self._positions = 0

    def after(self, match: Match, seat: int, action: str) -> Match:
        self._positions += 1
        if self._positions > MOST_POSITIONS:
            raise Unsolved
        match = match.clone()
        match.apply(seat, action)
        return match

    def end(self, match: Match, made: int, least: Value, most: Value) -> tuple[Value, Outcome]:
        """Returns the outcome after so many choices were made, and its worth. If that is not
        between the bounds, the true one is as far or farther beyond the same bound."""
        if deal_is_over(match, self._start, self._deal):
            outcome = outcome_of(match)
            return self._worth(outcome), outcome
        if made == MOST_CHOICES or len(match.to_act) > 1 or chance_of(match) != self._chance:
            raise Unsolved
        (seat,) = match.to_act
        is_own = self._teams[seat] == self._team
        is_better = gt if is_own else lt
        best: tuple[Value, Outcome] | None = None
        for action in match.legal_actions(seat):
            end = self.end(self.after(match, seat, action), made + 1, least, most)
            if best is None or is_better(end[0], best[0]):
                best = end
            if is_own:
                least = max(least, end[0])
            else:
                most = min(most, end[0])
            if least >= most:
                break
        assert best is not None
        return best


def chance_of(match: Match) -> int:
    """Returns how often chance was asked."""
    deals = match.deals
    return len(deals.shuffles) + len(deals.picks)
