"""The search for one decision: actions are played on from the same guesses.

Guess what is hidden (determinization), and play the guess on to the end of the deal once with each
action that is left. Guesses differ far more than actions, so actions are compared guess by guess,
and their playouts choose by the same random numbers (common random numbers). Whenever the number of
guesses has doubled, the worse half is dropped, as in sequential halving (Karnin, Koren, Somekh:
Almost Optimal Exploration in Multi-Armed Bandits, 2013), except actions whose distance from the
leader the error could explain. Monte Carlo over determinizations is that of Ginsberg: GIB, 2001;
Long, Sturtevant, Buro, Furtak: Understanding the Success of Perfect Information Monte Carlo
Sampling, 2010, say in which games it does well.

All later choices are those of `Experience`, so no seat uses what is hidden from it. Its weights are
also what is believed of the actions before any playout: those that it hardly ever chooses do not
race, and as long as playouts tell little, it decides (as priors do in Silver and others: Mastering
the Game of Go with Deep Neural Networks and Tree Search, 2016).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log, sqrt
from random import Random
from statistics import fmean, stdev, variance

from sevens_games.engine import Match
from sevens_games.search.experience import EVEN, Experience, Made

FIRST_DROP = 4  # guesses
FEWEST, MOST = 2, 32  # actions that are never dropped, and that race
FEWEST_TO_TELL = 2  # guesses; of one alone nothing says how far chance goes
LEAST = 0.001  # of the greatest weight: an action with less does not race
BELIEF = 10.0  # of the variance of the mean, for a distance of 1 of the logarithm of weights


class Search:
    """The race of one decision.

    `position`: the match in play, or one restored from the seat's observation.
    `experience`: the lessons by which playouts choose; the search adds none of its own.
    """

    def __init__(self, position: Match, seat: int, rng: Random, experience: Experience) -> None:
        self._position = position
        self._seat = seat
        self._random = rng
        self._experience = experience
        legal = position.legal_actions(seat)
        weights = experience.weights(legal, "", experience.sight(position, seat))
        self._beliefs = {action: log(weight) for action, weight in zip(legal, weights, strict=True)}
        order = sorted(legal, key=self._beliefs.__getitem__, reverse=True)
        least = self._beliefs[order[0]] + log(LEAST)
        self._racing = order[:FEWEST] + [
            action for action in order[FEWEST:MOST] if self._beliefs[action] > least
        ]
        self._rewards: dict[str, list[float]] = {action: [] for action in legal}
        self._place = 0  # in the race, of the next action
        self._guess, self._chance = position, 0.0  # until the first playout

    def best(self) -> str:
        """Returns the action that is best by its mean reward and by what was believed of it: the
        more their distances vary by chance, the more the belief counts."""
        rounds = self._rounds()
        if rounds < FEWEST_TO_TELL or len(self._racing) == 1:
            return self._racing[0]
        leader, *others = sorted(self._racing, key=self.mean, reverse=True)
        error = fmean(variance(self._apart(leader, other, rounds)) for other in others) / rounds
        values = {
            action: self.mean(action) + BELIEF * error * self._beliefs[action]
            for action in self._racing
        }
        return max(self._racing, key=values.__getitem__)

    def mean(self, action: str) -> float:
        """Returns the mean reward of an action over the guesses played on with all that still race,
        as of one more that won half."""
        return fmean([EVEN, *self._rewards[action][: self._rounds()]])

    def playout(self) -> None:
        """Plays the current guess on with the next action; after the last one, drops actions and
        guesses again."""
        if self._place == 0:
            self._guess = self._position.redeal(self._seat, self._random)
            self._chance = self._random.random()
        action = self._racing[self._place]
        first = Made(self._seat, action, self._racing)
        rng = Random(self._chance)
        played = self._experience.playout(self._guess.clone(), rng, first)
        self._rewards[action].append(played.rewards[self._seat])
        self._place = (self._place + 1) % len(self._racing)
        rounds = self._rounds()
        if self._place == 0 and rounds >= FIRST_DROP and rounds & (rounds - 1) == 0:
            self._drop()

    def _rounds(self) -> int:
        return len(self._rewards[self._racing[-1]])

    def _drop(self) -> None:
        order = sorted(self._racing, key=self.mean, reverse=True)
        half = max(FEWEST, len(order) // 2)
        rounds = self._rounds()
        self._racing = order[:half] + [
            action
            for action in order[half:]
            if not is_behind(self._apart(order[0], action, rounds))
        ]

    def _apart(self, leader: str, other: str, rounds: int) -> list[float]:
        """Returns how much more the leader got, guess by guess."""
        rewards, less = self._rewards[leader], self._rewards[other]
        return [rewards[place] - less[place] for place in range(rounds)]


def is_behind(apart: Sequence[float]) -> bool:
    """True if the leader's rewards are higher by more than a standard error."""
    return fmean(apart) > stdev(apart) / sqrt(len(apart))
