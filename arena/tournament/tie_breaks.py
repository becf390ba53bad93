"""Tie-breaks between entrants of equal points. All of them are: the more, the better.

At tables of more than two, each opponent counts once for each table shared, and a result against
one is 1, ½ or 0. Buchholz and Sonneborn-Berger count a round that an entrant did not play as played
against virtual opponents who end with the entrant's own points. Source: FIDE Handbook C.07,
tie-break regulations of 1 August 2024, articles 8, 9 and 16.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from arena.tournament.course import TournamentCourse
from arena.tournament.meeting import MeetingResult, Pairing


@dataclass(frozen=True)
class Unplayed:
    """A round that an entrant did not play.

    `result`: against each virtual opponent: 1 for a bye or if all others left the table, else 0.
    `voluntary`: it entered late or had left.
    """

    result: float
    voluntary: bool


class Encounters:
    """The points of all entrants, and who met whom with what result.

    `points`: their own. `as_opponent`: what they count for their opponents, with a tie for each
      round after they have left.
    `results`: the opponents at tables that finished a group, with the result against each.
    `unplayed`: the rounds that they did not play.
    `scores`, `boards`: the sums of their scores, and of their board points.
    `wins`: how many tables they won alone.
    """

    def __init__(self, course: TournamentCourse, secret: str) -> None:
        self.virtual_opponents = course.terms.per_table - 1
        self.secret = secret
        self.points = {number: tally.half_points / 2 for number, tally in course.tallies().items()}
        self.as_opponent = dict(self.points)
        self.results: dict[int, list[tuple[int, float]]] = {one: [] for one in self.points}
        self.unplayed: dict[int, list[Unplayed]] = {one: [] for one in self.points}
        self.scores = dict.fromkeys(self.points, 0.0)
        self.boards = dict.fromkeys(self.points, 0.0)
        self.wins = dict.fromkeys(self.points, 0)
        for result in course.results():
            if result.groups:
                self._count_played(result)
            else:
                self._count_left(result)
        for pairing in course.rounds:
            seated = {one for meeting in pairing.meetings for one in meeting.entrants}
            for one in self.points.keys() - seated:
                self._count_absent(course, one, pairing)

    def _count_played(self, result: MeetingResult) -> None:
        for one, other, gained in result.pairwise():
            self.results[one].append((other, gained))
        scores, boards = result.score_sums, result.boards
        for one in result.meeting.entrants:
            if {*result.meeting.entrants} - result.annulled - {one}:
                self.scores[one] += scores[one]
                self.boards[one] += boards[one]
        best = max(result.points.values())
        winners = [one for one, points in result.points.items() if points == best]
        if len(winners) == 1:
            self.wins[winners[0]] += 1

    def _count_left(self, result: MeetingResult) -> None:
        """Counts a table that has finished nothing: those who left have lost it. Against those
        alone whose results are annulled, it is as if it had not been."""
        for one, points in result.points.items():
            if not {*result.meeting.entrants} - result.annulled - {one}:
                continue
            gone = one in result.forfeited
            self.unplayed[one].append(Unplayed(points / self.virtual_opponents, gone))

    def _count_absent(self, course: TournamentCourse, one: int, pairing: Pairing) -> None:
        """Counts a round without a table. If that counts for nobody, since the opponent's results
        are annulled, it is as if it had not been."""
        has_bye = one in pairing.byes
        points = course.bye_points(one, pairing) if has_bye else 0.0
        if points or not has_bye:
            self.unplayed[one].append(Unplayed(points / self.virtual_opponents, not has_bye))
        left = course.entrant[one].withdrawn_round
        if left is not None and left <= pairing.round:
            self.as_opponent[one] += self.virtual_opponents / 2


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
    """The sum of the opponents' points without a virtual opponent of a round that was missed
    voluntarily or, if there is none, without the lowest."""
    return {one: sum(_opponents(encounters, one)) - _cut(encounters, one) for one in tied}


def _sonneborn_berger(encounters: Encounters, tied: Sequence[int]) -> dict[int, float]:
    """The sum of each opponent's points times the result against it."""
    return {
        one: sum(
            gained * encounters.as_opponent[other] for other, gained in encounters.results[one]
        )
        + sum(
            unplayed.result * encounters.points[one] * encounters.virtual_opponents
            for unplayed in encounters.unplayed[one]
        )
        for one in tied
    }


def _score_sum(encounters: Encounters, tied: Sequence[int]) -> dict[int, float]:
    """The sum of the scores of all groups."""
    return {one: round(encounters.scores[one], 6) for one in tied}


def _board_points(encounters: Encounters, tied: Sequence[int]) -> dict[int, float]:
    """The board points of all groups."""
    return {one: encounters.boards[one] for one in tied}


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
    real = [encounters.as_opponent[other] for other, _ in encounters.results[one]]
    virtual = len(encounters.unplayed[one]) * encounters.virtual_opponents
    return real + [encounters.points[one]] * virtual


def _cut(encounters: Encounters, one: int) -> float:
    if any(unplayed.voluntary for unplayed in encounters.unplayed[one]):
        return encounters.points[one]
    return min(_opponents(encounters, one), default=0)


VALUES: Mapping[str, Callable[[Encounters, Sequence[int]], dict[int, float]]] = {
    "direct-encounter": _direct_encounter,
    "buchholz-cut-1": _buchholz_cut_1,
    "buchholz": _buchholz,
    "sonneborn-berger": _sonneborn_berger,
    "score-sum": _score_sum,
    "board-points": _board_points,
    "wins": _wins,
    "lot": _lot,
}
