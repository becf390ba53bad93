"""Tie-breaks between entrants of equal points. All of them are: the more, the better.

At tables of more than two, each opponent counts once for each table shared, and a result against
one is 1, ½ or 0. Buchholz and Sonneborn-Berger count a round in which an entrant did not play
against a virtual opponent, who ends with the entrant's own points: a bye was won, any other round
lost. Source: FIDE Handbook C.07, tie-break regulations of 1 August 2024, articles 8, 9 and 16.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from hashlib import sha256

from arena.tournament.course import Course


class Encounters:
    """The points of all entrants, and who met whom with what result."""

    def __init__(self, course: Course, secret: str) -> None:
        self.course = course
        self.secret = secret
        self.points = {number: tally.half_points / 2 for number, tally in course.tallies().items()}
        self.results: dict[int, list[tuple[int, float]]] = {one: [] for one in self.points}
        self.scores = dict.fromkeys(self.points, 0.0)
        self.wins = dict.fromkeys(self.points, 0)
        for result in course.results():
            for one, other, gained in result.pairwise():
                self.results[one].append((other, gained))
            for one, score in result.score_sums.items():
                self.scores[one] += score
            best = max(result.points.values())
            winners = [one for one, points in result.points.items() if points == best]
            if len(winners) == 1:
                self.wins[winners[0]] += 1

    @cached_property
    def unplayed(self) -> dict[int, list[float]]:
        """By entrant, the results of the rounds that it did not play: 1 for a bye, else 0."""
        unplayed: dict[int, list[float]] = {one: [] for one in self.points}
        for pairing in self.course.rounds:
            seated = {one for meeting in pairing.meetings for one in meeting.entrants}
            for one in self.points:
                if one not in seated:
                    unplayed[one].append(float(one in pairing.byes))
        return unplayed


def tie_break(name: str, encounters: Encounters, tied: Sequence[int]) -> Mapping[int, float]:
    """Returns a tie-break's value for each of those who are tied. `name`: from TIE_BREAKS."""
    return VALUES[name](encounters, tied)


def _direct_encounter(encounters: Encounters, tied: Sequence[int]) -> dict[int, float]:
    """The points gained among those who are tied, if all of them have met; else 0."""
    results = {
        one: [(other, gained) for other, gained in encounters.results[one] if other in tied]
        for one in tied
    }
    if any({other for other, _ in results[one]} != {*tied} - {one} for one in tied):
        return dict.fromkeys(tied, 0.0)
    return {one: sum(gained for _, gained in results[one]) for one in tied}


def _buchholz(encounters: Encounters, tied: Sequence[int]) -> dict[int, float]:
    """The sum of the opponents' points."""
    return {one: sum(_opponents(encounters, one)) for one in tied}


def _buchholz_cut_1(encounters: Encounters, tied: Sequence[int]) -> dict[int, float]:
    """The sum of the opponents' points without the lowest."""
    opponents = {one: _opponents(encounters, one) for one in tied}
    return {one: sum(points) - min(points, default=0) for one, points in opponents.items()}


def _sonneborn_berger(encounters: Encounters, tied: Sequence[int]) -> dict[int, float]:
    """The sum of each opponent's points times the result against it."""
    return {
        one: sum(gained * encounters.points[other] for other, gained in encounters.results[one])
        + sum(gained * encounters.points[one] for gained in encounters.unplayed[one])
        for one in tied
    }


def _score_sum(encounters: Encounters, tied: Sequence[int]) -> dict[int, float]:
    """The sum of the scores of all groups."""
    return {one: round(encounters.scores[one], 6) for one in tied}


def _wins(encounters: Encounters, tied: Sequence[int]) -> dict[int, float]:
    """The tables won alone. A bye is none."""
    return {one: float(encounters.wins[one]) for one in tied}


def _lot(encounters: Encounters, tied: Sequence[int]) -> dict[int, float]:
    """The first 52 bits of the SHA-256 of the secret and the entrant's number, as a fraction."""
    return {
        one: int(sha256(f"{encounters.secret} lot {one}".encode()).hexdigest()[:13], 16) / 2**52
        for one in tied
    }


def _opponents(encounters: Encounters, one: int) -> list[float]:
    """Returns the points of the opponents, real and virtual."""
    real = [encounters.points[other] for other, _ in encounters.results[one]]
    return real + [encounters.points[one]] * len(encounters.unplayed[one])


VALUES: Mapping[str, Callable[[Encounters, Sequence[int]], dict[int, float]]] = {
    "direct-encounter": _direct_encounter,
    "buchholz-cut-1": _buchholz_cut_1,
    "buchholz": _buchholz,
    "sonneborn-berger": _sonneborn_berger,
    "score-sum": _score_sum,
    "wins": _wins,
    "lot": _lot,
}
