"""Value functions: what a position is worth to each seat, estimated by playing it out."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from random import Random
from statistics import fmean
from typing import TypeAlias

from arena.protocol import rank_points
from sevens_games import Match, text_of

# Returns one of the seat's legal actions. It may use all of the match, and must not change it.
Policy: TypeAlias = Callable[[Match, int, Random], str]

METHOD = "luck 1"  # changes whenever equal parameters could give other figures


def choose_at_random(match: Match, seat: int, rng: Random) -> str:
    return rng.choice(match.legal_actions(seat))


@dataclass(frozen=True)
class ValueFunction:
    """The mean rank points of playouts, in which every seat follows one policy.

    It must be fixed before the first match that it judges: a choice among value functions
    afterwards is a choice of the result. Its digest, published beforehand, proves that.

    `name`: names the policy, with its version if it has several.
    `playouts`: of the position that the cards gave.
    `redeals`: other cards that are dealt for comparison, each played out once.
    """

    name: str
    policy: Policy
    playouts: int = 16
    redeals: int = 16

    def __post_init__(self) -> None:
        for field in ("playouts", "redeals"):
            if getattr(self, field) < 1:
                raise ValueError(f"`{field}` is {getattr(self, field)}; it must be at least 1.")

    def digest(self, match: Match) -> str:
        """Returns the SHA-256, in hexadecimal, of all that determines the function for matches of
        this game, these options and this number of seats."""
        options = {name: text_of(value) for name, value in match.options.items()}
        parameters = [
            METHOD,
            self.name,
            self.playouts,
            self.redeals,
            match.game.slug,
            match.game.rules_version,
            options,
            match.players,
        ]
        text = json.dumps(parameters, sort_keys=True, separators=(",", ":"))
        return sha256(text.encode()).hexdigest()

    def dealt(self, match: Match, rng: Random) -> tuple[float, ...]:
        """Returns by seat the mean rank points of `playouts` from here, each with other chance."""
        return mean_by_seat([self.played_out(match, rng) for _ in range(self.playouts)])

    def expected(self, deal: Callable[[Random], Match], rng: Random) -> tuple[float, ...]:
        """Returns by seat the mean rank points over `redeals` other deals."""
        return mean_by_seat([self.played_out(deal(rng), rng) for _ in range(self.redeals)])

    def played_out(self, match: Match, rng: Random) -> tuple[float, ...]:
        """Returns by seat the rank points of one playout of a copy, with other chance."""
        twin = match.with_other_chance(rng)
        while twin.to_act:
            seat = rng.choice(twin.to_act)
            twin.apply(seat, self.policy(twin, seat, rng))
        assert twin.result is not None
        return rank_points(twin.result.ranks, match.game.teams(match.players))


RANDOM_PLAYOUTS = ValueFunction("random", choose_at_random)
"""Every seat chooses at random: the same for every game, and fast."""


def mean_by_seat(points: list[tuple[float, ...]]) -> tuple[float, ...]:
    return tuple(fmean(seat) for seat in zip(*points, strict=True))
