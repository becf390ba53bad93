"""Search that knows no game: plays on from what one seat may know of a match.

Guess what is hidden, play the guess on to the end of the deal, count what it brought, and
repeat this with the choices that have done well so far. All guesses share one tree, whose branches
are what this seat would see. That is information set Monte Carlo tree search with a single observer
(Cowling, Powley, Whitehouse: Information Set Monte Carlo Tree Search, 2012):

- A choice is judged by its mean reward and by how often it was legal: it is not so in every guess.
- Choices of others that look the same to this seat share a branch (the same article, section V.C).
- Seats that choose at once choose independently, each by its own rewards: decoupled UCT (Tak,
  Lanctot, Winands: Monte Carlo Tree Search Variants for Simultaneous Move Games, 2014).
- Each seat wants the best for its own team: max^n (Sturtevant: An Analysis of UCT in Multi-Player
  Games, 2008).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log, sqrt
from random import Random

from arena.games.engine import Match, Result, SeededDeals

EXPLORATION = 0.5
MOST_STEPS = 400  # of a playout; a game without deals may be long
WON = 0.5  # the weight of the ranks in the reward of a match that ends; the rest are the scores


class Arm:
    """A choice of a seat at a node: how often it was made and possible, and its rewards."""

    __slots__ = ("made", "possible", "reward")

    def __init__(self) -> None:
        self.made = self.possible = 0
        self.reward = 0.0

    def bound(self) -> float:
        """The upper confidence bound of its mean reward."""
        return self.reward / self.made + EXPLORATION * sqrt(log(self.possible) / self.made)


class Node:
    """A moment as this seat sees it: the arms of the seats that decide, and the moments after it
    by the branches."""

    __slots__ = ("after", "arms")

    def __init__(self) -> None:
        self.arms: dict[tuple[int, str], Arm] = {}
        self.after: dict[tuple[str, ...], Node] = {}


class Search:
    """The tree of one decision.

    `position`: the match in play, or one restored from the seat's observation.
    """

    def __init__(self, position: Match, seat: int, rng: Random) -> None:
        self._position = position
        self._seat = seat
        self._random = rng
        self._teams = position.game.teams(position.players)
        self._root = Node()
        self._gains = Scale()

    def best(self, legal: Sequence[str]) -> str:
        """Returns the action that was chosen most often."""
        return max(legal, key=lambda action: self._arm(action).made)

    def mean(self, action: str) -> float:
        arm = self._arm(action)
        return arm.reward / arm.made if arm.made else 0.0

    def _arm(self, action: str) -> Arm:
        return self._root.arms.get((self._seat, action)) or Arm()

    def playout(self) -> None:
        """Deals what is hidden, plays the match along the tree and one node beyond, then at random,
        and counts the rewards."""
        match = self._position.redeal(self._seat, self._random)
        start, deal = match.standing, deal_of(match)
        path: list[tuple[int, Arm]] = []
        node: Node | None = self._root
        for _ in range(MOST_STEPS):
            if not match.to_act or (deal_of(match) != deal and match.standing != start):
                break
            if node:
                node = self._step(match, node, path)
            else:
                self._at_random(match)
        rewards = self._rewards(match, start)
        for seat, arm in path:
            arm.made += 1
            arm.reward += rewards[seat]

    def _step(self, match: Match, node: Node, path: list[tuple[int, Arm]]) -> Node | None:
        """Every seat that is to decide chooses by its own arms. Returns the next node, if it is in
        the tree."""
        branch = []
        for seat in match.to_act:
            action, seen, arm = self._chosen(match, node, seat)
            match.apply(seat, action)
            path.append((seat, arm))
            branch.append(seen)
        after = node.after.get(tuple(branch))
        if after is None:
            node.after[tuple(branch)] = Node()
        return after

    def _chosen(self, match: Match, node: Node, seat: int) -> tuple[str, str, Arm]:
        """Returns the action, its look to this seat, and its arm."""
        by_look: dict[str, list[str]] = {}
        for action in match.legal_actions(seat):
            look = action if seat == self._seat else action.public or ""
            by_look.setdefault(look, []).append(action)
        arms = {look: node.arms.setdefault((seat, look), Arm()) for look in by_look}
        for arm in arms.values():
            arm.possible += 1
        untried = [look for look, arm in arms.items() if not arm.made]
        look = (
            self._random.choice(untried)
            if untried
            else max(arms, key=lambda look: arms[look].bound())
        )
        return self._random.choice(by_look[look]), look, arms[look]

    def _at_random(self, match: Match) -> None:
        choice = self._random.choice
        for seat in match.to_act:
            match.apply(seat, choice(match.legal_actions(seat)))

    def _rewards(self, match: Match, start: Result) -> list[float]:
        """Returns, by seat, from 0 to 1: how much its scores gained on those of each rival, and
        at the end also who is ahead."""
        end, teams = match.standing, self._teams
        sign = direction(end)
        gains = [sign * (b - a) for a, b in zip(start.scores, end.scores, strict=True)]
        pairs = {
            (one, other): gains[one] - gains[other]
            for one in range(len(teams))
            for other in range(len(teams))
            if teams[one] != teams[other]
        }
        self._gains.add(max(map(abs, pairs.values()), default=0.0))
        weight = 0.0 if match.result is None else WON
        rewards = [0.0] * len(teams)
        for (one, other), gain in pairs.items():
            mine, theirs = end.ranks[one], end.ranks[other]
            ahead = (1 + (mine < theirs) - (mine > theirs)) / 2
            gained = 1 / (1 + exp(-2 * gain / self._gains.mean))
            rivals = sum(team != teams[one] for team in teams)
            rewards[one] += (weight * ahead + (1 - weight) * gained) / rivals
        return rewards


def deal_of(match: Match) -> int:
    """Returns the number of deals that have begun since the position."""
    deals = match.deals
    assert isinstance(deals, SeededDeals)
    return deals.deal


class Scale:
    """The mean of the gains of playouts so far that are not 0."""

    def __init__(self) -> None:
        self._sum, self._number = 1.0, 1

    def add(self, gain: float) -> None:
        if gain:
            self._sum += gain
            self._number += 1

    @property
    def mean(self) -> float:
        return self._sum / self._number


def direction(standing: Result) -> int:
    """Returns 1 if higher scores are better, -1 if lower ones are."""
    for score, rank in zip(standing.scores, standing.ranks, strict=True):
        for other_score, other_rank in zip(standing.scores, standing.ranks, strict=True):
            if score > other_score and rank != other_rank:
                return 1 if rank < other_rank else -1
    return 1
