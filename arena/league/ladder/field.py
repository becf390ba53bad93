"""The field of a ladder: who may be paired, how strong they seem, and how often they have played,
in which seats and with whom."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from arena.league.ladder.tally import Counts, Tally, longer
from arena.ratings import Skill

BEGINNER = Skill()

Figures = NDArray[np.float64]


class Field:
    """The entrants of a ladder by number, in the order in which they were first named.

    `teams`: the team of each seat.
    `places`: the seats that go to one version: those of a whole team if every version is its own
    partner (`own_partners`), else each seat alone.
    `names`: the version of each entrant.
    `mu`, `sigma`, `played`: by entrant; `played` in jobs.
    `contestant`: whose each entrant is, as a number. The organiser's bots are trusted and may meet
      each other: each is a contestant of its own.
    `sat`: by entrant and seat, in jobs.
    `fitted`: by entrant, whether the skill is by all results at once; else it is a running rating.
    """

    def __init__(self, teams: Sequence[int], *, own_partners: bool) -> None:
        self.teams = tuple(teams)
        self.places = tuple(_places(self.teams, own_partners))
        self.names: list[str] = []
        self.mu: Figures = np.zeros(4)
        self.sigma: Figures = np.zeros(4)
        self.played: Counts = np.zeros(4, np.int64)
        self.contestant: Counts = np.zeros(4, np.int64)
        self.sat: Counts = np.zeros((4, len(self.teams)), np.int64)
        self.fitted = np.zeros(4, np.bool_)
        self._present = np.zeros(4, np.bool_)
        self._candidates: Counts | None = None
        self._number: dict[str, int] = {}
        self._contestants: dict[str | tuple[str], int] = {}
        self._met: list[Tally] = []
        self._partnered: list[Tally] = []

    def enter(self, version: str, owner: str | None) -> None:
        """Lets a version be paired, from now on or again. `owner`: None if it is the
        organiser's."""
        self.assign(version, owner)
        self._set_present(self._numbered(version), True)

    def assign(self, version: str, owner: str | None) -> None:
        """Says whose a version is, so that its jobs count for its contestant, also if it has left.
        `owner`: None if it is the organiser's."""
        self._set_contestant(self._numbered(version), owner)

    def leave(self, version: str) -> None:
        """Lets a version be paired no longer. Its counts stay for its return."""
        self._set_present(self._numbered(version), False)

    def rate(self, version: str, skill: Skill, *, fitted: bool = False) -> None:
        """Sets a version's skill. `fitted`: by all results at once, not a running rating."""
        number = self._numbered(version)
        self.mu[number], self.sigma[number] = skill.mu, skill.sigma
        self.fitted[number] = fitted

    def has_fit(self, version: str) -> bool:
        """Returns whether a version's skill is by all results at once."""
        return bool(self.fitted[self._numbered(version)])

    def count(self, versions: Sequence[str], times: int = 1) -> None:
        """Counts a job, or several. `versions`: in seat order."""
        for version in set(versions):
            self.add_played(version, times)
        for seat, version in enumerate(versions):
            self.add_seat(version, seat, times)
        for one, other in combinations(sorted(set(versions)), 2):
            self.add_meetings(one, other, times)
        for one_seat, other_seat in self.partner_seats():
            if versions[one_seat] != versions[other_seat]:
                self.add_partnerships(versions[one_seat], versions[other_seat], times)

    def add_played(self, version: str, times: int) -> None:
        """Counts jobs that the version played in, and nothing else about them."""
        number = self._numbered(version)
        self.played[number] += times

    def add_seat(self, version: str, seat: int, times: int) -> None:
        """Counts jobs in which the version had the seat."""
        number = self._numbered(version)
        self.sat[number, seat] += times

    def add_meetings(self, one: str, other: str, times: int) -> None:
        """Counts jobs that both versions played in."""
        self._add(self._met, one, other, times)

    def add_partnerships(self, one: str, other: str, times: int) -> None:
        """Counts pairs of seats of one team that the two versions had."""
        self._add(self._partnered, one, other, times)

    def played_by(self, version: str) -> int:
        """Returns the number of jobs that the version played in."""
        number = self._numbered(version)
        return int(self.played[number])

    def played_by_contestants(self) -> Counts:
        """Returns the number of jobs of all entrants of each contestant, present or not."""
        size = len(self.names)
        jobs = np.bincount(self.contestant[:size], weights=self.played[:size])
        return jobs.astype(np.int64)

    def seats_of(self, version: str) -> tuple[int, ...]:
        """Returns the number of jobs in which the version had each seat."""
        number = self._numbered(version)
        return tuple(self.sat[number].tolist())

    def meetings(self, one: str, other: str) -> int:
        """Returns the number of jobs that both versions played in."""
        number = self._numbered(one)
        return self._met[number].of(self._numbered(other))

    def partnerships(self, one: str, other: str) -> int:
        """Returns how often the two versions were partners."""
        return self.partnered(self._numbered(one), self._numbered(other))

    def met(self, number: int) -> Counts:
        """Returns the number of jobs that the entrant has played with each other, by entrant."""
        return self._met[number].row(len(self.names))

    def partnered(self, one: int, other: int) -> int:
        """Returns how often the two entrants were partners."""
        return self._partnered[one].of(other)

    def candidates(self) -> Counts:
        """Returns the numbers of those who may be paired."""
        if self._candidates is None:
            self._candidates = np.flatnonzero(self._present)
        return self._candidates

    def partner_seats(self) -> Iterator[tuple[int, int]]:
        """Yields every two seats of one team."""
        for one, other in combinations(range(len(self.teams)), 2):
            if self.teams[one] == self.teams[other]:
                yield one, other

    def _set_contestant(self, number: int, owner: str | None) -> None:
        key = (self.names[number],) if owner is None else owner
        self.contestant[number] = self._contestants.setdefault(key, len(self._contestants))

    def _set_present(self, number: int, present: bool) -> None:
        self._present[number] = present
        self._candidates = None

    def _add(self, tallies: list[Tally], one: str, other: str, times: int) -> None:
        pair = self._numbered(one), self._numbered(other)
        tallies[pair[0]].add(pair[1], times)
        tallies[pair[1]].add(pair[0], times)

    def _numbered(self, version: str) -> int:
        """Returns the entrant's number; a new version receives the next, and the skill of all who
        begin."""
        number = self._number.setdefault(version, len(self.names))
        if number == len(self.names):
            self._add_entrant(version)
        return number

    def _add_entrant(self, version: str) -> None:
        number = len(self.names)
        if number == len(self.mu):
            for name in ("mu", "sigma", "played", "contestant", "sat", "fitted", "_present"):
                setattr(self, name, longer(getattr(self, name)))
        self.names.append(version)
        self.mu[number], self.sigma[number] = BEGINNER.mu, BEGINNER.sigma
        self._set_contestant(number, None)
        self._met.append(Tally())
        self._partnered.append(Tally())


def _places(teams: Sequence[int], own_partners: bool) -> Iterator[tuple[int, ...]]:
    groups = teams if own_partners else range(len(teams))
    for group in sorted(set(groups)):
        yield tuple(seat for seat, own in enumerate(groups) if own == group)
