"""Eliminations: who has lost as often as the format allows is out.

At tables of two: a fixed bracket in which the best seeds meet last; seeds that find nobody in the
first round have a bye. In a double elimination it is the winners' bracket: its winner waits for
that of the losers' bracket, and has to lose twice in the final. At larger tables each round seats
those with equally many losses together, the best seeds at different tables, and the upper half of a
table advances without a loss.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from arena.tournament.course import TablePlace, TournamentCourse
from arena.tournament.elimination.bracket import (
    Beaten,
    bracket_order,
    bracket_tables,
    losers_tables,
)
from arena.tournament.meeting import Meeting, MeetingResult, Pairing, meetings_of
from arena.tournament.rounds import serpentine


def pair_elimination(course: TournamentCourse, number: int) -> Pairing | None:
    """Returns a round, or None if the tournament is decided, or if so many have left it that the
    survivors do not fill a table. All earlier rounds are over."""
    alive = survivors(course, number)
    if len(alive) < course.terms.per_table or (number > 1 and was_final(course, number - 1)):
        return None
    if course.terms.per_table > 2:
        return _seated_round(course, number, alive)
    if lives(course) == 1:
        return _bracket_round(course, number, alive)
    return _round_of_two_brackets(course, number, alive)


def lives(course: TournamentCourse) -> int:
    """Returns the number of losses after which an entrant is out."""
    return 2 if course.terms.format == "double-elimination" else 1


def survivors(course: TournamentCourse, number: int) -> list[int]:
    """Returns the entrants that are not out before a round, the best seed first."""
    losses = losses_before(course, number)
    return [
        one.number
        for one in course.entrants
        if one.plays_in(number) and losses[one.number] < lives(course)
    ]


def losses_before(course: TournamentCourse, number: int) -> Counter[int]:
    """Returns how often each entrant had lost before a round."""
    losses: Counter[int] = Counter()
    for pairing in course.rounds[: number - 1]:
        losses.update(losers_of(course, pairing))
    return losses


def losers_of(course: TournamentCourse, pairing: Pairing) -> list[int]:
    """Returns those who lost in a round."""
    going_on = places_to_go_on(course, pairing)
    return [one for meeting in pairing.meetings for one in ranking(course, meeting)[going_on:]]


def parts_of(course: TournamentCourse) -> dict[TablePlace, str]:
    """Returns the part of an elimination of two at a table that each table belongs to."""
    parts: dict[TablePlace, str] = {}
    beaten: set[int] = set()
    for pairing in course.rounds:
        for meeting in pairing.meetings:
            lost = len(beaten.intersection(meeting.entrants))
            parts[meeting.round, meeting.table] = _part(course, pairing, lost)
        beaten.update(losers_of(course, pairing))
    return parts


def _part(course: TournamentCourse, pairing: Pairing, lost: int) -> str:
    """`lost`: how many of a table's entrants had lost before."""
    if lives(course) == 1:
        is_last = 2**pairing.round == len(bracket_order(len(course.entrants)))
        return "third place" if lost else "final" if is_last else "bracket"
    if lost == 0:
        return "winners' bracket"
    is_last = len(pairing.meetings) == 1 and not pairing.byes
    return "final" if is_last else "losers' bracket"


def ranking(course: TournamentCourse, meeting: Meeting) -> list[int]:
    """Returns the entrants of a table, the best first: those who left come last, and the smaller
    number decides what is tied."""
    result = course.result_of(meeting)
    if result is None:
        return sorted(meeting.entrants)
    totals = result.totals
    return sorted(
        meeting.entrants, key=lambda one: (one in result.forfeited, -round(totals[one], 6), one)
    )


def is_tied(course: TournamentCourse, meeting: Meeting) -> bool:
    """Returns True if it is open who advances from a table, since the last who would and the first
    who would not have equal scores. At a final all places count."""
    result = course.result_of(meeting)
    if result is None:
        return True
    pairing = course.rounds[meeting.round - 1]
    staying = [one for one in ranking(course, meeting) if one not in result.forfeited]
    places = places_to_go_on(course, pairing)
    cuts = range(1, len(staying)) if places == 1 else [places]
    return any(
        _tie(result, staying[cut - 1], staying[cut]) for cut in cuts if 0 < cut < len(staying)
    )


def places_to_go_on(course: TournamentCourse, pairing: Pairing) -> int:
    """Returns how many of each table advance without a loss: the upper half; more if those left
    could not fill a table otherwise; one if it is the only table, with all entrants at it."""
    sides, tables = course.terms.per_table, len(pairing.meetings)
    if tables == 1 and not pairing.byes:
        return 1
    half = sides // 2
    missing = sides - len(pairing.byes) - tables * half
    return half + -(-max(missing, 0) // max(tables, 1))  # a round may have nothing but byes


def _tie(result: MeetingResult, one: int, other: int) -> bool:
    return (one, other, 0.5) in result.pairwise()


def was_final(course: TournamentCourse, number: int) -> bool:
    """Returns True if all entrants of that round sat at one table of more than two, which decides.
    Between two, all losses that the format allows are played for."""
    pairing = course.rounds[number - 1]
    return course.terms.per_table > 2 and len(pairing.meetings) == 1 and not pairing.byes


def _bracket_round(course: TournamentCourse, number: int, alive: Sequence[int]) -> Pairing:
    """Pairs the bracket of a single elimination, and next to its final the losers of the
    semi-finals, if the terms say so."""
    slots = bracket_order(len(course.entrants))
    tables, byes = bracket_tables(slots, number, alive)
    if course.terms.third_place and number > 1 and 2**number == len(slots):
        beaten = losers_of(course, course.rounds[number - 2])
        staying = sorted(one for one in beaten if course.entrant[one].plays_in(number))
        if len(staying) == 2:
            tables.append((staying[0], staying[1]))
    return Pairing(number, meetings_of(number, tables), tuple(sorted(byes)), method="bracket")


def _round_of_two_brackets(course: TournamentCourse, number: int, alive: Sequence[int]) -> Pairing:
    """Pairs both brackets; the last two who are left play the final."""
    method = "winners' and losers' brackets"
    if len(alive) == 2:
        return Pairing(number, meetings_of(number, [(alive[0], alive[1])]), method=method)
    slots, tallies = bracket_order(len(course.entrants)), course.tallies(number)
    lost_in: dict[int, int] = {}
    for pairing in course.rounds[: number - 1]:
        for one in losers_of(course, pairing):
            lost_in.setdefault(one, pairing.round)
    beaten = [
        Beaten(one, lost_in[one], tallies[one].byes, frozenset(tallies[one].met))
        for one in alive
        if one in lost_in
    ]
    unbeaten = [one for one in alive if one not in lost_in]
    upper, waiting = bracket_tables(slots, number, unbeaten)
    lower, pausing = losers_tables(len(slots), number, beaten)
    byes = tuple(sorted(waiting + pausing))
    return Pairing(number, meetings_of(number, upper + lower), byes, method=method)


def _seated_round(course: TournamentCourse, number: int, alive: Sequence[int]) -> Pairing:
    """Seats groups of equally many losses; those who cannot fill a table join the next group. Who
    has the fewest losses pauses first, then who has paused least, then the best seed."""
    sides, losses = course.terms.per_table, losses_before(course, number)
    paused = course.tallies(number)
    tables: list[tuple[int, ...]] = []
    group: list[int] = []
    byes: list[int] = []
    for lost in range(lives(course)):
        group += [one for one in alive if losses[one] == lost]
        is_last = lost == lives(course) - 1
        if len(group) < sides and not is_last:
            continue  # they meet those who have lost once more
        pausing = sorted(group, key=lambda one: (losses[one], paused[one].byes, one))[
            : len(group) % sides
        ]
        seated = [one for one in sorted(group) if one not in pausing]
        tables += serpentine(seated, len(seated) // sides)
        byes += pausing
        group = []
    return Pairing(number, meetings_of(number, tables), tuple(sorted(byes)), method="by losses")
