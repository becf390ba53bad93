"""The lessons of a match's playouts, and the choices in playouts that follow from them.

A playout takes the legal action whose mean reward is best so far, whatever the position; now and
then it takes any. That is the move-average sampling technique (Finnsson,
Björnsson: Simulation-Based Approach to General Game Playing, 2008) with epsilon-greedy choice (Tak,
Winands, Björnsson: N-Grams and the Last-Good-Reply Policy Applied in General Game Playing, 2012).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import exp
from random import Random
from typing import Any

from sevens_games.engine import Action, Match, Result, SeededDeals

AT_RANDOM = 0.2  # the share of choices in playouts that ignore what is known
MOST_STEPS = 400  # of a deal's playout; a game without deals may be long
WON = 0.5  # the weight of the ranks in the reward of a match that ends; the rest are the scores

Made = tuple[int, str]
"""A seat and the action it chose."""


class Experience:
    """The mean rewards of actions in playouts, and the mean size of gains, shared by all seats."""

    def __init__(self, teams: Sequence[int]) -> None:
        self._teams = teams
        self._rivals = [sum(other != team for other in teams) for team in teams]
        self._rewards: dict[str, float] = {}
        self._times: dict[str, int] = {}
        self._gains, self._gained = 1.0, 1  # the sum of the gains that are not 0, and their number

    def copy(self) -> Experience:
        """Returns an experience that begins with these lessons and learns on its own."""
        other = Experience(self._teams)
        other._rewards, other._times = self._rewards.copy(), self._times.copy()
        other._gains, other._gained = self._gains, self._gained
        return other

    def rehearse(self, match: Match, deals: int) -> None:
        """Learns from that many other deals of the match's game, always the same ones: so a bot
        begins every decision with the same lessons, in whichever order it is asked."""
        rng = Random(0)
        for number in range(deals):
            played = match.game.start(
                players=match.players,
                options=match.options,
                deals=SeededDeals(f"rehearsal/{number}"),
            )
            start = played.standing
            made = self.play_deal(played, rng)
            self.learn(made, self.rewards(start, played))

    def mean(self, action: str) -> float:
        """Returns the mean reward of an action; as of one more playout that won half."""
        return (self._rewards.get(action, 0.0) + 0.5) / (self._times.get(action, 0) + 1)

    def play_deal(self, match: Match, rng: Random) -> list[Made]:
        """Plays on until the match ends, or another deal has begun and there is a new standing.
        Returns the choices between several actions."""
        start, deal = match.standing, match.deal
        made: list[Made] = []
        for _ in range(MOST_STEPS):
            if is_over(match, start, deal):
                break
            for seat in match.to_act:
                legal = match.legal_actions(seat)
                action = self._choice(legal, rng)
                if len(legal) > 1:
                    made.append((seat, action))
                match.apply(seat, action)
        return made

    def _choice(self, legal: Sequence[Action[Any]], rng: Random) -> Action[Any]:
        number = len(legal)
        if number == 1:
            return legal[0]
        if rng.random() < AT_RANDOM:
            return legal[int(rng.random() * number)]
        return max(legal, key=self.mean)

    def learn(self, made: Iterable[Made], rewards: Sequence[float]) -> None:
        """Counts the rewards, by seat, for the choices that led to them."""
        for seat, action in made:
            self._rewards[action] = self._rewards.get(action, 0.0) + rewards[seat]
            self._times[action] = self._times.get(action, 0) + 1

    def rewards(self, start: Result, match: Match) -> list[float]:
        """Returns, by seat, from 0 to 1: how much its scores gained since the start on those of
        each rival, and at the end of the match also who is ahead."""
        end, teams = match.standing, self._teams
        sign = direction(end)
        gains = [sign * (b - a) for a, b in zip(start.scores, end.scores, strict=True)]
        pairs = {
            (one, other): gains[one] - gains[other]
            for one in range(len(teams))
            for other in range(len(teams))
            if teams[one] != teams[other]
        }
        scale = self._scale(max(map(abs, pairs.values()), default=0.0))
        weight = 0.0 if match.result is None else WON
        rewards = [0.0] * len(teams)
        for (one, other), gain in pairs.items():
            mine, theirs = end.ranks[one], end.ranks[other]
            ahead = (1 + (mine < theirs) - (mine > theirs)) / 2
            gained = 1 / (1 + exp(-2 * gain / scale))
            rewards[one] += (weight * ahead + (1 - weight) * gained) / self._rivals[one]
        return rewards

    def _scale(self, gain: float) -> float:
        """Returns the mean of all gains so far, this one included, that are not 0."""
        if gain:
            self._gains += gain
            self._gained += 1
        return self._gains / self._gained


def is_over(match: Match, start: Result, deal: int) -> bool:
    """True if a match that was in that deal, with that standing, has been played far enough."""
    return not match.to_act or (match.deal != deal and match.standing != start)


def direction(standing: Result) -> int:
    """Returns 1 if higher scores are better, -1 if lower ones are."""
    for score, rank in zip(standing.scores, standing.ranks, strict=True):
        for other_score, other_rank in zip(standing.scores, standing.ranks, strict=True):
            if score > other_score and rank != other_rank:
                return 1 if rank < other_rank else -1
    return 1
