"""The seatings of a duplicate group."""

from collections import Counter
from itertools import pairwise, permutations

import pytest

from arena.match.seatings import balanced_orders, list_seatings


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_different_players_have_every_seating(players: int) -> None:
    found = list_seatings(range(players), range(players))
    assert found[0] == tuple(range(players))
    assert sorted(found) == sorted(permutations(range(players)))


def test_equal_players_are_interchangeable() -> None:
    assert list_seatings(range(3), ["ann", "bob", "bob"]) == ((0, 1, 2), (1, 0, 2), (1, 2, 0))


def test_partners_change() -> None:
    found = list_seatings((0, 1, 0, 1), "abcd")
    assert len(found) == 24
    partners = Counter(frozenset((seating[0], seating[2])) for seating in found)
    assert (len(partners), set(partners.values())) == (6, {4})


def test_who_is_its_own_partner_stays_so() -> None:
    assert list_seatings((0, 1, 0, 1), "abab") == ((0, 1, 2, 3), (1, 0, 3, 2))
    assert list_seatings((0, 0, 1, 1), "aabb") == ((0, 1, 2, 3), (2, 3, 0, 1))
    assert len(list_seatings((0, 1, 0, 1), "aabb")) == 6


def test_teams_of_different_size_do_not_change_places() -> None:
    assert list_seatings((0, 1, 0, 1, 0), "ababa") == ((0, 1, 2, 3, 4),)


@pytest.mark.parametrize(("players", "count"), [(6, 6), (7, 14), (12, 12)])
def test_many_players_have_each_seat_and_each_neighbour_equally_often(
    players: int, count: int
) -> None:
    found = list_seatings(range(players), range(players))
    assert (found[0], len(found)) == (tuple(range(players)), count)
    seats = Counter((who, seat) for seating in found for seat, who in enumerate(seating))
    assert set(seats.values()) == {count // players}
    neighbours = Counter(pair for seating in found for pair in pairwise(seating))
    assert len(neighbours) == players * (players - 1)
    assert len(set(neighbours.values())) == 1


def test_a_ladder_may_ask_for_fewer() -> None:
    assert len(list_seatings(range(5), range(5), most=24)) == 10
    assert list(balanced_orders(5)) == list(list_seatings(range(5), range(5), most=24))
