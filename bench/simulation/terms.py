"""The terms of a simulation: its field of bots and the matches that they play."""

from __future__ import annotations

from dataclasses import dataclass

from arena.ratings import GREATEST_DRAW_PROBABILITY, LEAST_DRAW_PROBABILITY


class WrongTerms(ValueError):
    """Terms that cannot be simulated. The message is a sentence. `field`: the term it is about."""

    def __init__(self, sentence: str, field: str) -> None:
        super().__init__(sentence)
        self.field = field


@dataclass(frozen=True)
class Terms:
    """The terms of a simulation.

    `bots`: how many.
    `seats`, `teams`: of a match. Seat s is in team s mod `teams`.
    `own_partners`: each team consists of one bot, which counts as one player.
    `spread`: the standard deviation of the bots' skills, in beta.
    `draw_probability`: how often equal teams tie.
    `matches`: by each bot, on average.
    """

    bots: int = 100
    seats: int = 2
    teams: int = 2
    own_partners: bool = False
    spread: float = 1.0
    draw_probability: float = LEAST_DRAW_PROBABILITY
    matches: int = 60

    def __post_init__(self) -> None:
        if self.seats % self.teams:
            raise WrongTerms(
                f"{self.seats} seats cannot be divided into {self.teams} teams of one size.",
                "teams",
            )
        if self.bots <= self.places:
            raise WrongTerms(
                f"{self.bots} bots leave nothing to choose where {self.places} meet; there must"
                " be more of them.",
                "bots",
            )
        if self.spread <= 0:
            raise WrongTerms(
                f"A spread of {self.spread:g} beta leaves no order to find; give a larger one.",
                "spread",
            )
        if not LEAST_DRAW_PROBABILITY <= self.draw_probability <= GREATEST_DRAW_PROBABILITY:
            raise WrongTerms(
                f"The draw probability must be from {LEAST_DRAW_PROBABILITY} to"
                f" {GREATEST_DRAW_PROBABILITY}, not {self.draw_probability}.",
                "draw_probability",
            )

    @property
    def places(self) -> int:
        """The number of bots that meet in a match."""
        return self.teams if self.own_partners else self.seats

    @property
    def team_size(self) -> int:
        """The number of players that a team counts as."""
        return self.places // self.teams

    @property
    def team_of_seat(self) -> tuple[int, ...]:
        return tuple(seat % self.teams for seat in range(self.seats))
