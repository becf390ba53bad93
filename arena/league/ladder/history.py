"""Counts how often versions have played, with whom, and in which seats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations


class History:
    """Counts over the jobs of a ladder. `teams`: the team of each seat."""

    def __init__(self, teams: Sequence[int]) -> None:
        self.teams = tuple(teams)
        self.played: Counter[str] = Counter()
        self.sat: Counter[tuple[str, int]] = Counter()
        self._met: Counter[frozenset[str]] = Counter()
        self._partnered: Counter[frozenset[str]] = Counter()

    def add(self, versions: Sequence[str]) -> None:
        """Counts a job. `versions`: in seat order."""
        self.played.update(set(versions))
        self.sat.update((version, seat) for seat, version in enumerate(versions))
        self._met.update(map(frozenset, combinations(sorted(set(versions)), 2)))
        self._partnered.update(self._partners(versions))

    def meetings(self, one: str, other: str) -> int:
        """Returns the number of jobs that both versions played in."""
        return self._met[frozenset((one, other))]

    def repeats(self, versions: Sequence[str]) -> int:
        """Returns how often the versions have had exactly these seats and partners."""
        sat = sum(self.sat[version, seat] for seat, version in enumerate(versions))
        return sat + sum(self._partnered[pair] for pair in self._partners(versions))

    def _partners(self, versions: Sequence[str]) -> list[frozenset[str]]:
        return [
            frozenset((versions[one], versions[other]))
            for one, other in combinations(range(len(versions)), 2)
            if self.teams[one] == self.teams[other]
        ]
