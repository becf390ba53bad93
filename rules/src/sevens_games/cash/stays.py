"""The stays of cards in hands: which seats can have swapped the cards that came and went.

After a tick everybody knows which cards were swapped, but not by whom. So a viewer knows of each
card when it went to a hand and when it came back, and that the hands of one tick are different
ones. A *stay* is the time of one card in one hand; its seat is what may be otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import permutations
from random import Random
from typing import NamedTuple

DEALT = 0  # as the tick since which a card is in a hand
CHANGES_A_STAY = 4
MOST_STARTS = 200
MOST_REPAIRS = 300  # of one start; half of the positions of random play need none


class Swap(NamedTuple):
    """A swap that was made: the card that came to the board, and the one that went."""

    tick: int
    seat: int
    came: str
    went: str


class Stay(NamedTuple):
    """A card's stay in a hand, from a tick (or DEALT) to a later one; None if it is still there."""

    card: str
    since: int
    until: int | None


def stays_in(swaps: Sequence[Swap]) -> tuple[list[Stay], list[int]]:
    """The stays that these swaps began or ended, and their seats."""
    began: dict[str, Swap] = {}
    stays: list[Stay] = []
    seats: list[int] = []
    for swap in swaps:
        begun = began.pop(swap.came, None)
        stays.append(Stay(swap.came, begun.tick if begun else DEALT, swap.tick))
        seats.append(swap.seat)
        began[swap.went] = swap
    for card, swap in began.items():
        stays.append(Stay(card, swap.tick, None))
        seats.append(swap.seat)
    return stays, seats


def swaps_of(stays: Sequence[Stay], seats: Sequence[int]) -> list[Swap]:
    """The swaps that belong to these stays, by tick and seat."""
    went = {(stay.since, seat): stay.card for stay, seat in zip(stays, seats, strict=True)}
    return sorted(
        Swap(stay.until, seat, stay.card, went[stay.until, seat])
        for stay, seat in zip(stays, seats, strict=True)
        if stay.until is not None
    )


def stay_of(text: str) -> Stay:
    """The stay whose fields are the words of the text."""
    card, since, until = text.split()
    return Stay(card, int(since), None if until == "None" else int(until))


def possible_seats(
    stays: Sequence[Stay],
    others: Sequence[int],
    faults: Callable[[Sequence[int]], int],
    rng: Random,
) -> list[int]:
    """Some seats that the stays can have had.

    `faults`: the number of impossible things about seats, besides the number of swaps that a seat
    makes in a tick.
    """
    ticks = by_tick(stays)
    for _ in range(MOST_STARTS):
        seats: dict[int, int] = {}
        if not fill_seats(stays, sorted(ticks.items()), seats, others, rng):
            raise ValueError("the cards cannot have come and gone in these ticks")
        found = [seats[at] for at in range(len(stays))]
        for _ in range(MOST_REPAIRS):
            if not faults(found):
                return found
            one, other = rng.sample(others, 2)
            start = rng.randrange(len(stays))
            changed = exchange(stays, ticks, found, start, {one: other, other: one})
            if faults(changed) <= faults(found):
                found = changed
    raise ValueError("no seats can have made these swaps")


def fill_seats(
    stays: Sequence[Stay],
    ticks: Sequence[tuple[int, Tick]],
    seats: dict[int, int],
    others: Sequence[int],
    rng: Random,
) -> bool:
    """Gives the stays of these ticks seats, tick by tick: those that end in a tick have different
    ones, and those that begin have the same. False if there are none."""
    if not ticks:
        return True
    (_, (began, ended)), later = ticks[0], ticks[1:]
    ends = dict(ticks)
    holders = [seats[at] for at in ended if at in seats]
    dealt = [at for at in ended if at not in seats]
    free = [seat for seat in others if seat not in holders]
    for givers in permutations(rng.sample(free, len(free)), len(dealt)):
        swapping = [*holders, *givers]
        for takers in permutations(rng.sample(swapping, len(swapping))):
            if any(
                clashes(stays[at].until, seat, ends, seats)
                for at, seat in zip(began, takers, strict=True)
            ):
                continue
            new = dict(zip([*dealt, *began], [*givers, *takers], strict=True))
            seats.update(new)
            if fill_seats(stays, later, seats, others, rng):
                return True
            for at in new:
                del seats[at]
    return False


def clashes(until: int | None, seat: int, ends: Mapping[int, Tick], seats: dict[int, int]) -> bool:
    """True if the seat ends another stay in that tick."""
    return until is not None and seat in [seats.get(at) for at in ends[until].ended]


def exchanged(
    stays: Sequence[Stay],
    seats: Sequence[int],
    others: Sequence[int],
    agrees: Callable[[Sequence[int]], bool],
    rng: Random,
) -> list[int]:
    """Other seats that the stays can have had, reached by very many exchanges.

    `others`: the seats that they can be of. `agrees`: whether seats are possible in all respects
    but the number of swaps that a seat makes in a tick.
    """
    found = list(seats)
    ticks = by_tick(stays)
    for _ in range(CHANGES_A_STAY * len(stays)):
        one, other = rng.sample(others, 2)
        start = rng.randrange(len(stays))
        changed = exchange(stays, ticks, found, start, {one: other, other: one})
        if agrees(changed):
            found = changed
    return found


class Tick(NamedTuple):
    """The stays that began and those that ended in a tick, by their places."""

    began: list[int]
    ended: list[int]


def by_tick(stays: Sequence[Stay]) -> dict[int, Tick]:
    ticks: dict[int, Tick] = {}
    for place, stay in enumerate(stays):
        if stay.since != DEALT:
            ticks.setdefault(stay.since, Tick([], [])).began.append(place)
        if stay.until is not None:
            ticks.setdefault(stay.until, Tick([], [])).ended.append(place)
    return ticks


def exchange(
    stays: Sequence[Stay],
    ticks: Mapping[int, Tick],
    seats: Sequence[int],
    start: int,
    other: Mapping[int, int],
) -> list[int]:
    """The seats after two of them, each of which is the other of one, have exchanged a stay and
    all that follow from it.

    If both swapped in a tick, they exchange the two cards that came, or the two that went. If only
    one of them did, its card that came and its card that went change the seat together.
    """
    changed = list(seats)
    following = [start]
    while following:
        at = following.pop()
        if changed[at] != seats[at] or seats[at] not in other:
            continue
        changed[at] = other[seats[at]]
        stay = stays[at]
        if stay.since != DEALT:
            began, ended = ticks[stay.since]
            following += partners(began, seats, at, other) or partners(ended, seats, at, other)
        if stay.until is not None:
            began, ended = ticks[stay.until]
            following += partners(ended, seats, at, other) or partners(began, seats, at, other)
    return changed


def partners(
    places: Sequence[int], seats: Sequence[int], at: int, other: Mapping[int, int]
) -> list[int]:
    """Of the stays at these places, those of the two seats, without the one at `at`."""
    return [place for place in places if place != at and seats[place] in other]
