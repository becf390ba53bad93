from __future__ import annotations

from arena.views.matches.match import Seat, SeatFault
from arena.views.matches.sides import sides_of

LATE = SeatFault(kind="start-failed", decision=0, sentence="It did not start.")


def seat(number: int, bot: str, team: int, score: int, rank: int, *faults: SeatFault) -> Seat:
    return Seat(
        seat=number, bot=bot, version="", number=1, team=team, score=score, rank=rank, faults=faults
    )


def test_the_rank_names_the_winner_whatever_the_points() -> None:
    winner, loser = sides_of([seat(0, "ann", 0, 9, 2, LATE), seat(1, "bob", 1, 3, 1)])
    assert (winner.bots, winner.score) == (["bob"], 3)
    assert (loser.bots, loser.fault) == (["ann"], "start failed")


def test_partners_are_one_side_and_a_bot_is_named_once() -> None:
    seats = [seat(n, name, n % 2, 5, 2 - n % 2) for n, name in enumerate(("a", "b", "a", "c"))]
    assert [side.bots for side in sides_of(seats)] == [["b", "c"], ["a"]]
