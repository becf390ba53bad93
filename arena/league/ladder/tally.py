"""Counts how often one entrant has met, or partnered, each of the others."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Counts = NDArray[np.int64]

N = TypeVar("N", bound=np.generic)


class Tally:
    """A row of a sparse matrix of counts; its memory is that of the entrants counted."""

    def __init__(self) -> None:
        self._place: dict[int, int] = {}
        self._others = np.zeros(4, np.int64)
        self._times = np.zeros(4, np.int64)

    def add(self, other: int, times: int) -> None:
        place = self._place.setdefault(other, len(self._place))
        if place == len(self._others):
            self._others, self._times = longer(self._others), longer(self._times)
        self._others[place] = other
        self._times[place] += times

    def of(self, other: int) -> int:
        place = self._place.get(other)
        return 0 if place is None else int(self._times[place])

    def row(self, size: int) -> Counts:
        """Returns the counts with the entrants 0 to `size` - 1."""
        row = np.zeros(size, np.int64)
        used = len(self._place)
        row[self._others[:used]] = self._times[:used]
        return row


def longer(array: NDArray[N]) -> NDArray[N]:
    """Returns the array with room for twice as many entries, the new ones 0."""
    return np.concatenate([array, np.zeros_like(array)])
