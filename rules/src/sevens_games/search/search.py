"""The search for one decision: actions are played on from the same guesses.

Guess what is hidden (determinization), and play the guess on to the end of the deal once with each
action that is left. Guesses differ far more than actions, so actions are compared guess by guess,
and their playouts choose by the same random numbers (common random numbers). Whenever the number of
guesses has doubled, the worse half is dropped, as in sequential halving (Karnin, Koren, Somekh:
Almost Optimal Exploration in Multi-Armed Bandits, 2013), except actions whose distance from the
leader the error could explain. Monte Carlo over determinizations is that of Ginsberg: GIB, 2001;
Long, Sturtevant, Buro, Furtak: Understanding the Success of Perfect Information Monte Carlo
Sampling, 2010, say in which games it does well.

All later choices are those of `Experience`, so no seat uses what is hidden from it.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from random import Random
from statistics import fmean, stdev

from sevens_games.engine import Match
from sevens_games.search.experience import EVEN, Experience, Made, Playout

FIRST_DROP = 4  # guesses
FEWEST = 2  # actions that are never dropped


class Search:
    """The race of one decision.

    `position`: the match in play, or one restored from the seat's observation.
    `experience`: that with which the search begins; the search adds its own.
    """

    def __init__(self, position: Match, seat: int, rng: Random, experience: Experience) -> None:
        self._position = position
        self._seat = seat
        self._random = rng
        self._experience = experience
        legal = position.legal_actions(seat)
        weights = dict(zip(legal, experience.weights(legal), strict=True))
        self._racing = sorted(legal, key=weights.__getitem__, reverse=True)
        self._rewards: dict[str, list[float]] = {action: [] for action in legal}
        self._playouts: list[Playout] = []  # of the current guess
        self._guess, self._chance = position, 0.0  # until the first playout

    def best(self) -> str:
        """Returns the action with the best mean reward of those that have not been dropped."""
        return max(self._racing, key=self.mean)

    def mean(self, action: str) -> float:
        """Returns the mean reward of an action over the guesses played on with all that still race,
        as of one more that won half."""
        rewards = self._rewards[action][: len(self._rewards[self._racing[-1]])]
        return fmean([EVEN, *rewards])

    def playout(self) -> None:
        """Plays the current guess on with the next action; after the last one, learns, drops
        actions and guesses again."""
        place = len(self._playouts)
        if place == 0:
            self._guess = self._position.redeal(self._seat, self._random)
            self._chance = self._random.random()
        action = self._racing[place]
        first = Made(self._seat, action, self._racing)
        rng = Random(self._chance)
        played = self._experience.playout(self._guess.clone(), rng, first)
        self._rewards[action].append(played.rewards[self._seat])
        self._playouts.append(played)
        if place + 1 == len(self._racing):
            self._end_round()

    def _end_round(self) -> None:
        self._experience.learn(self._playouts)
        self._playouts.clear()
        rounds = len(self._rewards[self._racing[0]])
        if rounds >= FIRST_DROP and rounds & (rounds - 1) == 0:
            self._drop()

    def _drop(self) -> None:
        order = sorted(self._racing, key=self.mean, reverse=True)
        half = max(FEWEST, len(order) // 2)
        leader = self._rewards[order[0]]
        self._racing = order[:half] + [
            action for action in order[half:] if not is_behind(self._rewards[action], leader)
        ]


def is_behind(rewards: Sequence[float], leader: Sequence[float]) -> bool:
    """True if the leader's rewards are higher, guess by guess, by more than a standard error."""
    apart = [one - other for one, other in zip(leader, rewards, strict=True)]
    return fmean(apart) > stdev(apart) / sqrt(len(apart))
