"""The seatings of a comparison: closed under the exchange of NEW and OLD, with the teams of every
game."""

from __future__ import annotations

from collections import Counter

import pytest

from arena.match import Seating, head_to_head_seatings, replacement_seatings
from sevens_games import load, slugs

TABLES = sorted({load(slug).teams(seats) for slug in slugs() for seats in load(slug).players})
OPPOSED = [teams for teams in TABLES if len(set(teams)) >= 2]
EXCHANGED = {0: 1, 1: 0}


def exchanged(seating: Seating) -> Seating:
    return tuple(EXCHANGED.get(entrant, entrant) for entrant in seating)


def closed(seatings: tuple[Seating, ...]) -> bool:
    return Counter(seatings) == Counter(map(exchanged, seatings))


def times_in_seat(seatings: tuple[Seating, ...], entrant: int) -> list[int]:
    return [sum(there == entrant for there in seat) for seat in zip(*seatings, strict=True)]


@pytest.mark.parametrize("teams", OPPOSED, ids=str)
@pytest.mark.parametrize("variety", [1, 2])
def test_head_to_head_is_closed_and_balanced(teams: tuple[int, ...], variety: int) -> None:
    house = min(variety, len(set(teams)) - 2)
    seatings = head_to_head_seatings(teams, house)
    assert len(set(seatings)) == len(seatings) <= 24
    assert closed(seatings)
    for entrant in (0, 1):
        assert len(set(times_in_seat(seatings, entrant))) == 1
    for seating in seatings:
        assert {0, 1} <= set(seating) <= {0, 1, *range(2, 2 + house)}
        assert own_partners(seating, teams)


@pytest.mark.parametrize("teams", TABLES, ids=str)
def test_replacement_is_closed_and_takes_every_seat_once(teams: tuple[int, ...]) -> None:
    seatings = replacement_seatings(teams, min(1, len(set(teams)) - 1))
    assert len(seatings) == 2 * len(set(teams)) <= 24
    assert closed(seatings)
    for entrant in (0, 1):
        assert times_in_seat(seatings, entrant) == [1] * len(teams)
    for with_new, with_old in zip(seatings[::2], seatings[1::2], strict=True):
        assert exchanged(with_new) == with_old != with_new
        assert own_partners(with_new, teams)


def own_partners(seating: Seating, teams: tuple[int, ...]) -> bool:
    return all(
        len({seating[seat] for seat in range(len(teams)) if teams[seat] == team}) == 1
        for team in set(teams)
    )


def test_four_for_themselves_play_every_pair_of_seats() -> None:
    seatings = head_to_head_seatings((0, 1, 2, 3), 2)
    assert len(seatings) == 12
    assert seatings[:2] == ((0, 1, 2, 3), (1, 0, 2, 3))


def test_larger_tables_play_what_fits() -> None:
    counts = {n: len(head_to_head_seatings(range(n), 1)) for n in range(3, 13)}
    assert counts == {3: 6, 4: 12, 5: 20, 6: 24, 7: 14, 8: 24, 9: 18, 10: 20, 11: 22, 12: 24}


def test_different_house_bots_fill_the_places_in_order() -> None:
    assert replacement_seatings((0, 1, 2), 2)[:2] == ((0, 2, 3), (1, 2, 3))
    assert replacement_seatings((0, 1, 0, 1), 1)[0] == (0, 2, 0, 2)


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="two opposing places"):
        head_to_head_seatings((0,), 0)
    with pytest.raises(ValueError, match="2 places are left for house bots"):
        head_to_head_seatings(range(4), 0)
    with pytest.raises(ValueError, match="places for 0 house bots, not 1"):
        head_to_head_seatings((0, 1), 1)
