"""The search for one decision: every action is played on from the same guesses.

Guess what is hidden (determinization), play the guess on to the end of the deal once with each
action, and drop an action once the differences to the leader, guess by guess, show that it is
worse. These are Hoeffding races (Maron, Moore 1994), with paired differences (Moore, Lee: Efficient
Algorithms for Minimizing Cross Validation Error, 1994) on common random numbers, because guesses
differ far more than actions. Pure Monte Carlo over determinizations is that of Ginsberg: GIB, 2001;
Long, Sturtevant, Buro, Furtak: Understanding the Success of Perfect Information Monte Carlo
Sampling, 2010, say in which games it does well.

Every seat's later choices are those of `Experience`, from what this playout's seats see of the
guess; each seat plays for its own team.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from random import Random
from statistics import fmean, stdev

from sevens_games.engine import Match
from sevens_games.search.experience import Experience, Made

FIRST_DROP = 4  # guesses; then whenever their number has doubled
SIGNIFICANT = 2.0  # standard errors of the mean difference to the leader


class Search:
    """The race of one decision.

    `position`: the match in play, or one restored from the seat's observation.
    `experience`: that of the match so far.
    """

    def __init__(self, position: Match, seat: int, rng: Random, experience: Experience) -> None:
        self._position = position
        self._seat = seat
        self._random = rng
        self._experience = experience
        legal = sorted(position.legal_actions(seat), key=experience.mean, reverse=True)
        self._racing: list[str] = [*legal]
        self._rewards: dict[str, list[float]] = {action: [] for action in legal}
        self._lessons: list[tuple[list[Made], list[float]]] = []
        self._guess = position  # until the first playout

    @property
    def is_decided(self) -> bool:
        """True if only one action has not been dropped."""
        return len(self._racing) == 1

    def best(self) -> str:
        """Returns the action with the best mean reward of those that have not been dropped."""
        return max(self._racing, key=self.mean)

    def mean(self, action: str) -> float:
        """Returns the mean reward of an action over the guesses played on with all that still race;
        before the first, what experience expects."""
        rewards = self._rewards[action][: len(self._rewards[self._racing[-1]])]
        return fmean([self._experience.mean(action), *rewards])

    def playout(self) -> None:
        """Plays the current guess on with the next action; after the last one, learns, drops
        actions and guesses anew."""
        place = len(self._lessons)
        if place == 0:
            self._guess = self._position.redeal(self._seat, self._random)
        action = self._racing[place]
        match = self._guess.clone()
        start = match.standing
        match.apply(self._seat, action)
        made = [(self._seat, action), *self._experience.play_deal(match, self._random)]
        rewards = self._experience.rewards(start, match)
        self._rewards[action].append(rewards[self._seat])
        self._lessons.append((made, rewards))
        if place + 1 == len(self._racing):
            self._end_round()

    def _end_round(self) -> None:
        for made, rewards in self._lessons:
            self._experience.learn(made, rewards)
        self._lessons.clear()
        rounds = len(self._rewards[self._racing[0]])
        if rounds >= FIRST_DROP and rounds & (rounds - 1) == 0:
            leader = self._rewards[self.best()]
            self._racing = [
                action for action in self._racing if not is_behind(self._rewards[action], leader)
            ]


def is_behind(rewards: Sequence[float], leader: Sequence[float]) -> bool:
    """True if the leader's rewards are significantly higher, guess by guess."""
    apart = [one - other for one, other in zip(leader, rewards, strict=True)]
    return fmean(apart) > SIGNIFICANT * stdev(apart) / sqrt(len(apart))
