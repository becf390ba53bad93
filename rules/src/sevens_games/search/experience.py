"""The lessons of a match's playouts, and the choices in playouts that follow from them.

A playout chooses each legal action in proportion to the product of its features' weights: those of
itself and its kind, of both after the public action before, and, if it looks, of what its card is
among the cards that its seat sees or, without a card, of the hand. If the playout ends better for
a seat than the others of the same guess, the weights of the actions that the seat chose grow, and
those of the actions that it might have chosen instead shrink: so an action is not taken for good
because it is legal in good positions only. That is playout policy adaptation, by payoff and
with N-grams (Sironi, Cazenave, Winands: Enhancing Playout Policy Adaptation for General Game
Playing, 2021), and with features of moves (Cazenave: Playout Policy Adaptation with Move Features,
2016), so that a lesson about one card holds for others. The mean of the other playouts as a
baseline is that of Kool, van Hoof, Welling: Buy 4 REINFORCE Samples, Get a Baseline for Free!,
2019.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, exp
from random import Random
from typing import Any, NamedTuple

from sevens_games.engine import Action, Match, Result, SeededDeals
from sevens_games.search.features import Sight, features_after

AGAIN = 4  # playouts of each deal of a rehearsal
AS_ONE = 10  # actions; a choice between more of them counts as several, and teaches as much
MOST_STEPS = 400  # of a deal's playout; a game without deals may be long
MOST_CHOICES = 4_000  # of a playout; in Cash all seats choose at once, from a hundred actions each
LIGHTEST, HEAVIEST = 1e-4, 1e4  # weights; 1 is that of an action never seen
EVEN = 0.5  # the reward of a seat that does as well as its rivals
STEP = 1.0  # how fast the logarithm of an action's weight grows with the credit
WON = 0.5  # the weight of the ranks in the reward of a match that ends; the rest are the scores


class Made(NamedTuple):
    """A choice between several actions.

    `after`: the public text of the action before it, if it is known.
    `sight`: what the seat saw, if the choice depended on it.
    """

    seat: int
    action: Action[Any]
    legal: Sequence[Action[Any]]
    after: str = ""
    sight: Sight | None = None


class Playout(NamedTuple):
    """The choices made in it, and the rewards by seat."""

    made: Sequence[Made]
    rewards: Sequence[float]


class Experience:
    """The weights of features in playouts, and the mean size of gains, shared by all seats.

    `looks`: whether choices depend on the cards that their seats see. Playouts then play better,
    and take two to four times as long.
    """

    def __init__(self, teams: Sequence[int], *, looks: bool = False) -> None:
        self._teams = teams
        self._looks = looks
        self._rivals = [sum(other != team for other in teams) for team in teams]
        self._weights: dict[str, float] = {}
        self._gains, self._gained = 1.0, 1  # the sum of the gains that are not 0, and their number

    def copy(self) -> Experience:
        """Returns an experience that begins with these lessons and learns on its own."""
        other = Experience(self._teams, looks=self._looks)
        other._weights = self._weights.copy()
        other._gains, other._gained = self._gains, self._gained
        return other

    def rehearse(self, match: Match, choices: int) -> None:
        """Learns from at least that many choices in other deals of the match's game, always the
        same ones: so a bot begins every decision with the same lessons, in whichever order it is
        asked. A choice between many actions counts as several, and a playout as one at least, so
        that a rehearsal ends in every game."""
        rng = Random(0)
        made = deals = 0
        while made < choices:
            first = match.game.start(
                players=match.players,
                options=match.options,
                deals=SeededDeals(f"rehearsal/{deals}"),
            )
            playouts = [self.playout(first.clone(), rng) for _ in range(AGAIN)]
            self.learn(playouts)
            made += sum(max(1, sum(map(counted, playout.made))) for playout in playouts)
            deals += 1

    def playout(self, match: Match, rng: Random, first: Made | None = None) -> Playout:
        """Plays on as `play_deal` does."""
        start = match.standing
        made = self.play_deal(match, rng, first)
        return Playout(made, self.rewards(start, match))

    def play_deal(self, match: Match, rng: Random, first: Made | None = None) -> list[Made]:
        """Plays on, `first` with this choice, until the match ends, or another deal has begun and
        there is a new standing. Returns the choices between several actions."""
        start, deal = match.standing, match.deal
        made: list[Made] = []
        number, after = 0, ""
        if first is not None:
            made.append(first)
            after = first.action.public or ""
            match.apply(first.seat, first.action)
        for _ in range(MOST_STEPS):
            if number >= MOST_CHOICES or deal_is_over(match, start, deal):
                break
            seen = after  # of choices made at once, none sees another
            for seat in match.to_act:
                legal = match.legal_actions(seat)
                action = legal[0]
                if len(legal) > 1:
                    sight = self.sight(match, seat)
                    action = rng.choices(legal, self.weights(legal, seen, sight))[0]
                    made.append(Made(seat, action, legal, seen, sight))
                    number += counted(made[-1])
                after = action.public or ""
                match.apply(seat, action)
        return made

    def sight(self, match: Match, seat: int) -> Sight | None:
        """Returns what the seat sees, if choices depend on it."""
        return Sight(match.observe(seat), seat) if self._looks else None

    def weights(
        self, legal: Sequence[Action[Any]], after: str = "", sight: Sight | None = None
    ) -> list[float]:
        """Returns how readily playouts choose each of these actions."""
        return [self._weight(names) for names in names_of(legal, after, sight)]

    def _weight(self, names: Sequence[str]) -> float:
        weight = 1.0
        for name in names:
            weight *= self._weights.get(name, 1.0)
        return weight

    def learn(self, playouts: Sequence[Playout]) -> None:
        """Learns from playouts of one guess. What a seat gained in each is compared with the mean
        of the others."""
        number = len(playouts)
        sums = [sum(rewards) for rewards in zip(*(p.rewards for p in playouts), strict=True)]
        for made, rewards in playouts:
            credits = [
                reward - ((total - reward) / (number - 1) if number > 1 else EVEN)
                for reward, total in zip(rewards, sums, strict=True)
            ]
            for choice in made:
                self._credit(choice, credits[choice.seat])

    def _credit(self, choice: Made, credit: float) -> None:
        """Follows the gradient of the logarithm of the probability of the choice. An action's
        features share the step, so that an action with more of them does not learn faster."""
        known = self._weights
        named = names_of(choice.legal, choice.after, choice.sight)
        weights = [self._weight(names) for names in named]
        total = sum(weights)
        lesson = STEP * counted(choice) * credit
        for action, names, weight in zip(choice.legal, named, weights, strict=True):
            step = lesson / len(names)
            factor = exp(step * ((action == choice.action) - weight / total))
            for name in names:
                changed = known.get(name, 1.0) * factor
                known[name] = min(max(changed, LIGHTEST), HEAVIEST)

    def rewards(self, start: Result, match: Match) -> list[float]:
        """Returns, by seat, from 0 to 1: how much its scores gained since the start on those of
        each rival, and at the end of the match also who is ahead."""
        end, teams = match.standing, self._teams
        sign = direction(end) or direction(start)
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


def counted(choice: Made) -> int:
    """Returns how many choices this one counts as: one between many actions takes longer to make,
    and as each of them is chosen seldom, lessons of equal size would teach less."""
    return ceil(len(choice.legal) / AS_ONE)


def names_of(
    legal: Sequence[Action[Any]], after: str, sight: Sight | None
) -> list[tuple[str, ...]]:
    """Returns, by action, the names of its features."""
    features = features_after(after)
    if sight is None:
        return [features.of(action) for action in legal]
    return [features.of(action) + sight.of(action) for action in legal]


def deal_is_over(match: Match, start: Result, deal: int) -> bool:
    """True if a match that was in that deal, with that standing, has been played far enough."""
    return not match.to_act or (match.deal != deal and match.standing != start)


def direction(standing: Result) -> int:
    """Returns 1 if higher scores are better, -1 if lower ones are, 0 if all are level."""
    for score, rank in zip(standing.scores, standing.ranks, strict=True):
        for other_score, other_rank in zip(standing.scores, standing.ranks, strict=True):
            if score > other_score and rank != other_rank:
                return 1 if rank < other_rank else -1
    return 0
