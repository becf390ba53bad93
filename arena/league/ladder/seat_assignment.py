"""Assigns seats: each version gets the seats and partners that it has had least often."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from random import Random

from arena.league.ladder.field import Field


def seated(field: Field, chosen: Sequence[int], rng: Random) -> tuple[int, ...]:
    """Returns the entrant at each seat: an order that no exchange of two entrants would improve.

    `chosen`: as many entrants as the field has places.
    """
    order = list(chosen)
    rng.shuffle(order)
    improved = True
    while improved:
        improved = False
        for one, other in combinations(range(len(order)), 2):
            swapped = order.copy()
            swapped[one], swapped[other] = order[other], order[one]
            if repeats(field, swapped) < repeats(field, order):
                order, improved = swapped, True
    return _by_seat(field, order)


def repeats(field: Field, order: Sequence[int]) -> int:
    """Returns how often the entrants have had exactly these seats and partners. `order`: the
    entrant at each place."""
    at = _by_seat(field, order)
    sat = sum(int(field.sat[number, seat]) for seat, number in enumerate(at))
    partnered = sum(field.partnered(at[one], at[other]) for one, other in field.partner_seats())
    return sat + partnered


def _by_seat(field: Field, order: Sequence[int]) -> tuple[int, ...]:
    at = {seat: number for number, seats in zip(order, field.places, strict=True) for seat in seats}
    return tuple(at[seat] for seat in range(len(at)))
