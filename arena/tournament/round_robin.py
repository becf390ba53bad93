"""Round robins: every pair meets once, or as nearly so as tables of that size allow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import ceil, gcd
from random import Random

from arena.tournament.affine import affine_lines
from arena.tournament.developed import developed_tables

Table = tuple[int, ...]
Round = tuple[Table, ...]

TRIALS = 20_000


@dataclass(frozen=True)
class Balance:
    """The balance of a schedule: how evenly it treats its entrants.

    `meetings`: the fewest and the most times that a pair meets.
    `byes`: the fewest and the most byes of an entrant.
    """

    meetings: tuple[int, int]
    byes: tuple[int, int]

    def __str__(self) -> str:
        meetings = _times(*self.meetings, "once", "{} times")
        if self.byes == (0, 0):
            return f"each pair meets {meetings}"
        return f"each pair meets {meetings}, and each has {_times(*self.byes, '1 bye', '{} byes')}"


@cache
def round_robin(count: int, sides: int, rounds: int = 0) -> tuple[Round, ...]:
    """Returns the tables of each round; entrants are numbered from 0, and those at no table
    have a bye.

    For two sides, and wherever a construction is known, every pair meets exactly once. Other fields
    are spread as evenly as a search finds, which is the same every time. `rounds`: 0: as many as a
    pair needs to meet once.
    """
    wanted = rounds or rounds_of_all(count, sides)
    schedule = _perfect(count, sides) or _searched(count, sides, min(wanted, count))
    return tuple(schedule[number % len(schedule)] for number in range(wanted))


def rounds_of_all(count: int, sides: int) -> int:
    """Returns the number of rounds in which every pair can meet once, at tables of that size."""
    if sides == 2:
        return count - 1 + count % 2
    return ceil((count - 1) / (sides - 1))


def with_equal_byes(count: int, sides: int, rounds: int, most: int) -> int:
    """Returns the next number of rounds from `rounds` on after which all have had equally many
    byes; `rounds` if that is more than `most`."""
    period = count // gcd(count, count % sides)
    equal = ceil(rounds / period) * period
    return equal if equal <= most else rounds


def balance_of(schedule: Sequence[Round], count: int) -> Balance:
    """Returns the balance of a schedule."""
    met: Counter[tuple[int, ...]] = Counter(
        pair for tables in schedule for table in tables for pair in combinations(sorted(table), 2)
    )
    meetings = [met[pair] for pair in combinations(range(count), 2)]
    seated = Counter(one for tables in schedule for table in tables for one in table)
    byes = [len(schedule) - seated[one] for one in range(count)]
    return Balance((min(meetings), max(meetings)), (min(byes), max(byes)))


def _perfect(count: int, sides: int) -> list[Round] | None:
    """Returns rounds in which every pair meets once; None if no construction is known."""
    if sides == 2:
        return list(_circle(count))
    return affine_lines(count, sides) or developed_tables(count, sides)


def _circle(count: int) -> Iterator[Round]:
    """Yields the rounds of the circle method (Kirkman, 1847): all but the last turn by one place.
    With an odd field the last is nobody, and its opponent has a bye."""
    size = count + count % 2
    for turn in range(size - 1):
        ring = [*((turn + step) % (size - 1) for step in range(size - 1)), size - 1]
        pairs = [(ring[step], ring[size - 2 - step]) for step in range((size - 1) // 2)]
        pairs.append((ring[(size - 1) // 2], size - 1))
        yield tuple(sorted(tuple(sorted(pair)) for pair in pairs if max(pair) < count))


def _searched(count: int, sides: int, rounds: int) -> list[Round]:
    """Returns rounds that repeat few pairs and share the byes, by exchanging entrants within a
    round as long as that helps, and at times although it does not (simulated annealing)."""
    rng = Random(f"{count} in tables of {sides}")
    seats = count // sides * sides
    orders = [[(one + turn * seats) % count for one in range(count)] for turn in range(rounds)]
    for order in orders[1:]:
        seated = order[:seats]
        rng.shuffle(seated)
        order[:seats] = seated
    return _annealed(orders, sides, rng)


def _annealed(orders: list[list[int]], sides: int, rng: Random) -> list[Round]:
    """`orders`: of each round, the tables one after the other, then the byes. Exchanges only those
    who are seated, so that the byes stay shared."""
    seats = len(orders[0]) // sides * sides
    met: Counter[frozenset[int]] = Counter()
    for order in orders:
        met.update(map(frozenset, _pairs(order, seats, sides)))
    best, best_cost = [order.copy() for order in orders], _squares(met)
    cost = best_cost
    for trial in range(TRIALS):
        heat = 2.0 * (1 - trial / TRIALS)
        order = rng.choice(orders)
        one, other = rng.sample(range(seats), 2)
        if one // sides == other // sides:
            continue
        change = _exchange(order, one, other, sides, met)
        if change > 0 and rng.random() >= 0.5 ** (change / max(heat, 1e-9)):
            _exchange(order, one, other, sides, met)
            continue
        cost += change
        if cost < best_cost:
            best, best_cost = [order.copy() for order in orders], cost
    return [_tables(order, seats, sides) for order in best]


def _exchange(
    order: list[int], one: int, other: int, sides: int, met: Counter[frozenset[int]]
) -> int:
    """Exchanges two places; returns by how much the sum of the squares of meetings grows."""
    change = 0
    for place, goes, comes in ((one, order[one], order[other]), (other, order[other], order[one])):
        start = place // sides * sides
        for seat in range(start, start + sides):
            if seat != place:
                apart, together = frozenset((goes, order[seat])), frozenset((comes, order[seat]))
                change += 2 * (met[together] - met[apart] + 1)
                met[apart] -= 1
                met[together] += 1
    order[one], order[other] = order[other], order[one]
    return change


def _pairs(order: Sequence[int], seats: int, sides: int) -> Iterator[tuple[int, int]]:
    for start in range(0, seats, sides):
        yield from combinations(order[start : start + sides], 2)


def _squares(met: Counter[frozenset[int]]) -> int:
    return sum(times**2 for times in met.values())


def _tables(order: Sequence[int], seats: int, sides: int) -> Round:
    return tuple(
        sorted(tuple(sorted(order[start : start + sides])) for start in range(0, seats, sides))
    )


def _times(least: int, most: int, once: str, often: str) -> str:
    if least == most == 1:
        return once
    return often.format(least if least == most else f"{least} to {most}")
