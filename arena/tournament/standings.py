"""The standings: by points and tie-breaks or, in an elimination, by the last round reached."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from arena.tournament.by_points import Standing, by_points, pool_tables
from arena.tournament.course import TournamentCourse
from arena.tournament.elimination import knockout_after, lives, losers_of, ranking, was_final

Merit = tuple[int, int]


def standings(course: TournamentCourse, secret: str = "") -> list[Standing]:
    """Returns the standings, the best first. Those whose results are annulled come last.

    `secret`: for the lot; empty as long as it is not revealed, when the lot decides nothing.
    """
    if not course.terms.is_elimination:
        return by_points(course, secret)
    if not course.pool_rounds:
        return _by_merit(course, _merits(course))
    return _by_merit(course, _merits_after_pools(course))


def _merits_after_pools(course: TournamentCourse) -> dict[int, Merit]:
    """Returns the merits: those who went on come first, by the elimination, and the others by their
    places in their pools."""
    pools = pool_tables(course)
    merits = {one.number: (1, one.place) for pool in pools for one in pool.standings}
    if len(course.rounds) > course.pool_rounds:
        knockout = knockout_after(course, pools)
        for seed, merit in _merits(knockout.course).items():
            merits[knockout.numbers[seed - 1]] = merit
    return merits


def _by_merit(course: TournamentCourse, merit: Mapping[int, Merit]) -> list[Standing]:
    """Orders entrants by merit. Those of equal merit share a place."""
    points = {one: tally.half_points / 2 for one, tally in course.tallies().items()}
    order = sorted(merit, key=lambda one: (merit[one], one))
    places: dict[Merit, int] = {}
    for place, one in enumerate(order, 1):
        places.setdefault(merit[one], place)
    return [Standing(places[merit[one]], one, points[one]) for one in order]


def _merits(course: TournamentCourse) -> dict[int, Merit]:
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
