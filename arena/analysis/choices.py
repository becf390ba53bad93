"""The expected results of the actions at one decision.

The actions are played on from the same guesses of what is hidden, with the same chance afterwards
and the same random numbers for the playouts' choices deal by deal: common random numbers, so that
differences between actions are known far better than the results themselves.

Half of the playouts choose the best action: in each round all that are left are played on, and the
better half remains (sequential halving: Karnin, Koren, Somekh: Almost Optimal Exploration in
Multi-Armed Bandits, 2013). The other half compares it with the action that was chosen, on new
guesses: the best of many estimates is too good to be true on the guesses that selected it.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, log2, sqrt
from random import Random
from statistics import fmean, stdev
from typing import NamedTuple

from sevens_games import Experience, Match

FEWEST = 2  # guesses for each action, so that there is an error
FEWEST_COMPARED = 8  # guesses for the best and the chosen action
MOST_DEALS = 60  # of a playout that does not end


class Estimate(NamedTuple):
    """A mean over playouts, and its standard error."""

    mean: float
    error: float


class Choice(NamedTuple):
    """A legal action.

    `rank`, `score`: those of its seat at the end of the match.
    `behind`: its rank less that of the best action, guess by guess.
    """

    action: str
    rank: Estimate
    score: Estimate
    behind: Estimate
    playouts: int


class Outcome(NamedTuple):
    """The end of a playout. `merit`: of the deal, as the search sees it, and of the rank."""

    ranks: Sequence[int]
    scores: Sequence[int]
    merit: float


class Choices:
    """The legal actions of a seat, the best first.

    `expected`: by seat, its rank after the action that was chosen.
    """

    def __init__(
        self,
        match: Match,
        seat: int,
        chosen: str,
        experience: Experience,
        seed: str,
        budget: int,
    ) -> None:
        self._match = match
        self._seat = seat
        self._experience = experience
        self._seed = seed
        self._guesses = 0
        legal = [str(action) for action in match.legal_actions(seat)]
        outcomes = self._halved(legal, budget // 2)
        best = max(legal, key=lambda action: (len(outcomes[action]), merit(outcomes[action])))
        compared = dict.fromkeys([best, chosen])
        again = {action: list[Outcome]() for action in compared}
        for _ in range(max(FEWEST_COMPARED, budget // 4)):
            self._play(again)
        found = [
            self._choice(action, again[action], again[best])
            if action in again
            else self._choice(action, outcomes[action], outcomes[best])
            for action in legal
        ]
        found.sort(key=lambda choice: (choice.action != best, choice.behind.mean))
        self.choices = tuple(found)
        self.expected = tuple(
            rank_estimate([outcome.ranks[other] for outcome in again[chosen]])
            for other in range(match.players)
        )

    def _halved(self, legal: Sequence[str], budget: int) -> dict[str, list[Outcome]]:
        outcomes = {action: list[Outcome]() for action in legal}
        rounds = max(1, ceil(log2(len(legal))))
        left = list(legal)
        for _ in range(rounds):
            for _ in range(max(FEWEST, budget // (rounds * len(left)))):
                self._play({action: outcomes[action] for action in left})
            left.sort(key=lambda action: merit(outcomes[action]), reverse=True)
            left = left[: max(2, ceil(len(left) / 2))]
        return outcomes

    def _play(self, outcomes: dict[str, list[Outcome]]) -> None:
        """Plays another guess on with each of these actions, and learns from all of them."""
        self._guesses += 1
        chance = f"{self._seed}/{self._guesses}"
        guess = self._match.redeal(self._seat, Random(chance))
        lessons = []
        for action, ends in outcomes.items():
            match = guess.clone()
            start = match.standing
            match.apply(self._seat, action)
            made = self._experience.play_deal(match, Random(chance))
            rewards = self._experience.rewards(start, match)
            lessons.append(([(self._seat, action), *made], rewards))
            self._play_to_the_end(match, chance)
            end = match.standing
            share = (end.ranks[self._seat] - 1) / (match.players - 1)
            ends.append(Outcome(end.ranks, end.scores, rewards[self._seat] - share))
        for made, rewards in lessons:
            self._experience.learn(made, rewards)

    def _play_to_the_end(self, match: Match, chance: str) -> None:
        for deal in range(MOST_DEALS):
            if not match.to_act:
                break
            self._experience.play_deal(match, Random(f"{chance}/{deal}"))

    def _choice(self, action: str, outcomes: Sequence[Outcome], best: Sequence[Outcome]) -> Choice:
        ranks = [outcome.ranks[self._seat] for outcome in outcomes]
        apart = [rank - other.ranks[self._seat] for rank, other in zip(ranks, best, strict=False)]
        scores = [outcome.scores[self._seat] for outcome in outcomes]
        behind = Estimate(0.0, 0.0) if outcomes is best else rank_estimate(apart)
        score = Estimate(fmean(scores), stdev(scores) / sqrt(len(scores)))
        return Choice(action, rank_estimate(ranks), score, behind, len(outcomes))


def merit(outcomes: Sequence[Outcome]) -> float:
    return fmean(outcome.merit for outcome in outcomes)


def rank_estimate(ranks: Sequence[int]) -> Estimate:
    """Returns the mean of ranks. Its error is at least what one more playout with another rank
    would change: playouts that agree do not show that all would."""
    number = len(ranks)
    return Estimate(fmean(ranks), max(stdev(ranks) / sqrt(number), 1 / (number + 1)))
