"""The expected results of the actions at one decision.

The actions are played on to the end of the deal from the same guesses of what is hidden, with the
same random numbers, because differences between actions are known far better than results (common
random numbers).

Half of the budget chooses the best action: in each round all that are left are played on, and the
better half remains (sequential halving: Karnin, Koren, Somekh: Almost Optimal Exploration in
Multi-Armed Bandits, 2013). Then it is compared with the action that was chosen, on new guesses: the
best of many estimates is too good to be true on the guesses that selected it. Another action,
chosen at random, is played on from these, too.

A mark must not depend on the guesses. So the comparison also has the other actions that the first
half leaves able to make the choice a blunder, and goes on beyond the budget with those of which
that is open. That biases the loss: one that looks large by chance is looked at again, one that
looks small is not. So sums are of the guesses within the budget, and of the best action that the
first half chose.

Where everything is known and few positions are left, the ends of the deal are those of best play
(`endgame`), the same for all guesses.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, log2, sqrt
from random import Random
from statistics import fmean, stdev
from typing import NamedTuple

from arena.analysis.endgame import is_known, solved
from arena.analysis.later_deals import LaterDeals, Outcome, outcome_of
from arena.analysis.mark import least_blunder
from arena.views.matches.analysis import Estimate, WeighedAction
from sevens_games import Experience, Match

FEWEST = 2  # guesses for each action, so that there is an error
FEWEST_COMPARED = 16  # guesses for the best and the chosen action
MOST_COMPARED = 8  # guesses for each playout of the budget
MOST_RIVALS = 4
CERTAIN = 2.5  # standard errors; more than for a mark, because each doubling looks again
ZERO = Estimate(mean=0.0, error=0.0)


class Weighed(NamedTuple):
    """As in `WeighedDecision`."""

    actions: tuple[WeighedAction, ...]
    sampled: Estimate
    at_random: Estimate
    expected: tuple[Estimate, ...]
    exact: bool


class Choices:
    """The legal actions of a seat at one decision.

    `policy`: chooses in all playouts. It learns nothing here, so that the guesses are independent.
    `later`: the deals after the current one; it draws its samples from the guesses here.
    `last`: the last rank that the seat can have.
    """

    def __init__(
        self,
        match: Match,
        seat: int,
        policy: Experience,
        later: LaterDeals,
        seed: str,
        last: int,
    ) -> None:
        self._match = match
        self._seat = seat
        self._policy = policy
        self._later = later
        self._seed = seed
        self._blunder = least_blunder(last)
        self._guesses = 0
        self._solved: Mapping[str, Outcome] = {}

    def weighed(self, chosen: str, budget: int) -> Weighed:
        legal = [str(action) for action in self._match.legal_actions(self._seat)]
        self._solve(legal[0])
        outcomes = self._halved(legal, budget // 2)
        best = max(legal, key=lambda action: (len(outcomes[action]), self._worth(outcomes[action])))
        again: dict[str, list[Outcome]] = {best: [], chosen: []}
        again |= {action: [] for action in self._rivals(outcomes, chosen)}
        strays: list[Outcome] = []
        for _ in range(FEWEST_COMPARED if len(again) == 1 else max(FEWEST_COMPARED, budget // 6)):
            stray = Random(f"{self._seed}/{self._guesses}/stray").choice(legal)
            played = {**again, stray: again.get(stray, [])}
            self._play(played)
            strays.append(played[stray][-1])
        sampled = self._behind(again[chosen], again[best])
        at_random = self._behind(strays, again[best])
        self._settle(again, chosen, MOST_COMPARED * budget)
        best = max(again, key=lambda action: self._behind(again[chosen], again[action]).mean)
        actions = [
            self._action(action, again[action], again[best])
            if action in again
            else self._action(action, outcomes[action], outcomes[best])
            for action in legal
        ]
        actions.sort(key=lambda action: (action.action != best, action.behind.mean))
        expected = [
            estimate([self._later.ranks(outcome)[seat] for outcome in again[chosen]])
            for seat in range(self._match.players)
        ]
        return Weighed(tuple(actions), sampled, at_random, tuple(expected), bool(self._solved))

    def _solve(self, action: str) -> None:
        """Finds how the deal ends after each action, if everything is known and that is enough."""
        rng = Random(f"{self._seed}/known")
        if is_known(self._match, rng):
            guess = self._match.redeal(self._seat, rng)
            self._play({action: []})  # so that later deals have been sampled
            self._solved = solved(guess, lambda outcome: self._worth([outcome]))

    def _halved(self, legal: Sequence[str], budget: int) -> dict[str, list[Outcome]]:
        outcomes = {action: list[Outcome]() for action in legal}
        rounds = max(1, ceil(log2(len(legal))))
        left = list(legal)
        for _ in range(rounds):
            for _ in range(max(FEWEST, budget // (rounds * len(left)))):
                self._play({action: outcomes[action] for action in left})
            left.sort(key=lambda action: self._worth(outcomes[action]), reverse=True)
            left = left[: max(2, ceil(len(left) / 2))]
        return outcomes

    def _rivals(self, outcomes: Mapping[str, Sequence[Outcome]], chosen: str) -> list[str]:
        """Returns the actions that may be better than the chosen one by what makes a blunder, those
        that seem best first."""
        losses = self._losses(outcomes, chosen)
        able = [action for action, loss in losses.items() if most(loss) > self._blunder]
        return sorted(able, key=lambda action: losses[action].mean, reverse=True)[:MOST_RIVALS]

    def _settle(self, again: Mapping[str, list[Outcome]], chosen: str, guesses: int) -> None:
        """Doubles the guesses, up to a number, while it is open whether the choice is a blunder."""
        while 2 * len(again[chosen]) <= guesses and (rivals := self._open(again, chosen)):
            for _ in again[chosen].copy():
                self._play({action: again[action] for action in (chosen, *rivals)})

    def _open(self, again: Mapping[str, list[Outcome]], chosen: str) -> list[str]:
        """Returns the actions that may be better by what makes a blunder, or may not; none if
        another certainly is."""
        guesses = len(again[chosen])
        level = {action: ends for action, ends in again.items() if len(ends) == guesses}
        losses = self._losses(level, chosen)
        if any(least(loss) > self._blunder for loss in losses.values()):
            return []
        return [action for action, loss in losses.items() if most(loss) > self._blunder]

    def _losses(
        self, outcomes: Mapping[str, Sequence[Outcome]], chosen: str
    ) -> dict[str, Estimate]:
        """Returns how far the chosen action is behind each other one."""
        return {
            action: self._behind(outcomes[chosen], ends)
            for action, ends in outcomes.items()
            if action != chosen
        }

    def _play(self, outcomes: Mapping[str, list[Outcome]]) -> None:
        """Plays another guess on with each of these actions."""
        self._guesses += 1
        chance = f"{self._seed}/{self._guesses}"
        if self._solved:
            for action, ends in outcomes.items():
                ends.append(self._solved[action])
            return
        guess = self._match.redeal(self._seat, Random(chance))
        unfinished = None
        for action, ends in outcomes.items():
            match = guess.clone()
            match.apply(self._seat, action)
            self._policy.play_deal(match, Random(chance))
            ends.append(outcome_of(match))
            if match.to_act:
                unfinished = match
        if unfinished:
            self._later.sample(unfinished, Random(chance))

    def _rank(self, outcome: Outcome) -> float:
        return self._later.ranks(outcome)[self._seat]

    def _worth(self, outcomes: Sequence[Outcome]) -> tuple[float, float]:
        """Returns what is better if it is greater: first by the rank, then by the score."""
        return (
            -fmean(self._rank(outcome) for outcome in outcomes),
            fmean(
                self._later.direction(outcome) * outcome.scores[self._seat] for outcome in outcomes
            ),
        )

    def _action(
        self, action: str, outcomes: Sequence[Outcome], best: Sequence[Outcome]
    ) -> WeighedAction:
        return WeighedAction(
            action=action,
            rank=estimate([self._rank(outcome) for outcome in outcomes]),
            score=estimate([self._later.score(outcome, self._seat) for outcome in outcomes]),
            behind=self._behind(outcomes, best),
            guesses=len(outcomes),
        )

    def _behind(self, outcomes: Sequence[Outcome], best: Sequence[Outcome]) -> Estimate:
        """Compares the guesses that both were played on from."""
        if outcomes is best:
            return ZERO
        return estimate(
            [
                self._rank(one) - self._rank(other)
                for one, other in zip(outcomes, best, strict=False)
            ]
        )


def least(loss: Estimate) -> float:
    return loss.mean - CERTAIN * loss.error


def most(loss: Estimate) -> float:
    return loss.mean + CERTAIN * loss.error


def estimate(values: Sequence[float]) -> Estimate:
    """Returns the mean of ranks or scores. If all agree, its error is what one more value that is
    different by 1 would change: it is not certain that all others would agree."""
    number = len(values)
    return Estimate(mean=fmean(values), error=stdev(values) / sqrt(number) or 1 / (number + 1))
