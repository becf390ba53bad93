"""The forms of a comparison: a game, a number of seats, and who sits there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from arena.match import Seating, list_seatings
from sevens_games import load, own_slugs
from sevens_games.engine import GameOf

OLD, NEW, HOUSE = range(3)
"""The players: two versions that are compared, and house bots at all other seats."""


@dataclass(frozen=True)
class Form:
    """One row of the table.

    `lines`: each team consists of one version alone, as on a ladder with `partners = same`.
    """

    slug: str
    players: int
    lines: bool = False

    def __str__(self) -> str:
        return f"{self.slug}, {self.players} seats{', lines' if self.lines else ''}"

    @property
    def game(self) -> GameOf:
        return load(self.slug)

    @property
    def teams(self) -> tuple[int, ...]:
        """Returns the team of each seat."""
        return self.game.teams(self.players)

    @property
    def is_ladder_default(self) -> bool:
        """True for the number of seats that a new ladder has."""
        return self.players == self.game.ladder_players

    @property
    def entrants(self) -> tuple[int, ...]:
        """Returns the player at each seat of the first match."""
        if self.lines:
            return tuple(NEW if team == 0 else OLD for team in self.teams)
        return (NEW, OLD, *[HOUSE] * (self.players - 2))

    def full_group(self) -> tuple[Seating, ...]:
        """Returns the seatings of a duplicate group."""
        return list_seatings(self.teams, self.entrants)

    def rotation(self) -> tuple[Seating, ...]:
        """Returns those seatings of the full group in which all move on by one seat from match
        to match; with lines the two teams change places. () if the group, which at large
        tables is a selection, lacks one of them: it then has each player in each seat as rarely
        itself."""
        if self.lines:
            return self.full_group()
        seating_of = {self.players_at(seating): seating for seating in self.full_group()}
        first = self.players_at(tuple(range(self.players)))
        turned = [first[-turn:] + first[:-turn] for turn in range(self.players)]
        if any(players not in seating_of for players in turned):
            return ()
        return tuple(seating_of[players] for players in turned)

    def players_at(self, seating: Seating) -> tuple[int, ...]:
        """Returns the player at each seat."""
        return tuple(self.entrants[entrant] for entrant in seating)


def all_forms() -> Iterator[Form]:
    """Yields every form in which two versions can be compared: each game, each table size; where
    teams can change places, also with lines."""
    for slug in sorted(own_slugs()):
        game = load(slug)
        for players in game.players:
            teams = game.teams(players)
            if len(set(teams)) < 2:
                continue
            yield Form(slug, players)
            if len(set(teams)) < players and 2 * teams.count(0) == players:
                yield Form(slug, players, lines=True)
