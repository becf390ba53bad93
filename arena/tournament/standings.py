"""The standings: by points and tie-breaks or, in an elimination, by the last round reached."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from arena.tournament.course import TournamentCourse
from arena.tournament.elimination import lives, losers_of, ranking, was_final
from arena.tournament.tie_breaks import Encounters, tie_break


@dataclass(frozen=True)
class Standing:
    """An entrant's place.

    `place`: from 1; equal ones share it.
    `tie_breaks`: the values of the tournament's tie-breaks, in their order, as far as they were
      needed to separate it from others.
    """

    place: int
    number: int
    points: float
    tie_breaks: tuple[float, ...] = ()


def standings(course: TournamentCourse, secret: str = "") -> list[Standing]:
    """Returns the standings, the best first. Those whose results are annulled come last.

    `secret`: for the lot; empty as long as it is not revealed, when the lot decides nothing.
    """
    if course.terms.is_elimination:
        return _by_survival(course)
    encounters = Encounters(course, secret)
    names = [name for name in course.terms.tie_breaks if name != "lot" or secret]
    placed: list[Standing] = []
    counting = encounters.points.keys() - course.annulled
    for points in sorted({encounters.points[one] for one in counting}, reverse=True):
        group = [one for one in counting if encounters.points[one] == points]
        for tied, values in _separated(encounters, group, names, ()):
            place = len(placed) + 1
            placed += [Standing(place, one, points, values) for one in sorted(tied)]
    last = len(placed) + 1
    return placed + [Standing(last, one, 0.0) for one in sorted(course.annulled)]


def _separated(
    encounters: Encounters, tied: Sequence[int], names: Sequence[str], values: tuple[float, ...]
) -> list[tuple[Sequence[int], tuple[float, ...]]]:
    """Returns those who are tied in groups that no tie-break separates, the best first, with the
    values that led there."""
    if len(tied) == 1 or not names:
        return [(tied, values)]
    by_value = tie_break(names[0], encounters, tied)
    found = []
    for value in sorted(set(by_value.values()), reverse=True):
        equal = [one for one in tied if by_value[one] == value]
        found += _separated(encounters, equal, names[1:], (*values, value))
    return found


def _by_survival(course: TournamentCourse) -> list[Standing]:
    """Orders those who are not out first, then by the round in which they went out and, within a
    round, by their place at the table. Those of equal merit share a place."""
    points = {one: tally.half_points / 2 for one, tally in course.tallies().items()}
    merit = _merits(course)
    order = sorted(merit, key=lambda one: (merit[one], one))
    places: dict[tuple[int, int], int] = {}
    for place, one in enumerate(order, 1):
        places.setdefault(merit[one], place)
    return [Standing(places[merit[one]], one, points[one]) for one in order]


def _merits(course: TournamentCourse) -> dict[int, tuple[int, int]]:
    """Returns for each entrant a key by which the better comes first: minus the round after which
    it was out, and its place at its last table: that one or, if it was played, the one for the
    third place. Those at a final that decided are all out but its winner."""
    played, losses, out = len(course.rounds), Counter[int](), dict[int, int]()
    for pairing in course.rounds:
        for one in losers_of(course, pairing):
            losses[one] += 1
            if losses[one] == lives(course):
                out[one] = pairing.round
    place = {
        one: at for meeting in course.meetings() for at, one in enumerate(ranking(course, meeting))
    }

    def merit(one: int) -> tuple[int, int]:
        left = course.entrant[one].withdrawn_round
        if one in out:
            return (-out[one], place[one])
        if left is not None:
            return (-left, 0)
        if played and was_final(course, played):
            return (-played, place[one])
        return (-played - 1, 0)

    return {one.number: merit(one.number) for one in course.entrants}
