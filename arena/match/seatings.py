"""The seatings of a duplicate group: the same deals, with the players in different seats each
time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from functools import cache
from itertools import permutations
from math import factorial
from random import Random

Seating = tuple[int, ...]

NAMINGS_TRIED = 1000
EVERY_UP_TO = 120
"""Up to five players play all orders; more players play a balanced selection."""


def list_seatings(
    teams: Sequence[int], entrants: Sequence[Hashable], most: int = EVERY_UP_TO
) -> tuple[Seating, ...]:
    """Returns every distinct seating of the entrants. `[m][seat]` is the index in `entrants` of the
    player in that seat in match m; in the first match players sit in the order given.

    `teams`: the team of each seat. 2 players have 2 seatings, 3 have 6, 4 have 24, fewer if some
    entrants are equal; partners change too. If every entrant is its own partner in the order given,
    it remains so: 2 such teams have 2 seatings.

    If there are more than `most` orders, the selection gives every player each seat equally often,
    and each other player equally often as a neighbour or as a partner.
    """
    units = _units(teams, entrants)
    orders = (
        permutations(range(len(units)))
        if factorial(len(units)) <= most
        else balanced_orders(len(units))
        if len(set(teams)) == len(units)
        else mixed_orders(tuple(teams))
    )
    distinct: dict[tuple[Hashable, ...], Seating] = {}
    for order in orders:
        seating = _seating(units, order)
        if seating is not None:
            distinct.setdefault(tuple(entrants[entrant] for entrant in seating), seating)
    return tuple(distinct.values())


def balanced_orders(size: int) -> Iterator[tuple[int, ...]]:
    """Yields orders of `size` players, starting with 0, 1, 2, …, in which each player has each
    place, and each other player just before it, equally often (E. J. Williams's Latin squares,
    1949)."""
    zigzag = [(step + 1) // 2 if step % 2 else -(step // 2) for step in range(size)]
    player_called = {name % size: player for player, name in enumerate(zigzag)}
    squares = [zigzag] if size % 2 == 0 else [zigzag, zigzag[::-1]]
    for square in squares:
        for turn in range(size):
            yield tuple(player_called[(name + turn) % size] for name in square)


@cache
def mixed_orders(teams: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Returns orders of the players, starting with 0, 1, 2, …, in which each player has each place
    once, and each other player as its partner about equally often. The names at the places are all
    raised by 1 from order to order, so two are partners as often as their difference occurs among
    partners; the names are the best of many that are tried."""
    size = len(teams)
    partners = [
        (one, other) for one, other in permutations(range(size), 2) if teams[one] == teams[other]
    ]

    def deviation(names: Sequence[int]) -> int:
        together = Counter((names[one] - names[other]) % size for one, other in partners)
        return sum(times**2 for times in together.values())

    rng = Random(0)  # so that the orders are always the same
    best = min([rng.sample(range(size), size) for _ in range(NAMINGS_TRIED)], key=deviation)
    return tuple(tuple(best.index((name + turn) % size) for name in best) for turn in range(size))


def _units(teams: Sequence[int], entrants: Sequence[Hashable]) -> list[tuple[int, ...]]:
    """Returns the units that change places: single seats, or whole teams if every entrant is its
    own partner."""
    seats_of = [
        tuple(seat for seat, own in enumerate(teams) if own == team) for team in sorted(set(teams))
    ]
    own_partners = all(len({entrants[seat] for seat in seats}) == 1 for seats in seats_of)
    return seats_of if own_partners else [(seat,) for seat in range(len(teams))]


def _seating(units: Sequence[tuple[int, ...]], order: Sequence[int]) -> Seating | None:
    """Returns the seating with unit `order[i]` where unit i sat; None if it does not fit there."""
    at: dict[int, int] = {}
    for here, who in zip(units, order, strict=True):
        if len(units[who]) != len(here):
            return None
        at.update(zip(here, units[who], strict=True))
    return tuple(at[seat] for seat in range(len(at)))
