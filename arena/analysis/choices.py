"""The expected results of the actions at one decision.

The actions are played on to the end of the deal from the same guesses of what is hidden, with the
same random numbers, because differences between actions are known far better than results (common
random numbers). One of them is played on to the end of the match. What its later deals bring is
added to all ends of the deal, of all guesses: so a lead counts for what it is usually worth, and
not for what the chance of one guess makes of it.

Half of the budget chooses the best action: in each round all that are left are played on, and the
better half remains (sequential halving: Karnin, Koren, Somekh: Almost Optimal Exploration in
Multi-Armed Bandits, 2013). Then it is compared with the action that was chosen, on new guesses: the
best of many estimates is too good to be true on the guesses that selected it. Another action,
chosen at random, is played on from these, too.

Both steps go on beyond the budget while it is open what is a blunder. That biases the loss: one
that looks large by chance is looked at again, one that looks small is not. So sums are of the
guesses within the budget.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, log2, sqrt
from random import Random
from statistics import fmean, stdev
from typing import NamedTuple

from arena.analysis.mark import SIGNIFICANT, least_blunder
from arena.views.matches.analysis import Estimate, WeighedAction
from sevens_games import Experience, Match, Result, direction

FEWEST = 2  # guesses for each action, so that there is an error
FEWEST_COMPARED = 16  # guesses for the best and the chosen action
MOST_COMPARED = 4  # guesses for each playout of the budget
MOST_DEALS = 60  # of a playout that does not end
ZERO = Estimate(mean=0.0, error=0.0)
MOST_LATER = 25  # samples of the later deals that are added to each end of a deal


class Outcome(NamedTuple):
    """The end of a deal.

    `ranks`, `scores`: of the match if it is over, else those of now.
    """

    ranks: Sequence[int]
    scores: Sequence[int]
    is_over: bool


class Weighed(NamedTuple):
    """As in `WeighedDecision`."""

    actions: tuple[WeighedAction, ...]
    sampled: Estimate
    at_random: Estimate
    expected: tuple[Estimate, ...]


class Choices:
    """The legal actions of a seat at one decision.

    `policy`: chooses in all playouts. It learns nothing here, so that the guesses are independent.
    `last`: the last rank that the seat can have.
    """

    def __init__(self, match: Match, seat: int, policy: Experience, seed: str, last: int) -> None:
        self._match = match
        self._seat = seat
        self._policy = policy
        self._seed = seed
        self._blunder = least_blunder(last)
        self._guesses = 0
        self._later: list[list[int]] = []  # by guess, what the later deals brought each seat

    def weighed(self, chosen: str, budget: int) -> Weighed:
        legal = [str(action) for action in self._match.legal_actions(self._seat)]
        outcomes = self._halved(legal, budget // 2)
        best = max(legal, key=lambda action: (len(outcomes[action]), self._worth(outcomes[action])))
        again: dict[str, list[Outcome]] = {best: [], chosen: []}
        strays: list[Outcome] = []
        for _ in range(FEWEST_COMPARED if best == chosen else max(FEWEST_COMPARED, budget // 6)):
            stray = Random(f"{self._seed}/{self._guesses}/stray").choice(legal)
            played = {**again, stray: again.get(stray, [])}
            self._play(played)
            strays.append(played[stray][-1])
        sampled = self._behind(again[chosen], again[best])
        while best != chosen and self._is_unclear(
            again[chosen], again[best], MOST_COMPARED * budget
        ):
            for _ in again[best].copy():
                self._play(again)
        actions = [
            self._action(action, again[action], again[best])
            if action in again
            else self._action(action, outcomes[action], outcomes[best])
            for action in legal
        ]
        actions.sort(key=lambda action: (action.action != best, action.behind.mean))
        expected = [
            estimate([self._rank(outcome, seat) for outcome in again[chosen]])
            for seat in range(self._match.players)
        ]
        at_random = self._behind(strays, again[best])
        return Weighed(tuple(actions), sampled, at_random, tuple(expected))

    def _is_unclear(self, chosen: Sequence[Outcome], best: Sequence[Outcome], most: int) -> bool:
        """Returns whether the loss may be on either side of the limit of a blunder, and twice as
        many guesses are not more than `most`."""
        loss = self._behind(chosen, best)
        is_near = abs(loss.mean - self._blunder) < SIGNIFICANT * loss.error
        return is_near and 2 * len(best) <= most

    def _halved(self, legal: Sequence[str], budget: int) -> dict[str, list[Outcome]]:
        outcomes = {action: list[Outcome]() for action in legal}
        rounds = max(1, ceil(log2(len(legal))))
        left = list(legal)
        for _ in range(rounds):
            for _ in range(max(FEWEST, budget // (rounds * len(left)))):
                self._play({action: outcomes[action] for action in left})
            left.sort(key=lambda action: self._worth(outcomes[action]), reverse=True)
            left = left[: max(2, ceil(len(left) / 2))]
        while self._are_close(*(outcomes[action] for action in left), most=2 * budget):
            for _ in outcomes[left[0]].copy():
                self._play({action: outcomes[action] for action in left})
        return outcomes

    def _are_close(self, one: Sequence[Outcome], other: Sequence[Outcome], *, most: int) -> bool:
        """Returns whether either may still be better by what makes a blunder, and twice as many
        guesses are not more than `most`."""
        between = self._behind(one, other)
        is_open = abs(between.mean) < SIGNIFICANT * between.error > self._blunder
        return is_open and 2 * len(one) <= most

    def _play(self, outcomes: Mapping[str, list[Outcome]]) -> None:
        """Plays another guess on with each of these actions."""
        self._guesses += 1
        chance = f"{self._seed}/{self._guesses}"
        guess = self._match.redeal(self._seat, Random(chance))
        unfinished = None
        for action, ends in outcomes.items():
            match = guess.clone()
            match.apply(self._seat, action)
            self._policy.play_deal(match, Random(chance))
            end = match.standing
            ends.append(Outcome(end.ranks, end.scores, not match.to_act))
            if match.to_act:
                unfinished = match
        if unfinished and len(self._later) < MOST_LATER:
            self._later.append(self._rest(unfinished, Random(chance)))

    def _rest(self, match: Match, rng: Random) -> list[int]:
        """Plays on to the end of the match, and returns what that brought each seat."""
        before = match.standing.scores
        for _ in range(MOST_DEALS):
            if not match.to_act:
                break
            self._policy.play_deal(match, rng)
        return [end - now for now, end in zip(before, match.standing.scores, strict=True)]

    def _rank(self, outcome: Outcome, seat: int) -> float:
        """Returns the rank of a seat at the end of the match."""
        if outcome.is_over:
            return outcome.ranks[seat]
        sign = sign_of(outcome)
        return 1 + fmean(
            sum(
                sign * (score + gain) > sign * (outcome.scores[seat] + later[seat])
                for score, gain in zip(outcome.scores, later, strict=True)
            )
            for later in self._later
        )

    def _worth(self, outcomes: Sequence[Outcome]) -> tuple[float, float]:
        """Returns what is better if it is greater: first by the rank, then by the score."""
        return (
            -fmean(self._rank(outcome, self._seat) for outcome in outcomes),
            fmean(sign_of(outcome) * outcome.scores[self._seat] for outcome in outcomes),
        )

    def _score(self, outcome: Outcome) -> float:
        own = outcome.scores[self._seat]
        if outcome.is_over:
            return own
        return own + fmean(later[self._seat] for later in self._later)

    def _action(
        self, action: str, outcomes: Sequence[Outcome], best: Sequence[Outcome]
    ) -> WeighedAction:
        return WeighedAction(
            action=action,
            rank=estimate([self._rank(outcome, self._seat) for outcome in outcomes]),
            score=estimate([self._score(outcome) for outcome in outcomes]),
            behind=self._behind(outcomes, best),
            guesses=len(outcomes),
        )

    def _behind(self, outcomes: Sequence[Outcome], best: Sequence[Outcome]) -> Estimate:
        """Compares the guesses that both were played on from."""
        if outcomes is best:
            return ZERO
        return estimate(
            [
                self._rank(one, self._seat) - self._rank(other, self._seat)
                for one, other in zip(outcomes, best, strict=False)
            ]
        )


def sign_of(outcome: Outcome) -> int:
    return direction(Result([*outcome.scores], [*outcome.ranks], ""))


def estimate(values: Sequence[float]) -> Estimate:
    """Returns the mean of ranks or scores. If all agree, its error is what one more value that is
    different by 1 would change: it is not certain that all others would agree."""
    number = len(values)
    return Estimate(mean=fmean(values), error=stdev(values) / sqrt(number) or 1 / (number + 1))
