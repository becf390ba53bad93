"""The order in which groups count: that of their start, not of their arrival.

Groups that NEW wins may end sooner than those it loses. Counted as they arrive, the first groups
would then be a selection; with 64 in flight most comparisons of equals would end "better".
"""

from __future__ import annotations

from typing import Generic, TypeVar

R = TypeVar("R")


class StartOrder(Generic[R]):
    """Groups by the number of their start, from 1, with the results that have arrived.

    A group that had to be voided, because a worker failed for instance, is played again under its
    own number. Nothing is dropped, whatever its result was or would have been.
    """

    def __init__(self) -> None:
        self.started = 0
        self._arrived: dict[int, R] = {}
        self._voided: set[int] = set()
        self._counted: list[R] = []

    def start(self) -> int:
        """Returns the number of the next group to play: the lowest voided one, or else a new
        one."""
        if self._voided:
            number = min(self._voided)
            self._voided.remove(number)
            return number
        self.started += 1
        return self.started

    def void(self, number: int) -> None:
        """Gives a number back that has no result. Raises ValueError if it is not in flight."""
        self._check_in_flight(number)
        self._voided.add(number)

    def arrive(self, number: int, result: R) -> list[R]:
        """Takes the result of a group in flight, and returns the results that count from now on, in
        start order. Raises ValueError if the group is not in flight."""
        self._check_in_flight(number)
        self._arrived[number] = result
        newly = []
        while (following := len(self._counted) + 1) in self._arrived:
            newly.append(self._arrived.pop(following))
            self._counted.append(newly[-1])
        return newly

    @property
    def counted(self) -> tuple[R, ...]:
        """The results of all groups from the first to the last one that counts."""
        return tuple(self._counted)

    @property
    def waiting(self) -> int:
        """How many results have arrived that do not count yet: an earlier one is missing."""
        return len(self._arrived)

    @property
    def in_flight(self) -> int:
        """How many groups are being played."""
        return self.started - len(self._counted) - len(self._arrived) - len(self._voided)

    def _check_in_flight(self, number: int) -> None:
        counted = number <= len(self._counted)
        if not 1 <= number <= self.started or counted:
            raise ValueError(f"Group {number} is not in flight.")
        if number in self._arrived or number in self._voided:
            raise ValueError(f"Group {number} is not in flight.")
