"""The seatings of a comparison: each is played with NEW and OLD, and again with the two exchanged.

Entrant 0 is NEW, entrant 1 is OLD; further entrants are house bots, which repeat if there are more
places than house bots. A place is a seat, or all seats of a team: a bot is its own partner.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from arena.match.seatings import Seating

NEW, OLD, FIRST_HOUSE = 0, 1, 2
MOST_MATCHES = 24


def head_to_head_seatings(teams: Sequence[int], house: int) -> tuple[Seating, ...]:
    """Returns the seatings with NEW and OLD at one table. `[m][seat]` is the entrant in match m.

    `teams`: the team of each seat.
    `house`: the number of house bots.

    NEW and OLD take every pair of places if there are at most `MOST_MATCHES` pairs; otherwise all
    pairs at certain distances around the table. Both have every place equally often. Raises
    ValueError if there are too few places or house bots.
    """
    places = sorted(set(teams))
    if len(places) < 2:
        raise ValueError("NEW and OLD need two opposing places at the table; this one has 1.")
    _check_house(house, len(places) - 2)
    return tuple(
        _seating(teams, {places[new]: NEW, places[old]: OLD}, house)
        for new, old in _pairs(len(places))
    )


def replacement_seatings(teams: Sequence[int], house: int) -> tuple[Seating, ...]:
    """Returns the seatings with NEW in each place among house bots, and the same with OLD instead.

    `teams`, `house`: as for `head_to_head_seatings`. Raises ValueError if there is no house bot
    for the other places.
    """
    places = sorted(set(teams))
    _check_house(house, len(places) - 1)
    return tuple(
        _seating(teams, {place: compared}, house) for place in places for compared in (NEW, OLD)
    )


def _pairs(places: int) -> Iterator[tuple[int, int]]:
    """Yields ordered pairs of places, each with its reverse, distance by distance while they
    fit."""
    left = MOST_MATCHES
    for distance in range(1, places // 2 + 1):
        pairs = {
            pair
            for place in range(places)
            for pair in (
                (place, (place + distance) % places),
                ((place + distance) % places, place),
            )
        }
        if len(pairs) <= left or distance == 1:
            left -= len(pairs)
            yield from sorted(pairs, key=lambda pair: (sorted(pair), pair))


def _seating(teams: Sequence[int], compared: dict[int, int], house: int) -> Seating:
    others = [place for place in sorted(set(teams)) if place not in compared]
    entrant = compared | {place: FIRST_HOUSE + index % house for index, place in enumerate(others)}
    return tuple(entrant[team] for team in teams)


def _check_house(house: int, places: int) -> None:
    if places and not house:
        raise ValueError(f"{places} places are left for house bots. Name at least one house bot.")
    if house > places:
        raise ValueError(
            f"There are places for {places} house bots, not {house}. Name fewer house bots."
        )
