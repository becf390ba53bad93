"""The pool: duplicate groups that were really played, by pair of players, and their file."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

from bench.budgets.field import XERI, player
from bench.duplicate.group import difference, play_match, result_of
from bench.luck import RANDOM_PLAYOUTS, luck_of

POOL = Path(__file__).with_name("pool.json")


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
    groups: dict[str, list[Played]] = field(default_factory=dict)

    def of(self, first: str, second: str) -> list[Played]:
        return self.groups.setdefault(f"{first} {second}", [])

    def play(self, first: str, second: str) -> None:
        """Plays the pair's next group."""
        groups = self.of(first, second)
        groups.append(play_group(first, second, f"{self.seed}/{first}/{second}/{len(groups)}"))

    def write(self, path: Path) -> None:
        """Writes one group a line."""
        lines = [
            f"{json.dumps(pair)}: [\n"
            + ",\n".join(json.dumps([group.points, group.luck]) for group in groups)
            + "\n]"
            for pair, groups in self.groups.items()
        ]
        path.write_text(f'{{"seed": {json.dumps(self.seed)},\n' + ",\n".join(lines) + "}\n")

    @classmethod
    def read(cls, path: Path) -> Pool:
        """Returns the pool of a file. Raises OSError."""
        told = json.loads(path.read_text())
        seed = told.pop("seed")
        return cls(
            seed,
            {
                pair: [Played(tuple(points), tuple(luck)) for points, luck in groups]
                for pair, groups in told.items()
            },
        )


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
