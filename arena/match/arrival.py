"""Picks that the match host answers: with the seat that it heard first."""

from __future__ import annotations

from collections.abc import Sequence

from arena.games import Deals


class ArrivalPicks(Deals):
    """`arrivals`: the seats that have chosen in the decision in play, in the order heard; the host
    keeps it up to date. Copies look at the same list."""

    __slots__ = ("_arrivals",)

    def __init__(self, arrivals: Sequence[int]) -> None:
        super().__init__()
        self._arrivals = arrivals

    def copy(self) -> ArrivalPicks:
        return ArrivalPicks(self._arrivals).with_past_of(self)

    def _number(self, n: int) -> int:
        return self._arrivals[0]
