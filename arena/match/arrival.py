"""Picks by order of arrival, which the match host decides."""

from __future__ import annotations

from collections.abc import Sequence

from sevens_games import Deals


class ArrivalPicks(Deals):
    """Picks the first of `arrivals`: the seats that have chosen in the current decision, in
    order of arrival. The host keeps the list up to date; copies share it."""

    __slots__ = ("_arrivals",)

    def __init__(self, arrivals: Sequence[int]) -> None:
        super().__init__()
        self._arrivals = arrivals

    def copy(self) -> ArrivalPicks:
        return ArrivalPicks(self._arrivals).with_past_of(self)

    def _number(self, n: int) -> int:
        return self._arrivals[0]
