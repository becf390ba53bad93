"""The pool: duplicate groups that are really played, by pair of players."""

from __future__ import annotations

from dataclasses import dataclass, field

from bench.budgets.field import PAIRS, VERSUS, XERI, player
from bench.duplicate.group import difference, play_match, result_of
from bench.luck import RANDOM_PLAYOUTS, luck_of

SEED = "budgets"
VERSUS_GROUPS, HOUSE_GROUPS = 600, 200
"""The groups of each pair of versions, and of each version and the house bot."""


@dataclass(frozen=True)
class Played:
    """A group. `points`, `luck`: in rank points, of the first of the pair less those of the
    second, by match."""

    points: tuple[float, float]
    luck: tuple[float, float]


@dataclass
class Pool:
    """The groups of each pair, in the order in which they were dealt.

    `seed`: from which deals and bots follow.
    """

    seed: str
    groups: dict[tuple[str, str], list[Played]] = field(default_factory=dict)

    def of(self, first: str, second: str) -> list[Played]:
        return self.groups.setdefault((first, second), [])

    def play(self, first: str, second: str) -> None:
        """Plays the pair's next group."""
        groups = self.of(first, second)
        groups.append(play_group(first, second, f"{self.seed}/{first}/{second}/{len(groups)}"))


def play_pool() -> Pool:
    """Plays all groups: about 10 minutes of one core."""
    pool = Pool(SEED)
    for pair in PAIRS:
        for _ in range(VERSUS_GROUPS if pair in VERSUS else HOUSE_GROUPS):
            pool.play(*pair)
    return pool


def play_group(first: str, second: str, deal: str) -> Played:
    """Plays one deal in both seatings."""
    players = (player(second), player(first))  # OLD, NEW
    matches = [
        (seating, *play_match(XERI, seating, deal, players)) for seating in XERI.full_group()
    ]
    points = [result_of(XERI, seating, result) for seating, result, _ in matches]
    luck = [
        difference(XERI, seating, luck_of(played, RANDOM_PLAYOUTS))
        for seating, _, played in matches
    ]
    return Played((points[0], points[1]), (luck[0], luck[1]))
